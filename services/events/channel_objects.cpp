// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/registered_references.h>
#include <services/events/channel_objects.h>
#include <algorithm>

namespace callis::events {

namespace {

PortableServer::ObjectId_var id_of(const char* kind, const std::string& channel) {
  return PortableServer::string_to_ObjectId((kind + channel).c_str());
}

}  // namespace

ChannelObjects::ChannelObjects(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, const char* name)
    : orb_(CORBA::ORB::_duplicate(orb)) {
  const PortableServer::POAManager_var manager = root_poa->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
  adapter_ = root_poa->create_POA(name, manager.in(), policies);
  proxies_ = adapter_->create_POA("proxies", manager.in(), CORBA::PolicyList());
}

CORBA::Object_var ChannelObjects::activate(const char* kind, const std::string& channel,
                                           PortableServer::ServantBase* servant) const {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::ObjectId_var id = id_of(kind, channel);
  adapter_->activate_object_with_id(id.in(), owned.in());
  return adapter_->id_to_reference(id.in());
}

void ChannelObjects::deactivate(const std::string& channel) const noexcept {
  for (const char* kind : {kChannel, kConsumers, kSuppliers}) {
    try {
      adapter_->deactivate_object(id_of(kind, channel).in());
    } catch (const CORBA::Exception&) {  // it was not there, or the adapter has gone
    }
  }
}

std::string ChannelObjects::be_reached_by_key(const std::string& name, CORBA::Object_ptr object) const {
  try {
    orb_->register_initial_reference(name.c_str(), object);
  } catch (const CORBA::ORB::InvalidName&) {
    return concat({"'", name, "' is the key of another object"});
  } catch (const CORBA::SystemException& e) {
    return concat({"'", name, "' cannot be a key: ", e.what()});
  }
  return {};
}

void ChannelObjects::forget_key(const std::string& name) const {
  (void)orb::RegisteredReferences::remove(*static_cast<orb::Core*>(orb_.in()), name);
}

void ChannelObjects::destroy() noexcept {
  try {
    adapter_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
}

std::string ChannelObjects::why_no_name(const std::string& name) {
  const auto may_be = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_' || c == '/';
  };
  if (!name.empty() && name.size() <= kMostNameBytes && std::all_of(name.begin(), name.end(), may_be)) return {};
  return concat({"'", name, "' is no name of a channel: letters, digits, '.', '-', '_' and '/', at most ",
                 Decimal(kMostNameBytes)});
}

}  // namespace callis::events
