// SPDX-License-Identifier: Apache-2.0
// Values of CORBA::Any as constraints see them. What a Decoded gives out lives as long as it does.
#pragma once
#include <callis/corba.h>
#include <services/constraints/properties.h>
#include <services/constraints/type.h>
#include <memory>
#include <string>
#include <vector>

namespace callis::constraints {

// What constraints may do with values of this type; aliases are looked through. Other for what they cannot use.
Type type_of(CORBA::TypeCode_ptr type);

// The value of an Any. Shares it: nothing of the value is copied. A wrong Any is Other.
class Decoded {
 public:
  Decoded() = default;  // Missing
  explicit Decoded(const CORBA::Any& any);

  Value value() const { return value_; }

 private:
  class Elements;
  Value value_;
  std::shared_ptr<const void> kept_;  // what value_ refers to
};

// Pairs of names and Anys, for who evaluates a constraint now and then.
class AnyProperties final : public Properties {
 public:
  // names: of the constraint, which outlives this.
  explicit AnyProperties(const std::vector<std::string>& names) : names_(names), values_(names.size()) {}
  // Kept where a constraint asks for the name; passed over otherwise.
  void put(std::string_view name, const CORBA::Any& value);
  Value get(std::size_t name) const override { return values_[name].value(); }

 private:
  const std::vector<std::string>& names_;
  std::vector<Decoded> values_;
};

}  // namespace callis::constraints
