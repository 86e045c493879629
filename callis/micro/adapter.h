// SPDX-License-Identifier: Apache-2.0
// The root adapter of the micro profile, with the policies that the OMG gives RootPOA: TRANSIENT, UNIQUE_ID,
// SYSTEM_ID, RETAIN, IMPLICIT_ACTIVATION, USE_ACTIVE_OBJECT_MAP_ONLY. Child adapters, servant managers and default
// servants are refused. The manager never holds requests: it refuses them with TRANSIENT while HOLDING.
//
//   the key of an object:  "cmic" {nonce of the adapter: 8} {slot: 4} {generation: 4}; the last eight are its id
//
// A slot is used again for another object with the next generation, so an old reference never leads to a new object.
#pragma once
#include <callis/poa/object/servant_map.h>
#include <callis/poa/servant/poa.h>
#include <callis/poa/servant/skeleton.h>
#include <array>
#include <vector>

namespace callis::micro {

class Orb;

class Manager final : public PortableServer::POAManager {
 public:
  void activate() override { go(ACTIVE, false); }
  void hold_requests(CORBA::Boolean wait_for_completion) override { go(HOLDING, wait_for_completion); }
  void discard_requests(CORBA::Boolean wait_for_completion) override { go(DISCARDING, wait_for_completion); }
  void deactivate(CORBA::Boolean, CORBA::Boolean wait_for_completion) override { go(INACTIVE, wait_for_completion); }
  State get_state() override { return state_; }
  char* get_id() override;

 private:
  void go(State to, bool wait);

  State state_ = HOLDING;
};

class Adapter final : public PortableServer::POA {
 public:
  static constexpr std::size_t kKeyBytes = 20;
  static constexpr std::size_t kIdAt = 12;
  static constexpr std::size_t kMostObjects = 1u << 20;

  explicit Adapter(Orb& orb);

  // --- for requests ---

  struct Slot {
    PortableServer::ServantBase* servant = nullptr;  // with a count; nullptr: none
    std::uint32_t generation = 0;  // 0: no object has been here
    std::uint32_t requests = 0;    // that are being executed
    bool going = false;            // deactivated, and let go after the last of the requests
    std::uint32_t next_free = 0;
  };
  enum class Found { Yes, NotOurs, Inactive };
  // The number of the slot that the key names.
  Found find(ByteView key, std::uint32_t& slot) const;

  // A request that is being executed, on the thread's stack.
  class Upcall final {
   public:
    Upcall(Adapter& adapter, std::uint32_t slot);
    ~Upcall();
    Upcall(const Upcall&) = delete;
    Upcall& operator=(const Upcall&) = delete;
    Adapter& adapter() const { return adapter_; }
    std::uint32_t slot() const { return slot_; }
    PortableServer::ServantBase* servant() const { return servant_; }
    static Upcall* innermost() { return innermost_; }

   private:
    static constinit Upcall* innermost_;
    Adapter& adapter_;
    const std::uint32_t slot_;
    PortableServer::ServantBase* const servant_;
    Upcall* const outer_;
  };

  Manager& manager() const { return *manager_.in(); }
  // The object in the slot, of the servant's interface.
  CORBA::Object_ptr reference(std::uint32_t slot, const char* repository_id = nullptr);
  // Deactivates all. The ORB is not there any more.
  void end() noexcept;

  // --- PortableServer::POA ---

  PortableServer::POA_ptr create_POA(const char*, PortableServer::POAManager_ptr, const CORBA::PolicyList&) override;
  PortableServer::POA_ptr find_POA(const char* adapter_name, CORBA::Boolean activate_it) override;
  void destroy(CORBA::Boolean, CORBA::Boolean) override;
  char* the_name() override;
  PortableServer::POA_ptr the_parent() override { return nullptr; }
  PortableServer::POAList* the_children() override { return new PortableServer::POAList; }
  PortableServer::POAManager_ptr the_POAManager() override;
  PortableServer::POAManagerFactory_ptr the_POAManagerFactory() override;
  PortableServer::ObjectId* id() override;
  PortableServer::AdapterActivator_ptr the_activator() override { return nullptr; }
  void the_activator(PortableServer::AdapterActivator_ptr) override;
  PortableServer::ServantManager_ptr get_servant_manager() override;
  void set_servant_manager(PortableServer::ServantManager_ptr) override;
  PortableServer::Servant get_servant() override;
  void set_servant(PortableServer::Servant) override;
  PortableServer::ObjectId* activate_object(PortableServer::Servant servant) override;
  void activate_object_with_id(const PortableServer::ObjectId& id, PortableServer::Servant servant) override;
  void deactivate_object(const PortableServer::ObjectId& id) override;
  CORBA::Object_ptr create_reference(const char*) override;
  CORBA::Object_ptr create_reference_with_id(const PortableServer::ObjectId&, const char*) override;
  PortableServer::ObjectId* servant_to_id(PortableServer::Servant servant) override;
  CORBA::Object_ptr servant_to_reference(PortableServer::Servant servant) override;
  PortableServer::Servant reference_to_servant(CORBA::Object_ptr reference) override;
  PortableServer::ObjectId* reference_to_id(CORBA::Object_ptr reference) override;
  PortableServer::Servant id_to_servant(const PortableServer::ObjectId& id) override;
  CORBA::Object_ptr id_to_reference(const PortableServer::ObjectId& id) override;

 private:
  using Key = std::array<Byte, kKeyBytes>;

  ~Adapter() override = default;
  void check() const;
  Key key_of(std::uint32_t slot) const;
  PortableServer::ObjectId* id_of(std::uint32_t slot) const;
  std::uint32_t slot_of(const PortableServer::ObjectId& id) const;
  std::uint32_t new_slot();
  void fill(std::uint32_t slot, PortableServer::Servant servant);
  std::uint32_t activate(PortableServer::Servant servant);
  // The servant's slot; activates it if it has none.
  std::uint32_t slot_for(PortableServer::Servant servant);
  std::uint32_t slot_in(CORBA::Object_ptr reference) const;
  void deactivate(std::uint32_t slot) noexcept;
  void let_go(std::uint32_t slot) noexcept;

  Orb* orb_;  // nullptr after end()
  const PortableServer::ObjectId_var nonce_;
  classic::ReferenceVar<Manager> manager_;
  std::vector<Slot> slots_{1};  // the first is not used
  std::uint32_t free_ = 0;      // 0: none
  poa::ServantMap numbers_;
};

}  // namespace callis::micro
