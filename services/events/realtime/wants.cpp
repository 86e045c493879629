// SPDX-License-Identifier: Apache-2.0
#include <services/events/realtime/wants.h>
#include <string_view>

namespace callis::events {
namespace {

std::string too_many(std::string_view what, std::size_t has, std::size_t may) {
  return std::string(what) + " are " + std::to_string(has) + ", and may be " + std::to_string(may);
}

std::string why_refused(const Term& term, const WantsLimits& limits) {
  if (term.kind == Term::Kind::Event) {
    if (term.type != kTimeout) return "";
    return "events of type 4294967295 are the channel's own timeouts: ask for an interval or a deadline";
  }
  if (term.period >= limits.shortest && term.period <= limits.longest) return "";
  return "its period is " + std::to_string(term.period.count()) + " ms, and must be " +
         std::to_string(limits.shortest.count()) + " to " + std::to_string(limits.longest.count()) + " ms";
}

std::string why_refused(const Group& group, const WantsLimits& limits) {
  if (group.terms.empty()) return "it has no terms";
  if (group.terms.size() > limits.terms) return too_many("its terms", group.terms.size(), limits.terms);
  std::size_t deadlines = 0;
  for (std::size_t i = 0; i < group.terms.size(); ++i) {
    if (const std::string why = why_refused(group.terms[i], limits); !why.empty()) {
      return "term " + std::to_string(i + 1) + ": " + why;
    }
    deadlines += group.terms[i].kind == Term::Kind::Deadline;
  }
  if (deadlines == group.terms.size()) return "a deadline needs an event or an interval beside it that it waits for";
  if (deadlines > 1) return "it has " + std::to_string(deadlines) + " deadlines: the shortest is enough";
  return "";
}

}  // namespace

std::string why_refused(const Wants& wants, const WantsLimits& limits) {
  if (wants.groups.empty()) return "the consumer asks for nothing: it has no group of terms";
  if (wants.groups.size() > limits.groups) {
    return too_many("the consumer's groups", wants.groups.size(), limits.groups);
  }
  for (std::size_t i = 0; i < wants.groups.size(); ++i) {
    if (const std::string why = why_refused(wants.groups[i], limits); !why.empty()) {
      return "group " + std::to_string(i + 1) + ": " + why;
    }
  }
  return "";
}

}  // namespace callis::events
