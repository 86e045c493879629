// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/policy_management.h>
#include <callis/orb/core/interception.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/manager_factory.h>
#include <callis/poa/servant/minor_codes.h>

namespace callis::poa {
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
  const classic::ReferenceVar<Manager> made(new Manager(*registry_, id));
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
