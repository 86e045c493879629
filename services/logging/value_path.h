// SPDX-License-Identifier: Apache-2.0
// A way into a value, as constraints write it: `.pump.level`, `[3].name`, `.2` (Notification Service 1.1, 2.4):
// members of structures by name or position, elements of sequences and arrays by index.
#pragma once
#include <callis/dynamic_any.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::logs {

class ValuePath final {
 public:
  static constexpr std::size_t kMostSteps = 32;

  ValuePath() = default;  // the value itself
  // Nothing: it is no such way.
  static std::optional<ValuePath> parse(std::string_view text);

  bool is_empty() const { return steps_.empty(); }
  // False: the value has no such part.
  bool follow(DynamicAny::DynAnyFactory_ptr factory, const CORBA::Any& value, CORBA::Any& part) const;

 private:
  struct Step {
    std::string name;  // empty: by index
    CORBA::Long index = 0;
  };
  static bool go(DynamicAny::DynAny_ptr value, const Step& step);

  std::vector<Step> steps_;
};

}  // namespace callis::logs
