// SPDX-License-Identifier: Apache-2.0
// The adapters, the objects in them, and the thread that reaps iterators.
#include <services/trading/service.h>
#include <algorithm>

namespace callis::trading {

services::StoreKind store_kind() { return {.name = "trading", .schema = 1, .migrations = {}}; }

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store,
                 services::Counters& counters, const ServiceOptions& options)
    : options_(options),
      orb_(CORBA::ORB::_duplicate(orb)),
      market_(orb, store, options.market),
      dynamic_(options.dynamic, market_.keeper(), counters),
      federation_(options.federation, market_.keeper(), counters) {
  market_.set_call([this](CORBA::Object_ptr object, std::function<void()> call, std::chrono::nanoseconds limit) {
    federation_.call(object, std::move(call), limit);
  });
  const PortableServer::POAManager_var manager = root_poa->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
  poa_ = root_poa->create_POA("Trading", manager.in(), policies);
  iterators_ = std::make_unique<Iterators>(poa_.in());
  services_ = std::make_unique<Services>(Services{
      market_, dynamic_, federation_, *iterators_, counters.counter("queries"), counters.counter("queries_by_index"),
      counters.counter("offers_looked_at"), counters.counter("offers_returned")});
  CORBA::Object_var object = activate("lookup", new LookupServant(parts_, *services_));
  orb_->register_initial_reference(kInitialReference, object.in());
  parts_.lookup = CosTrading::Lookup::_unchecked_narrow(object.in());
  object = activate("register", new RegisterServant(parts_, market_, federation_));
  parts_.registering = CosTrading::Register::_unchecked_narrow(object.in());
  object = activate("link", new LinkServant(parts_, market_, options.admin, federation_));
  parts_.link = CosTrading::Link::_unchecked_narrow(object.in());
  object = activate("proxy", new ProxyServant(parts_, market_));
  parts_.proxy = CosTrading::Proxy::_unchecked_narrow(object.in());
  object = activate("admin", new AdminServant(parts_, market_, *iterators_, options.admin));
  parts_.admin = CosTrading::Admin::_unchecked_narrow(object.in());
  object = activate("types", new RepositoryServant(market_.types(), options.market.operation));
  parts_.types = Repository::_unchecked_narrow(object.in());
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    add({"offers", static_cast<std::int64_t>(market_.catalogue().size()), true});
    add({"proxies", static_cast<std::int64_t>(market_.catalogue().proxies()), true});
    add({"types", static_cast<std::int64_t>(market_.types().size()), true});
    add({"links", static_cast<std::int64_t>(market_.links().size()), true});
    add({"iterators", static_cast<std::int64_t>(iterators_->size()), true});
  });
  iterators_->when_first([this] { rest_.tell(); });
  housekeeper_ = std::thread([this] { keep_house(); });
}

CORBA::Object_var Service::activate(const char* id, PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId(id);
  poa_->activate_object_with_id(oid.in(), servant);
  return poa_->id_to_reference(oid.in());
}

void Service::stop() {
  dynamic_.stop();
  federation_.stop();
}

Service::~Service() {
  rest_.end();
  housekeeper_.join();
  stop();
  gauges_.reset();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
}

void Service::keep_house() {
  while (rest_.until(std::max(iterators_->first_due(), std::chrono::steady_clock::now() + kEvery)))
    iterators_->reap(std::chrono::steady_clock::now());
}

}  // namespace callis::trading
