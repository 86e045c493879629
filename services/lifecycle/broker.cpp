// SPDX-License-Identifier: Apache-2.0
// How a broker finds factories, and has one of them make an object.
#include <callis/base/log.h>
#include <callis/deadline.h>
#include <services/lifecycle/broker.h>
#include <services/lifecycle/criteria.h>
#include <string_view>

namespace callis::life_cycle {

namespace {

constexpr CORBA::ULong kMostFactories = 100;

// Those that this service knows; a factory may know others.
CosLifeCycle::Criteria known_of(const CosLifeCycle::Criteria& criteria) {
  CosLifeCycle::Criteria out;
  for (CORBA::ULong i = 0; i < criteria.length(); ++i) {
    const std::string_view name = criteria[i].name.in();
    if (name != "filter" && name != "logical location" && name != "preferences") continue;
    const CORBA::ULong n = out.length();
    out.length(n + 1);
    out[n] = criteria[i];
  }
  return out;
}

bool has_factory(const CosLifeCycle::Factories& all, CORBA::Object_ptr one) {
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    if (all[i]->_is_equivalent(one)) return true;
  return false;
}

// Factories in the order in which they are asked; unmet: what those that are left out do not meet.
std::vector<CosLifeCycle::GenericFactory_var> in_order(const CosLifeCycle::Factories& found, const Wanted& wanted,
                                                       CosLifeCycle::Criteria& unmet) {
  std::vector<CosLifeCycle::GenericFactory_var> homes, others, out;
  std::vector<CallisLifeCycle::Place> places;
  for (CORBA::ULong i = 0; i < found.length(); ++i) {
    try {
      const CosLifeCycle::GenericFactory_var factory = CosLifeCycle::GenericFactory::_narrow(found[i]);
      if (CORBA::is_nil(factory.in())) continue;
      const CallisLifeCycle::Residence_var home = CallisLifeCycle::Residence::_narrow(found[i]);
      if (CORBA::is_nil(home.in())) {
        others.push_back(factory);
        continue;
      }
      const CallisLifeCycle::Place_var place = home->describe();
      const CosLifeCycle::Criteria misses = wanted.unmet_by(place.in());
      if (misses.length() != 0) {
        unmet = misses;
        continue;
      }
      homes.push_back(factory);
      places.push_back(place.in());
    } catch (const CORBA::SystemException& e) {
      log(LogLevel::Warning, {"a factory does not answer: ", e.what()});
    }
  }
  for (const std::size_t i : wanted.order(places)) out.push_back(homes[i]);
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

}  // namespace

Broker::Broker(std::vector<Finder> finders, std::chrono::milliseconds answer)
    : finders_(std::move(finders)), answer_(answer) {}

CosLifeCycle::Factories* Broker::find_factories(const CosLifeCycle::Key& key) {
  const ThreadDeadline limit(answer_);
  CosLifeCycle::Factories_var out = new CosLifeCycle::Factories;
  for (const Finder& finder : finders_) {
    try {
      const CosLifeCycle::Factories_var found = finder->find_factories(key);
      for (CORBA::ULong i = 0; i < found->length() && out->length() < kMostFactories; ++i) {
        if (CORBA::is_nil(found[i]) || has_factory(out.in(), found[i])) continue;
        const CORBA::ULong n = out->length();
        out->length(n + 1);
        out[n] = CORBA::Object::_duplicate(found[i]);
      }
    } catch (const CosLifeCycle::NoFactory&) {
      continue;
    } catch (const CORBA::SystemException& e) {
      log(LogLevel::Warning, {"a naming service or a trader does not answer: ", e.what()});
    }
  }
  if (out->length() == 0) throw CosLifeCycle::NoFactory(key);
  return out._retn();
}

CORBA::Boolean Broker::supports(const CosLifeCycle::Key& key) {
  try {
    const CosLifeCycle::Factories_var found = find_factories(key);
    return found->length() != 0;
  } catch (const CosLifeCycle::NoFactory&) {
    return false;
  }
}

CORBA::Object_ptr Broker::create_object(const CosLifeCycle::Key& key, const CosLifeCycle::Criteria& criteria) {
  const Wanted wanted(known_of(criteria), Wanted::For::Creation);
  const CosLifeCycle::Factories_var found = find_factories(key);
  const ThreadDeadline limit(answer_);
  CosLifeCycle::Criteria unmet;
  for (const CosLifeCycle::GenericFactory_var& factory : in_order(found.in(), wanted, unmet)) {
    try {
      return factory->create_object(key, criteria);
    } catch (const CosLifeCycle::NoFactory&) {
      continue;
    } catch (const CosLifeCycle::CannotMeetCriteria& e) {
      unmet = e.unmet_criteria;
    } catch (const CORBA::SystemException& e) {
      if (e.completed() != CORBA::COMPLETED_NO) throw;
      log(LogLevel::Warning, {"a factory does not make an object, and the next one is asked: ", e.what()});
    }
  }
  if (unmet.length() != 0) throw CosLifeCycle::CannotMeetCriteria(unmet);
  throw CosLifeCycle::NoFactory(key);
}

}  // namespace callis::life_cycle
