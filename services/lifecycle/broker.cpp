// SPDX-License-Identifier: Apache-2.0
// How a broker finds factories, and has one of them make an object.
#include <callis/base/log.h>
#include <callis/deadline.h>
#include <services/lifecycle/broker.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/finder.h>
#include <algorithm>
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
                                                       std::chrono::milliseconds answer,
                                                       const services::OperationTime& time,
                                                       CosLifeCycle::Criteria& unmet) {
  std::vector<CosLifeCycle::GenericFactory_var> homes, others, out;
  std::vector<CallisLifeCycle::Place> places;
  for (CORBA::ULong i = 0; i < found.length(); ++i) {
    time.check();
    // Half of the time is for finding out who there is, and half for having the object made.
    const ThreadDeadline limit(time.part(answer, 2 * (found.length() - i)));
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

Broker::Broker(std::vector<Finder> finders, const Limits& limits) : finders_(std::move(finders)), limits_(limits) {}

CosLifeCycle::Factories* Broker::find(const CosLifeCycle::Key& key, const services::OperationTime& time) {
  CosLifeCycle::Factories_var out = new CosLifeCycle::Factories;
  std::size_t left = finders_.size() + 1;  // those that are to be asked, and who asks what they have found
  for (const Finder& finder : finders_) {
    const auto part = std::chrono::ceil<std::chrono::milliseconds>(time.part(limits_.answer, left--));
    try {
      auto* const timed = dynamic_cast<TimedFinder*>(finder.in());
      CosLifeCycle::Factories_var found;
      if (timed) {
        found = timed->find(key, part, time);
      } else {
        const ThreadDeadline limit(part);
        found = finder->find_factories(key);
      }
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
  if (out->length() == 0) time.check();
  if (out->length() == 0) throw CosLifeCycle::NoFactory(key);
  return out._retn();
}

CosLifeCycle::Factories* Broker::find_factories(const CosLifeCycle::Key& key) {
  const auto held = begin();
  return find(key, services::OperationTime(limits_.operation));
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
  const auto held = begin();
  const services::OperationTime time(limits_.operation);
  const CosLifeCycle::Factories_var found = find(key, time);
  CosLifeCycle::Criteria unmet;
  const auto factories = in_order(found.in(), wanted, limits_.answer, time, unmet);
  std::size_t left = factories.size();
  for (const CosLifeCycle::GenericFactory_var& factory : factories) {
    time.check();
    const ThreadDeadline limit(time.part(limits_.answer, left--));
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
