// SPDX-License-Identifier: Apache-2.0
// How criteria are read, and what meets them.
#include <services/constraints/any_properties.h>
#include <services/lifecycle/criteria.h>
#include <sys/random.h>
#include <set>
#include <string_view>

namespace callis::life_cycle {

namespace {

constexpr std::uint64_t kMostWork = 1'000'000;

void add(CosLifeCycle::Criteria& to, const CosLifeCycle::NameValuePair& criterion) {
  const CORBA::ULong n = to.length();
  to.length(n + 1);
  to[n] = criterion;
}

template <class Language>
bool read_text(const CORBA::Any& value, Language& to) {
  const char* text = nullptr;
  if (!(value >>= text)) return false;
  try {
    to = Language::parse(text);
  } catch (const constraints::Refused&) {
    return false;
  }
  return true;
}

constraints::AnyProperties properties_of(const std::vector<std::string>& names, const CosLifeCycle::Criteria& from) {
  constraints::AnyProperties out(names);
  for (CORBA::ULong i = 0; i < from.length(); ++i) out.put(from[i].name.in(), from[i].value);
  return out;
}

bool has(const CosLifeCycle::Criteria& pairs, const CosLifeCycle::NameValuePair& wanted) {
  const constraints::Decoded value(wanted.value);
  for (CORBA::ULong i = 0; i < pairs.length(); ++i) {
    if (std::string_view(pairs[i].name.in()) != wanted.name.in()) continue;
    const constraints::Decoded there(pairs[i].value);
    if (compare(there.value(), value.value()) == constraints::Relation::Equal) return true;
  }
  return false;
}

}  // namespace

Wanted::Wanted(const CosLifeCycle::Criteria& criteria, For purpose) {
  CosLifeCycle::Criteria invalid, unmet;
  std::set<std::string_view> names;
  for (CORBA::ULong i = 0; i < criteria.length(); ++i) {
    const CosLifeCycle::NameValuePair& each = criteria[i];
    const std::string_view name = each.name.in();
    bool good = names.insert(name).second;
    if (name == "filter") {
      good = good && read_text(each.value, filter_);
      add(filter_given_, each);
    } else if (name == "preferences") {
      good = good && read_text(each.value, preference_);
    } else if (name == "logical location") {
      const CosLifeCycle::Criteria* pairs = nullptr;
      good = good && (each.value >>= pairs);
      if (good) location_ = *pairs;
      add(location_given_, each);
    } else if (name == "initialization") {
      if (purpose == For::Move) add(unmet, each);
      else initialization_ = each.value;
    } else {
      good = false;
    }
    if (!good) add(invalid, each);
  }
  if (invalid.length() != 0) throw CosLifeCycle::InvalidCriteria(invalid);
  if (unmet.length() != 0) throw CosLifeCycle::CannotMeetCriteria(unmet);
}

CosLifeCycle::Criteria Wanted::unmet_by(const CallisLifeCycle::Place& place) const {
  CosLifeCycle::Criteria out;
  constraints::Work work{kMostWork};
  bool filtered = false;
  try {
    filtered = filter_.matches(properties_of(filter_.names(), place.properties), work);
  } catch (const constraints::WorkExhausted&) {}
  if (!filtered) out = filter_given_;
  bool located = true;
  for (CORBA::ULong i = 0; i < location_.length(); ++i) located = located && has(place.location, location_[i]);
  if (!located) add(out, location_given_[0]);
  return out;
}

void Wanted::check(const CallisLifeCycle::Place& place) const {
  const CosLifeCycle::Criteria unmet = unmet_by(place);
  if (unmet.length() != 0) throw CosLifeCycle::CannotMeetCriteria(unmet);
}

std::vector<std::size_t> Wanted::order(const std::vector<CallisLifeCycle::Place>& places) const {
  std::vector<constraints::Value> ranks;
  constraints::Work work{kMostWork};
  if (preference_.needs_ranks()) {
    for (const CallisLifeCycle::Place& place : places) {
      constraints::Value rank;
      try {
        rank = preference_.rank(properties_of(preference_.names(), place.properties), work);
      } catch (const constraints::WorkExhausted&) {}
      ranks.push_back(rank);
    }
  }
  const auto random = [] {
    std::uint64_t out = 0;
    (void)!::getrandom(&out, sizeof out, 0);  // should it fail, the order is that of `places`
    return out;
  };
  return preference_.order(places.size(), ranks, random);
}

}  // namespace callis::life_cycle
