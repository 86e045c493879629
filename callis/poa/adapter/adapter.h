// SPDX-License-Identifier: Apache-2.0
// Adapter: the POA of this ORB.
//
//   names     parent ─→ ChildAdapters ─→ children, owned by count
//             a tag for transient keys, a path for persistent ones
//   objects   in the registry's ObjectTable; here only their number, and by servant if ids are unique
//   life      alive ──destroy()──→ destroying ──last object and child gone──→ gone (only references are left)
//
// The registry's lock guards everything but the constants and the gate.
//
// The parts that a program may leave out (callis/base/feature.h) are objects behind pointers. A pointer is nullptr if
// the program lacks the feature or the adapter has no use for the part:
//
//   ChildAdapters      feature adapters      children, AdapterActivator
//   ServantsOnDemand   feature adapters      default servant, servant managers
//   ObjectIds          feature object_ids    ids of the user's choice; the ways between servants, ids and references
//   OtherKeys          feature other_keys    keys that are not System keys
#pragma once
#include <callis/poa/adapter/child_adapters.h>
#include <callis/poa/adapter/manager.h>
#include <callis/poa/adapter/object_ids.h>
#include <callis/poa/adapter/other_keys.h>
#include <callis/poa/adapter/policies.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/adapter/servants_on_demand.h>
#include <callis/poa/object/servant_map.h>
#include <mutex>

namespace callis::poa {

class Adapter final : public PortableServer::POA {
  using Servant = PortableServer::Servant;
  using ObjectId = PortableServer::ObjectId;

 public:
  // Returns a root adapter with a manager of its own. The caller owns a count.
  static Adapter* make_root(Registry& registry);

  // --- for requests ---

  Gate gate() const { return gate_.load(std::memory_order_seq_cst); }
  bool serves_one_at_a_time() const { return policies_.thread != PortableServer::ORB_CTRL_MODEL; }
  // The thread for upcalls if the policy is MAIN_THREAD_MODEL, else nullptr.
  orb::MainThread* main_thread() const {
    return policies_.main_thread() ? registry_->options().main_thread : nullptr;
  }
  // Locked around upcalls when the policy is SINGLE_THREAD_MODEL.
  std::recursive_mutex& serial() { return serial_; }
  // The object id in a key of this adapter.
  ByteView id_in(ByteView key) const { return key.subspan(id_at()); }
  std::size_t id_at() const { return other_keys_ ? other_keys_->id_at() : kSystemKeyBytes - kSystemIdBytes; }
  orb::OperationLookup operation_lookup() const { return demultiplexing_.operations; }
  Registry& registry() const { return *registry_; }
  bool bidirectional() const { return policies_.bidirectional; }
  bool retains() const { return policies_.retain(); }
  const std::string& name() const { return name_; }
  const Adapter* parent() const { return parent_; }  // lives as long as this
  const orb::AdapterNotes* notes() const { return notes_.get(); }
  const orb::AdapterNotes* exposed() const { return exposed_.get(); }  // the argument of expose()
  // A new reference to the object with that key.
  CORBA::Object_ptr make_reference(const char* type_id, ByteView key) const;
  orb::Collocation collocation() const { return policies_.collocation.value_or(registry_->options().collocation); }

  // --- for the registry, under its lock ---

  std::uint32_t tag() const { return tag_; }
  ByteView path() const { return other_keys_ ? other_keys_->path() : ByteView(); }  // if it is part of keys
  KeyKind key_kind() const { return other_keys_ ? other_keys_->kind() : KeyKind::System; }
  std::vector<Byte> key_of(ByteView id) const;  // as it stands in the index
  Manager& manager() const { return *manager_.in(); }
  void update_gate();
  // Called when an object of the adapter, incarnated by that servant, has left the table.
  void object_gone(Servant servant);
  Adapter* next_gone = nullptr;

  // Decides the fate of a request for an object that is not active.
  Missing missing() { return on_demand_ ? on_demand_->missing() : Missing{nullptr, Refusal::NoObject}; }
  // Whether this thread is in a request for that object.
  bool in_upcall_on(ByteView id) const;
  // For an adapter that is being let go: whether it executes no request any more and still has to tell a
  // ServantActivator of ends of activations. The caller holds a count.
  bool has_put_off() const { return over_ && !gone_; }

  // --- its parts: nullptr for none ---

  ChildAdapters* children() const { return children_.get(); }
  ServantsOnDemand* on_demand() const { return on_demand_.get(); }

  // --- PortableServer::POA ---

  char* the_name() override;
  PortableServer::POA_ptr create_POA(const char* name, PortableServer::POAManager_ptr manager,
                                     const CORBA::PolicyList& policies) override;
  PortableServer::POA_ptr find_POA(const char* name, CORBA::Boolean activate_it) override;
  void destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) override;
  PortableServer::POA_ptr the_parent() override;
  PortableServer::POAList* the_children() override;
  PortableServer::POAManager_ptr the_POAManager() override;
  PortableServer::POAManagerFactory_ptr the_POAManagerFactory() override;
  ObjectId* id() override;
  PortableServer::AdapterActivator_ptr the_activator() override;
  void the_activator(PortableServer::AdapterActivator_ptr activator) override;
  PortableServer::ServantManager_ptr get_servant_manager() override;
  void set_servant_manager(PortableServer::ServantManager_ptr manager) override;
  Servant get_servant() override;
  void set_servant(Servant servant) override;

  ObjectId* activate_object(Servant servant) override;
  void activate_object_with_id(const ObjectId& id, Servant servant) override;
  void deactivate_object(const ObjectId& id) override;
  CORBA::Object_ptr create_reference(const char* repository_id) override;
  CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* repository_id) override;
  ObjectId* servant_to_id(Servant servant) override;
  CORBA::Object_ptr servant_to_reference(Servant servant) override;
  Servant reference_to_servant(CORBA::Object_ptr reference) override;
  ObjectId* reference_to_id(CORBA::Object_ptr reference) override;
  Servant id_to_servant(const ObjectId& id) override;
  CORBA::Object_ptr id_to_reference(const ObjectId& id) override;

  // --- for its parts ---

  using Guard = Registry::Guard;
  using Bytes = std::vector<Byte>;

  // enroll() must follow. parent is nullptr for the root.
  Adapter(Registry& registry, Adapter* parent, std::string name, Manager& manager, const Policies& policies);
  // Lets interceptors add their components. Called once the adapter has its tag and before other threads can find it.
  // policies is nullptr for the root. Gives the lock up meanwhile, also if an interceptor throws.
  void tell_interceptors(Guard& guard, const CORBA::PolicyList* policies);
  // Sets the policies that the adapter's references carry. Called before other threads can find the adapter.
  void expose(std::unique_ptr<const orb::AdapterNotes> policies);

  const Policies& policies() const { return policies_; }

  // The rest is under the lock.

  // Enters the adapter into the registry, which gives it a tag. Returns false if there are too many adapters.
  bool enroll();
  // The first throws if the adapter is gone, the second if the adapter takes no new objects.
  void check_not_gone() const;
  void check_alive() const;
  bool destroying() const { return destroying_; }
  bool is_over() const { return over_; }
  bool etherealizes() const { return etherealizes_; }  // when destroyed
  // Holds requests while an AdapterActivator makes it.
  void set_being_made(bool being_made);
  // Begins destroy() of the adapter and of all below. Also ends each of them that has nothing left to wait for.
  void mark_destroying(bool etherealizing);
  void finish_tree();
  void finish_if_empty();

  bool has_id_of_mine(ByteView id) const;  // as far as the id itself tells
  ByteView key_prefix() const { return other_keys_ ? other_keys_->prefix() : registry_->prefix().bytes(); }
  // The key as references carry it: the first is for an object in no slot, the second for the object in that slot.
  Bytes reference_key(ByteView id) const;
  Bytes key_at(std::uint32_t slot) const;
  ObjectId* new_system_id();
  // The slot in which the object is Active, or is still present after its deactivation.
  std::uint32_t find_object(ByteView id) const;
  bool is_active(std::uint32_t slot) const;
  // The slot of an Active object of that servant, if ids are unique; nullptr if there is none.
  const std::uint32_t* slot_of(Servant servant) const { return by_servant_.find(servant); }
  // Takes over a count of the servant. id empty: a new System key. flags: of Activation.
  std::uint32_t put(Servant servant, ByteView id, std::uint32_t flags = 0);
  // The same with a new id, under every policy of id assignment.
  std::uint32_t put_new(Servant servant);
  // Puts an entry into the table that is no object by itself. It counts as an object until object_gone().
  std::uint32_t put_hidden(const Activation& activation, ByteView key);
  // Changes the slot from Active to Draining. Returns true if no request was in the slot: the caller must then
  // retire() it, without the lock.
  bool take_out(std::uint32_t slot);
  // Pins the object, so that the servant can be counted without the lock. Gives the lock up.
  Servant counted_servant_at(std::uint32_t slot, Guard& guard);

 private:
  ~Adapter() override;

  ChildAdapters& children_or_throw() const;
  ServantsOnDemand& on_demand_or_throw() const;
  [[noreturn]] static void no_servants_on_demand();
  ObjectIds& ids_or_throw() const;
  std::uint32_t active_slot(ByteView id) const;  // throws ObjectNotActive

  const orb::Counted<Registry> registry_;
  Adapter* const parent_;  // not counted: outlives its children
  const std::string name_;
  const classic::ReferenceVar<Manager> manager_;
  const Policies policies_;
  std::unique_ptr<const orb::AdapterNotes> notes_, exposed_;  // set before others have the adapter
  const orb::Demultiplexing demultiplexing_;
  const std::unique_ptr<OtherKeys> other_keys_;
  const std::unique_ptr<ObjectIds> ids_;
  const std::unique_ptr<ChildAdapters> children_;
  const std::unique_ptr<ServantsOnDemand> on_demand_;
  std::uint32_t tag_ = 0;
  std::atomic<Gate> gate_{Gate::Holding};
  std::recursive_mutex serial_;

  bool destroying_ = false;
  // no request is executed any more; its ServantActivator is told of the ends that have been put off
  bool over_ = false;
  bool gone_ = false;
  bool etherealizes_ = true;
  bool being_made_ = false;
  std::uint32_t objects_ = 0;
  ServantMap by_servant_;  // slots of Active objects, when ids are unique
};

inline Slot* Registry::enter_again(Slot& slot, std::uint32_t generation) {
  Slot* const pinned = table_.enter(slot, generation);
  if (!pinned || pinned->adapter->gate() == Gate::Active) [[likely]]
    return pinned;  // see find_active()
  table_.leave(pinned);
  return nullptr;
}

// Whether this thread is inside an upcall of an adapter of that registry.
bool in_upcall_of(const Registry& registry);

// Adds a count, which the result gives back when it goes out of scope. Throws BAD_PARAM for nil.
PortableServer::ServantBase_var counted_servant(PortableServer::Servant servant);

// A new reference to the object with that key, of the servant's type.
CORBA::Object_ptr reference_of(const Adapter& adapter, ByteView key, PortableServer::Servant servant);

}  // namespace callis::poa
