// SPDX-License-Identifier: Apache-2.0
// The adapters, their servants, and the thread that reaps iterators.
#include <callis/orb/core/core.h>
#include <services/common/numbered_objects.h>
#include <services/properties/servant.h>
#include <services/properties/service.h>
#include <algorithm>
#include <cstring>
#include "CallisProperties_skel.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

// Stands for all sets of a kind.
template <template <class> class Operations, class Skeleton>
class SetServant final : public Operations<Skeleton> {
 public:
  SetServant(Sets& sets, Iterators& iterators, bool has_modes)
      : sets_(sets), iterators_(iterators), has_modes_(has_modes) {}
  CORBA::Boolean _non_existent() override { return !known(); }

 protected:
  std::shared_ptr<Set> set() override {
    Sets::KnownPtr found = known();
    if (!found)
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the property set has been destroyed, or never was");
    Set* const set = &found->set;
    return {std::move(found), set};
  }
  Iterators& iterators() override { return iterators_; }

 private:
  Sets::KnownPtr known() const {
    const auto number = services::number_of(services::request_id());
    Sets::KnownPtr out = number ? sets_.find(*number) : nullptr;
    return out && out->has_modes == has_modes_ ? out : nullptr;
  }
  Sets& sets_;
  Iterators& iterators_;
  const bool has_modes_;
};

// Runs f, whose failures of the store become system exceptions.
template <class F>
auto answered(F&& f) {
  try {
    return f();
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

cos::PropertyDefs with_any_mode(const cos::Properties& all) {
  cos::PropertyDefs out;
  out.length(all.length());
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].property_name = all[i].property_name;
    out[i].property_value = all[i].property_value;
    out[i].property_mode = cos::undefined;
  }
  return out;
}

Bounds counted(Bounds bounds, const services::Store& store) {
  bounds.twice = store.in_memory();
  return bounds;
}

}  // namespace

class ServiceServant final : public virtual POA_CallisProperties::Service {
 public:
  explicit ServiceServant(properties::Service& service) : service_(service), sets_(service.sets_) {}

  cos::PropertySet_ptr create_propertyset() override {
    return set([&] { return sets_.make(false, {}, Constraints()); });
  }
  cos::PropertySet_ptr create_constrained_propertyset(const cos::PropertyTypes& types,
                                                      const cos::Properties& allowed) override {
    return set([&] {
      return sets_.make(false, {}, Constraints::make(types, with_any_mode(allowed), sets_.bounds()));
    });
  }
  cos::PropertySet_ptr create_initial_propertyset(const cos::Properties& initial) override {
    return set([&] { return sets_.make(false, with_any_mode(initial), false); });
  }
  cos::PropertySetDef_ptr create_propertysetdef() override {
    return def([&] { return sets_.make(true, {}, Constraints()); });
  }
  cos::PropertySetDef_ptr create_constrained_propertysetdef(const cos::PropertyTypes& types,
                                                            const cos::PropertyDefs& allowed) override {
    return def([&] { return sets_.make(true, {}, Constraints::make(types, allowed, sets_.bounds())); });
  }
  cos::PropertySetDef_ptr create_initial_propertysetdef(const cos::PropertyDefs& initial) override {
    return def([&] { return sets_.make(true, initial, true); });
  }

  cos::PropertySetDef_ptr named(const char* name) override {
    if (!*name || std::strlen(name) > properties::Service::kMostNameBytes) throw CallisProperties::BadName();
    const Sets::KnownPtr known = answered([&] { return sets_.named(name); });
    return cos::PropertySetDef::_unchecked_narrow(CORBA::Object_var(service_.reference_to(*known)).in());
  }
  cos::PropertySetDef_ptr find(const char* name) override {
    const Sets::KnownPtr known = sets_.find(std::string(name));
    if (!known) throw CallisProperties::Unknown();
    return cos::PropertySetDef::_unchecked_narrow(CORBA::Object_var(service_.reference_to(*known)).in());
  }
  void destroy(cos::PropertySet_ptr set) override {
    const auto number = number_in(set);
    if (!number || !answered([&] { return sets_.destroy(*number); })) throw CallisProperties::Unknown();
  }
  CORBA::ULongLong number_of_sets() override { return sets_.size(); }

 private:
  template <class Make>
  CORBA::Object_var made(Make&& make) {
    const Sets::KnownPtr known = answered(make);
    ++service_.created_;
    return service_.reference_to(*known);
  }
  template <class Make>
  cos::PropertySet_ptr set(Make&& make) {
    const CORBA::Object_var object = made(make);
    return cos::PropertySet::_unchecked_narrow(object.in());
  }
  template <class Make>
  cos::PropertySetDef_ptr def(Make&& make) {
    const CORBA::Object_var object = made(make);
    return cos::PropertySetDef::_unchecked_narrow(object.in());
  }
  std::optional<std::uint64_t> number_in(CORBA::Object_ptr object) const {
    if (CORBA::is_nil(object)) return {};
    for (PortableServer::POA_ptr poa : {service_.sets_poa_.in(), service_.defs_poa_.in()}) {
      try {
        const PortableServer::ObjectId_var id = poa->reference_to_id(object);
        return services::number_of({reinterpret_cast<const char*>(id->get_buffer()), id->length()});
      } catch (const PortableServer::POA::WrongAdapter&) {  // the other's, or nobody's
      }
    }
    return {};
  }

  properties::Service& service_;
  Sets& sets_;
};

services::StoreKind store_kind() { return {.name = "properties", .schema = 1, .migrations = {}}; }

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store, services::Relay* relay,
                 services::Counters& counters, const ServiceOptions& options)
    : orb_(CORBA::ORB::_duplicate(orb)),
      sets_(*static_cast<orb::Core*>(orb), store, relay, counted(options.bounds, store), options.sets),
      every_(options.every),
      created_(counters.counter("sets_created")) {
  const PortableServer::POAManager_var manager = root_poa->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
  poa_ = root_poa->create_POA("PropertyService", manager.in(), policies);
  iterators_ = std::make_unique<Iterators>(poa_.in(), options.bounds.memory);
  sets_poa_ = services::make_adapter(
      poa_.in(), "sets", true,
      new SetServant<PropertySetOperations, POA_CosPropertyService::PropertySet>(sets_, *iterators_, false));
  defs_poa_ = services::make_adapter(
      poa_.in(), "defs", true,
      new SetServant<PropertySetDefOperations, POA_CosPropertyService::PropertySetDef>(sets_, *iterators_, true));
  const PortableServer::Servant_var<ServiceServant> servant = new ServiceServant(*this);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("service");
  poa_->activate_object_with_id(id.in(), servant.in());
  reference_ = poa_->id_to_reference(id.in());
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    add({"sets", static_cast<std::int64_t>(sets_.size()), true});
    add({"properties", static_cast<std::int64_t>(sets_.properties()), true});
    add({"iterators", static_cast<std::int64_t>(iterators_->size()), true});
  });
  iterators_->when_first([this] { rest_.tell(); });
  if (const int error = housekeeper_.start({"callis-props"}, [this] { keep_house(); }))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, std::string("no thread: ") + std::strerror(error));
}

Service::~Service() {
  rest_.end();
  if (housekeeper_.joinable()) housekeeper_.join();
  gauges_.reset();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
}

CORBA::Object_ptr Service::reference_to(const Sets::Known& known) const {
  return known.has_modes
             ? services::make_reference(defs_poa_.in(), known.number, cos::PropertySetDef::_repository_id())
             : services::make_reference(sets_poa_.in(), known.number, cos::PropertySet::_repository_id());
}

void Service::keep_house() {
  while (rest_.until(std::max(iterators_->first_due(), std::chrono::steady_clock::now() + every_)))
    iterators_->reap(std::chrono::steady_clock::now());
}

}  // namespace callis::properties
