// SPDX-License-Identifier: Apache-2.0
// Properties for tests: pairs of names and values.
#pragma once
#include <services/constraints/properties.h>
#include <string>
#include <utility>
#include <vector>

namespace callis::constraints {

class List final : public Sequence {
 public:
  explicit List(std::vector<Value> all) : all_(std::move(all)) {}
  std::size_t size() const override { return all_.size(); }
  Value at(std::size_t i) const override { return all_[i]; }

 private:
  const std::vector<Value> all_;
};

inline const List kFloors({Value::integer(1), Value::integer(2), Value::integer(4)});
inline const List kInks({Value::text("blue"), Value::text("red")});

class Given final : public Properties {
 public:
  using All = std::vector<std::pair<std::string, Value>>;
  Given(const std::vector<std::string>& names, const All& all) : names_(names), all_(all) {}
  Value get(std::size_t name) const override {
    for (const auto& [known, value] : all_) {
      if (known == names_[name]) return value;
    }
    return {};
  }

 private:
  const std::vector<std::string>& names_;
  const All& all_;
};

}  // namespace callis::constraints
