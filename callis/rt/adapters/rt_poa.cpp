// SPDX-License-Identifier: Apache-2.0
// RTPortableServer::POA: a face of an adapter.
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/main_thread.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/rt/adapters/adapter_policies.h>
#include <callis/rt/adapters/bad_policies.h>
#include <callis/rt/adapters/rt_poa.h>
#include <callis/rt/base/minor_codes.h>

namespace callis::rt {
namespace {

using namespace PortableServer;
using RTCORBA::Priority;

class Face final : public RTPortableServer::POA {
 public:
  Face(poa::Adapter& adapter, orb::Counted<RealTimeOrb> orb)
      : adapter_(poa::duplicate_local(&adapter)), orb_(std::move(orb)) {}

  // --- As the adapter does ---

  PortableServer::POA_ptr create_POA(const char* name, POAManager_ptr manager,
                                     const CORBA::PolicyList& policies) override {
    return plain().create_POA(name, manager, policies);
  }
  PortableServer::POA_ptr find_POA(const char* name, CORBA::Boolean activate_it) override {
    return plain().find_POA(name, activate_it);
  }
  void destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) override {
    plain().destroy(etherealize_objects, wait_for_completion);
  }
  char* the_name() override { return plain().the_name(); }
  PortableServer::POA_ptr the_parent() override { return plain().the_parent(); }
  POAList* the_children() override { return plain().the_children(); }
  POAManager_ptr the_POAManager() override { return plain().the_POAManager(); }
  POAManagerFactory_ptr the_POAManagerFactory() override { return plain().the_POAManagerFactory(); }
  ObjectId* id() override { return plain().id(); }
  AdapterActivator_ptr the_activator() override { return plain().the_activator(); }
  void the_activator(AdapterActivator_ptr activator) override { plain().the_activator(activator); }
  ServantManager_ptr get_servant_manager() override { return plain().get_servant_manager(); }
  void set_servant_manager(ServantManager_ptr manager) override { plain().set_servant_manager(manager); }
  Servant get_servant() override { return plain().get_servant(); }
  void set_servant(Servant servant) override { plain().set_servant(servant); }
  ObjectId* activate_object(Servant servant) override { return plain().activate_object(servant); }
  void activate_object_with_id(const ObjectId& id, Servant servant) override {
    plain().activate_object_with_id(id, servant);
  }
  void deactivate_object(const ObjectId& id) override { plain().deactivate_object(id); }
  CORBA::Object_ptr create_reference(const char* type) override { return plain().create_reference(type); }
  CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* type) override {
    return plain().create_reference_with_id(id, type);
  }
  ObjectId* servant_to_id(Servant servant) override { return plain().servant_to_id(servant); }
  CORBA::Object_ptr servant_to_reference(Servant servant) override { return plain().servant_to_reference(servant); }
  Servant reference_to_servant(CORBA::Object_ptr reference) override {
    return plain().reference_to_servant(reference);
  }
  ObjectId* reference_to_id(CORBA::Object_ptr reference) override { return plain().reference_to_id(reference); }
  Servant id_to_servant(const ObjectId& id) override { return plain().id_to_servant(id); }
  CORBA::Object_ptr id_to_reference(const ObjectId& id) override { return plain().id_to_reference(id); }

  // --- Priorities of objects ---

  CORBA::Object_ptr create_reference_with_priority(const char* type, Priority priority) override {
    check(priority);
    const CORBA::Object_var first = plain().create_reference(type);
    const ObjectId_var id = plain().reference_to_id(first.in());
    return reference_with(id.in(), first.in(), type, priority);
  }
  CORBA::Object_ptr create_reference_with_id_and_priority(const ObjectId& id, const char* type,
                                                          Priority priority) override {
    check(priority);
    const CORBA::Object_var first = plain().create_reference_with_id(id, type);
    return reference_with(id, first.in(), type, priority);
  }
  // Nobody knows the new object's key before it has its priority.
  ObjectId* activate_object_with_priority(Servant servant, Priority priority) override {
    check(priority);
    ObjectId_var id = plain().activate_object(servant);
    give(id.in(), priority);
    return id._retn();
  }
  void activate_object_with_id_and_priority(const ObjectId& id, Servant servant, Priority priority) override {
    check(priority);
    // The priority is set before the activation, so that no request comes in between.
    const CORBA::Object_var before = plain().create_reference_with_id(id, "");
    const ior::Bytes key = served_key(before.in());
    const bool anew = !priorities().find(key);
    if (anew) priorities().set(key, priority, {policies(), nullptr, 0});
    try {
      plain().activate_object_with_id(id, servant);
    } catch (...) {
      if (anew) priorities().forget(key);
      throw;
    }
    give(id, priority);
  }

 private:
  PortableServer::POA& plain() const { return *adapter_.in(); }
  poa::Adapter& adapter() const { return *adapter_.in(); }
  ObjectPriorities& priorities() const { return orb_->object_priorities(); }
  const AdapterPolicies* policies() const { return AdapterPolicies::of(adapter()); }

  static ior::Bytes served_key(CORBA::Object_ptr object) {
    const orb::Reference& reference = *object->_callis_reference();
    const ior::Bytes key = key_of(reference);
    const ByteView served = served_key_of(reference.orb(), key);
    return {served.begin(), served.end()};
  }

  void check(Priority priority) const {
    const AdapterPolicies* const mine = policies();
    if (!mine || mine->policies().model != RTCORBA::SERVER_DECLARED) raise<PortableServer::POA::WrongPolicy>();
    if (priority < RTCORBA::minPriority)
      raise<CORBA::BAD_PARAM>(kBadPriority, CORBA::COMPLETED_NO, "a priority that is not in 0 to 32767");
    const std::uint32_t id = mine->policies().threadpool.value_or(0);
    const ThreadpoolTerms* const pool = id != 0 ? orb_->threadpools().terms(id) : nullptr;
    if (pool && !has_lane(*pool, priority))
      raise<CORBA::BAD_PARAM>(kBadPriority, CORBA::COMPLETED_NO,
                              concat({"no lane of the adapter's thread pool has priority ",
                                      Decimal(static_cast<std::uint64_t>(priority))}));
  }

  // Makes the reference anew: now that the adapter knows the priority, the reference carries it.
  CORBA::Object_ptr reference_with(const ObjectId& id, CORBA::Object_ptr first, const char* type, Priority priority) {
    priorities().set(served_key(first), priority, {policies(), nullptr, 0});
    return plain().create_reference_with_id(id, type);
  }

  // Gives the priority to the object that has just been activated.
  void give(const ObjectId& id, Priority priority) {
    ObjectPriorities::Life life{policies(), nullptr, 0};
    CORBA::Object_var object;
    try {
      object = plain().id_to_reference(id);
    } catch (const PortableServer::POA::ObjectNotActive&) {
      return;  // by now another thread has deactivated it
    }
    {
      poa::Registry::Guard guard(adapter().registry());
      const std::uint32_t slot = adapter().find_object(poa::bytes_of(id));
      if (!adapter().is_active(slot)) return;
      life.slot = adapter().registry().table().at(slot);
      life.generation = life.slot->generation();
    }
    priorities().set(served_key(object.in()), priority, life);
  }

  const classic::ReferenceVar<poa::Adapter> adapter_;
  const orb::Counted<RealTimeOrb> orb_;
};

}  // namespace
}  // namespace callis::rt

namespace RTPortableServer::inline callis_orb {

POA_ptr POA::_narrow(CORBA::Object_ptr object) {
  using namespace callis;
  if (auto* const known = dynamic_cast<POA*>(object)) return _duplicate(known);
  auto* const adapter = dynamic_cast<poa::Adapter*>(object);
  const orb::MainThread* const main_thread = adapter ? adapter->registry().options().main_thread : nullptr;
  return main_thread ? new rt::Face(*adapter, rt::RealTimeOrb::of(main_thread->orb())) : nullptr;
}

}  // namespace RTPortableServer::inline callis_orb
