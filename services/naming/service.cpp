// SPDX-License-Identifier: Apache-2.0
// The adapters, and the thread that reaps iterators and looks for other instances.
#include <callis/base/log.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/registered_references.h>
#include <services/common/numbered_objects.h>
#include <services/naming/service.h>
#include <algorithm>

namespace callis::naming {

services::StoreKind store_kind() { return {.name = "naming", .schema = 1, .migrations = {}}; }

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store, Watching& watching,
                 services::Counters& counters, const ServiceOptions& options)
    : orb_(CORBA::ORB::_duplicate(orb)), store_(store), options_(options), poa_(make_adapter(root_poa)),
      directory_(store, watching, options.bounds, options.memory),
      federation_(options.federation_deadline, options.memory) {
  references_ = std::make_unique<References>(poa_.in(), directory_.identity());
  iterators_ = std::make_unique<Iterators>(poa_.in(), options.memory);
  const PortableServer::Servant_var<ContextServant> servant = new ContextServant(
      {directory_, *references_, *iterators_, federation_, options.readonly, counters.counter("resolved"),
       counters.counter("changed"), counters.counter("refused"), counters.counter("asked_elsewhere")});
  poa_->set_servant(servant.in());
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    add({"contexts", static_cast<std::int64_t>(directory_.model().contexts()), true});
    add({"bindings", static_cast<std::int64_t>(directory_.model().bindings()), true});
    add({"orphans", static_cast<std::int64_t>(directory_.model().orphans()), true});
    add({"revision", static_cast<std::int64_t>(directory_.model().changes()), true});
    add({"iterators", static_cast<std::int64_t>(iterators_->size()), true});
    add({"instances", instances_.load(), true});
  });
  serve_administration();
  tell_reference();
  if (store_.shared()) {
    store_.announce(to_text(references_->own_addresses()));
    look_for_instances();
  }
  iterators_->when_first([this] { rest_.tell(); });
  housekeeper_ = std::thread([this] { keep_house(); });
}

PortableServer::POA_var Service::make_adapter(PortableServer::POA_ptr root_poa) {
  const PortableServer::POAManager_var manager = root_poa->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(5);
  policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = root_poa->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[3] = root_poa->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[4] = root_poa->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POA_var out = root_poa->create_POA("NameService", manager.in(), policies);
  // A root that every service takes for its own, until the store has told the identity.
  const CORBA::Object_var root = References(out.in(), 0).context(kRoot);
  orb_->register_initial_reference(kInitialReference, root.in());
  return out;
}

void Service::serve_administration() {
  const PortableServer::POA_var adapter = services::make_adapter(
      poa_.in(), "administration", false, new Administration(directory_, *references_, options_.readonly));
  const CORBA::Object_var object =
      services::make_reference(adapter.in(), 0, CallisNaming::Administration::_repository_id());
  orb_->register_initial_reference(Administration::kKey, object.in());
}

Service::~Service() {
  rest_.end();
  housekeeper_.join();
  gauges_.reset();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
}

void Service::look_for_instances() {
  std::vector<ior::Address> all;
  std::int64_t count = 0;
  for (const std::string& text : store_.instances()) {
    ++count;
    for (ior::Address& a : addresses_in(text)) all.push_back(std::move(a));
  }
  instances_ = count;
  if (references_->set_others(std::move(all))) tell_reference();
}

void Service::tell_reference() {
  auto& core = *static_cast<orb::Core*>(orb_.in());
  (void)orb::RegisteredReferences::replace(core, kInitialReference, reference().in());
}

// A shared store does not tell of other instances; without one there is nothing to look for.
void Service::keep_house() {
  const auto next = [this] {
    const services::Rest::Time soon = std::chrono::steady_clock::now() + options_.every;
    return store_.shared() ? soon : std::max(iterators_->first_due(), soon);
  };
  for (bool unreachable = false; rest_.until(next());) {
    iterators_->reap(std::chrono::steady_clock::now());
    if (!store_.shared()) continue;
    try {
      look_for_instances();
      unreachable = false;
    } catch (const std::exception& e) {
      if (!std::exchange(unreachable, true))
        log(LogLevel::Warning, {"naming: the other instances are not known for now: ", e.what()});
    }
  }
}

}  // namespace callis::naming
