// SPDX-License-Identifier: Apache-2.0
// Criteria (Life Cycle Service 1.2, 2.3.3): what factories are asked for beside the kind of the object.
//
//   criterion           value                    meaning
//   filter              string                   a constraint on a home's properties: "cpus >= 4"
//   logical location    sequence<NameValuePair>  names and values that the home's location must have
//   preferences         string                   of several homes: "max cpus", "with fast"
//   initialization      any                      what a new object is made of
//
// Texts are in the languages of annex B of the Trading Object Service 1.0. InvalidCriteria is thrown for a criterion
// of another name or value, a text that is no constraint, and a repeated name. CannotMeetCriteria is thrown for
// criteria that no home fulfils, and for `initialization` of an object that brings its own state. Both hold the
// criteria in question.
#pragma once
#include <callis/corba.h>
#include <services/constraints/constraint.h>
#include <services/constraints/preference.h>
#include <string>
#include <vector>
#include "CallisLifeCycle.h"

namespace callis::life_cycle {

// Read once, never changed. Any thread.
class Wanted final {
 public:
  enum class For { Creation, Move };  // Move: and copies
  // Throws InvalidCriteria and CannotMeetCriteria.
  Wanted(const CosLifeCycle::Criteria& criteria, For purpose);
  // Of tk_null where there is none.
  const CORBA::Any& initialization() const { return initialization_; }
  // Those that the place does not meet.
  CosLifeCycle::Criteria unmet_by(const CallisLifeCycle::Place& place) const;
  // Throws CannotMeetCriteria.
  void check(const CallisLifeCycle::Place& place) const;
  // The preferred one first, as indexes.
  std::vector<std::size_t> order(const std::vector<CallisLifeCycle::Place>& places) const;

 private:
  CORBA::Any initialization_;
  constraints::Constraint filter_;
  constraints::Preference preference_;
  CosLifeCycle::Criteria location_, filter_given_, location_given_;
};

}  // namespace callis::life_cycle
