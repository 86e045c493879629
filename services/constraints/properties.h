// SPDX-License-Identifier: Apache-2.0
// Properties: where a constraint finds the values of its names: an offer's properties, a log record's fields.
#pragma once
#include <services/constraints/value.h>

namespace callis::constraints {

class Properties {
 public:
  virtual ~Properties() = default;
  // Of the name names()[name] of the constraint or preference that is evaluated; Missing where there is none. What
  // the value refers to must live until the evaluation is over. May throw; the evaluation passes it on.
  virtual Value get(std::size_t name) const = 0;
  // For `exist`. Need not know the value.
  virtual bool has(std::size_t name) const { return !get(name).is_missing(); }
};

}  // namespace callis::constraints
