// SPDX-License-Identifier: Apache-2.0
// Adapter: the POA of this ORB.
//
//   names     parent ─→ children, owned by count; a tag for transient keys, a path for persistent ones
//   objects   in the registry's ObjectTable; here only their number, and by servant where ids are unique
//   life      alive ──destroy()──→ destroying ──last object and child gone──→ gone (only references are left)
//
// All but the constants and the gate is guarded by the registry's lock.
//
// Parts of it are features (callis/base/feature.h): without adapters there is only the root, whose policies say that none
// of the functions marked is called, and keys are System keys.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/string_map.h>
#include <callis/poa/adapter/manager.h>
#include <callis/poa/adapter/policies.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/object/servant_map.h>
#include <mutex>

CALLIS_FEATURE(adapters);

namespace callis::poa {

class Adapter final : public PortableServer::POA {
  using Servant = PortableServer::Servant;
  using ObjectId = PortableServer::ObjectId;

 public:
  // A root adapter with a manager of its own; a count for the caller.
  static Adapter* make_root(const std::shared_ptr<Registry>& registry);

  // --- for requests ---

  Gate gate() const { return gate_.load(std::memory_order_seq_cst); }
  bool serves_one_at_a_time() const { return policies_.thread != PortableServer::ORB_CTRL_MODEL; }
  // Where upcalls run when the policy is MAIN_THREAD_MODEL, else nullptr.
  orb::MainThread* main_thread() const { return policies_.main_thread() ? registry_->options().main_thread : nullptr; }
  // Locked around upcalls when the policy is SINGLE_THREAD_MODEL.
  std::recursive_mutex& serial() { return serial_; }
  // The object id in a key of this adapter.
  ByteView id_in(ByteView key) const { return key.subspan(key_prefix_.size() + hint_bytes()); }
  orb::OperationLookup operation_lookup() const { return demultiplexing_.operations; }
  const std::shared_ptr<Registry>& registry() const { return registry_; }
  bool bidirectional() const { return policies_.bidirectional; }
  bool retains() const { return policies_.retain(); }
  const std::string& name() const { return name_; }
  const Adapter* parent() const { return parent_; }  // lives as long as this
  const orb::AdapterNotes* notes() const { return notes_.get(); }
  // A new reference to the object with that key.
  CORBA::Object_ptr make_reference(const char* type_id, ByteView key) const;
  orb::Collocation collocation() const { return policies_.collocation.value_or(registry_->options().collocation); }

  // --- for the registry, under its lock ---

  std::uint32_t tag() const { return tag_; }
  const std::vector<Byte>& path() const { return path_; }  // where it is part of keys
  KeyKind key_kind() const { return key_kind_; }
  std::vector<Byte> key_of(ByteView id) const;  // as it stands in the index
  Manager& manager() const { return *manager_.in(); }
  bool has_activator() const { return adapter_activator_.in() != nullptr; }
  CALLIS_OPTIONAL Adapter* child(std::string_view name);  // not counted; nullptr for none
  void update_gate();
  // One of its objects, of that servant, is in the table no more.
  void object_gone(Servant servant);
  Adapter* next_gone = nullptr;

  // What becomes of a request for an object that is not active: the slot that stands for all such objects,
  // pinned; a refusal; or neither: incarnate() is to be called.
  struct Missing {
    Slot* slot;
    Refusal refusal;
  };
  Missing missing() {
    if (policies_.processing == PortableServer::USE_ACTIVE_OBJECT_MAP_ONLY) return {nullptr, Refusal::NoObject};
    return missing_here();
  }
  // Whether this thread is in a request for that object.
  bool in_upcall_on(ByteView id) const;

  // --- without the lock ---

  // Has the ServantActivator make the servant of the object with that key, if it is still missing. Throws
  // what that throws; OBJ_ADAPTER when what it returns cannot be used.
  CALLIS_OPTIONAL void incarnate(ByteView key);
  // Tells the ServantActivator, if there is one, of the end of the activation in a Reaping slot.
  void etherealize(std::uint32_t slot) noexcept {
    if (policies_.servant_manager() && policies_.retain()) tell_activator(slot);
  }
  // Of a Reaping slot: whether its end waits for that of all requests in this adapter, which is being destroyed.
  bool puts_off() { return policies_.servant_manager() && policies_.retain() && puts_off_here(); }
  // For one that is let go: executes no request any more, and ends what it has put off. The caller holds a count.
  bool has_put_off() const { return over_ && !gone_; }
  CALLIS_OPTIONAL static void end_put_off(Adapter* adapter) noexcept;
  // Whether a ServantActivator of the manager's adapters has still to be told of an end. Under the lock.
  CALLIS_OPTIONAL static bool is_etherealizing(Registry& registry, const Manager& manager);
  // For pinned slots without servant.
  PortableServer::ServantLocator& locator() { return *locator_.in(); }
  // The child, if need be from the AdapterActivator; a count for the caller; nullptr for none.
  // OBJ_ADAPTER (OMG minor 1) when the activator throws.
  CALLIS_OPTIONAL Adapter* find_or_activate(const std::string& name);
  // Waits while a child of that name is being destroyed. BAD_INV_ORDER inside an upcall.
  void await_end_of(const std::string& name);
  // Deactivates the manager's objects that have a ServantActivator, telling it.
  CALLIS_OPTIONAL static void etherealize_all(Registry& registry, const Manager& manager);

  // --- PortableServer::POA ---

  // The first virtual function that is not inline has to be one that every program has: the class's table stands where it
  // is defined (docs/design/features.md).
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

 private:
  using Guard = Registry::Guard;
  using Bytes = std::vector<Byte>;

  Adapter(std::shared_ptr<Registry> registry, Adapter* parent, std::string name, Manager& manager,
          const Policies& policies);
  ~Adapter() override;

  CALLIS_OPTIONAL Missing missing_here();
  CALLIS_OPTIONAL void tell_activator(std::uint32_t slot) noexcept;
  CALLIS_OPTIONAL bool puts_off_here();
  // On the thread that the policy asks for.
  void incarnate_here(ByteView key);
  void etherealize_here(std::uint32_t slot) noexcept;
  // Lets interceptors add to it; before others have it.
  void tell_interceptors(const CORBA::PolicyList* policies);

  // All that follows is under the lock.

  // Throw when the adapter is gone; when it takes no new objects.
  void check_not_gone() const;
  void check_alive() const;
  bool enroll();
  CALLIS_OPTIONAL void choose_key_prefix();  // and path_, where keys are no System keys
  void append_names(Bytes& path) const;  // from the one below the root to this one
  void mark_destroying(bool etherealizing);
  void finish_tree();
  void finish_if_empty();

  bool has_id_of_mine(ByteView id) const;  // as far as the id itself tells
  void check_system_id(ByteView id) const;
  std::size_t hint_bytes() const { return is_hinted(key_kind_) ? kHintBytes : 0; }
  // As references carry it: of an object in no slot; of the object in that slot.
  Bytes reference_key(ByteView id) const;
  Bytes key_at(std::uint32_t slot) const;
  CALLIS_OPTIONAL Bytes with_hint(Bytes key, std::uint32_t slot, std::uint32_t generation) const;
  ObjectId* new_system_id();
  // Where the object is Active, or still there after its deactivation.
  std::uint32_t find_object(ByteView id) const;
  bool is_active(std::uint32_t slot) const;
  std::uint32_t active_slot(ByteView id) const;  // throws ObjectNotActive
  // Takes over a count of the servant. id empty: a new System key.
  std::uint32_t put(Servant servant, ByteView id);
  // With a new id, whatever the policies say of assignment.
  std::uint32_t put_new(Servant servant) { return key_kind_ == KeyKind::System ? put(servant, {}) : put_with_new_id(servant); }
  CALLIS_OPTIONAL std::uint32_t put_with_new_id(Servant servant);
  // Around calls to the ServantActivator; taken before the registry's lock.
  std::recursive_mutex& activation() { return policies_.single_thread() ? serial_ : activation_; }
  // Active -> Draining. True when nobody was in it and the caller is to retire() it, without the lock.
  bool take_out(std::uint32_t slot);
  // Makes the slot that stands for all missing objects. Takes over a count of the servant, if any.
  void put_hidden(Servant servant);
  std::optional<std::uint32_t> slot_of(Servant servant, PortableServer::ServantBase_var& count);
  Servant counted_servant_at(std::uint32_t slot, Guard& guard);

  const std::shared_ptr<Registry> registry_;
  Adapter* const parent_;  // not counted: outlives its children
  const std::string name_;
  const classic::ReferenceVar<Manager> manager_;
  const Policies policies_;
  std::unique_ptr<const orb::AdapterNotes> notes_, exposed_;  // set before others have the adapter
  const orb::Demultiplexing demultiplexing_;
  const KeyKind key_kind_;
  std::uint32_t tag_ = 0;
  Bytes path_;
  Bytes key_prefix_;  // of all its keys; constant once the adapter can be found
  std::atomic<Gate> gate_{Gate::Holding};
  std::recursive_mutex serial_;

  bool destroying_ = false;
  bool over_ = false;                // no request is executed any more; its activator is told
  bool gone_ = false;
  bool etherealizes_ = true;         // when destroyed
  bool cleaning_up_ = false;         // its manager has been deactivated
  bool being_made_ = false;          // inside an AdapterActivator
  PortableServer::AdapterActivator_var adapter_activator_;
  PortableServer::ServantActivator_var activator_;  // set once, like locator_
  PortableServer::ServantLocator_var locator_;
  std::recursive_mutex activation_;
  std::uint32_t hidden_ = kNoSlot;   // the slot that stands for all missing objects
  StringMap<Adapter*> children_;  // a count each
  std::uint32_t objects_ = 0;
  std::uint32_t put_off_ = 0;  // of them
  ServantMap by_servant_;   // slots of Active objects, when ids are unique
  ServantMap activations_;  // their number, with a ServantActivator

  friend class AdapterMaking;
};

inline Slot* Registry::enter_again(Slot& slot, std::uint32_t generation) {
  Slot* const pinned = table_.enter(slot, generation);
  if (!pinned || pinned->adapter->gate() == Gate::Active) [[likely]] return pinned;  // see find_active()
  table_.leave(pinned);
  return nullptr;
}

// Which keys its objects have.
CALLIS_OPTIONAL KeyKind choose_other_kind(const Policies& policies, const orb::Demultiplexing& demultiplexing);

// A count of one's own, given back when it goes out of scope. BAD_PARAM for nil.
PortableServer::ServantBase_var counted_servant(PortableServer::Servant servant);

// A new reference to the object with that key, of the servant's type.
CORBA::Object_ptr reference_of(const Adapter& adapter, ByteView key, PortableServer::Servant servant);

}  // namespace callis::poa
