// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/classic/string.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/object/policy_management.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/manager.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/adapter/upcall.h>

namespace callis::poa {
namespace {

std::string next_id() {
  static std::atomic<std::uint64_t> number{0};
  return concat({"POAManager", Decimal(number.fetch_add(1, std::memory_order_relaxed))});
}

}  // namespace

Manager::Manager(std::shared_ptr<Registry> registry, std::string id)
    : registry_(std::move(registry)), id_(id.empty() ? next_id() : std::move(id)) {}

void Manager::choose_other_id() { id_ = next_id(); }

Gate Manager::gate() const {
  switch (state_) {
    case ACTIVE: return Gate::Active;
    case HOLDING: return Gate::Holding;
    case DISCARDING: return Gate::Discarding;
    case INACTIVE: break;
  }
  return Gate::Inactive;
}

void Manager::change(State to, bool wait, bool etherealize) {
  if (wait && in_upcall_of(*registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
  Registry::Guard guard(*registry_);
  if (state_ == INACTIVE) raise<AdapterInactive>();
  state_ = to;
  const std::uint64_t change = ++changes_;
  registry_->manager_changed(*this);
  const bool tells = etherealize && CALLIS_HAS(adapters);
  if (tells) {
    guard.unlock();
    Adapter::etherealize_all(*registry_, *this);
    guard.relock();
  }
  while (wait && change == changes_ &&
         (registry_->busy(*this) || (tells && Adapter::is_etherealizing(*registry_, *this))))
    guard.wait();
}

void Manager::activate() { change(ACTIVE, false); }
void Manager::hold_requests(CORBA::Boolean wait) { change(HOLDING, wait); }
void Manager::discard_requests(CORBA::Boolean wait) { change(DISCARDING, wait); }
void Manager::deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait) {
  change(INACTIVE, wait, etherealize_objects);
}

PortableServer::POAManager::State Manager::get_state() {
  Registry::Guard guard(*registry_);
  return state_;
}

char* Manager::get_id() { return classic::duplicate(id_.c_str()); }

// --- POAManagerFactory ---

namespace {

// There are no policies of managers. Whether this is one that the ORB understands for something else.
CORBA::PolicyErrorCode why_not(CORBA::Policy* policy, const orb::Interception* interception) {
  if (!policy) return CORBA::BAD_POLICY;
  const CORBA::PolicyType type = policy->policy_type();
  const bool known = is_of_adapters(type) || dynamic_cast<const orb::NumberPolicy*>(policy) ||
                     (interception && interception->makes_policies(type));
  return known ? CORBA::UNSUPPORTED_POLICY : CORBA::BAD_POLICY;
}

}  // namespace

PortableServer::POAManager_ptr ManagerFactory::create_POAManager(const char* id, const CORBA::PolicyList& policies) {
  if (!id) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  if (policies.length() != 0) throw CORBA::PolicyError(why_not(policies[0], registry_->references().interception()));
  const classic::ReferenceVar<Manager> made(new Manager(registry_, id));
  Registry::Guard guard(*registry_);
  if (!registry_->root) raise<CORBA::OBJECT_NOT_EXIST>(kAdapterDestroyed, CORBA::COMPLETED_NO);
  if (registry_->find_manager(id)) raise<ManagerAlreadyExists>();
  registry_->add(*made.in());
  return duplicate_local(made.in());
}

PortableServer::POAManagerFactory::POAManagerSeq* ManagerFactory::list() {
  auto list = std::make_unique<POAManagerSeq>();
  Registry::Guard guard(*registry_);
  list->length(static_cast<CORBA::ULong>(registry_->managers().size()));
  CORBA::ULong n = 0;
  for (Manager* m : registry_->managers()) (*list)[n++] = duplicate_local<PortableServer::POAManager>(m);
  return list.release();
}

PortableServer::POAManager_ptr ManagerFactory::find(const char* id) {
  if (!id) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  Registry::Guard guard(*registry_);
  return duplicate_local(registry_->find_manager(id));
}

}  // namespace callis::poa
