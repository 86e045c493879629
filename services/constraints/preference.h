// SPDX-License-Identifier: Apache-2.0
// Preference: in which order what has matched is returned (Trading Object Service 1.0, annex B).
//
//   max EXPRESSION    descending          with CONSTRAINT   true ones before others
//   min EXPRESSION    ascending           random            by chance
//                                         first, or nothing: as they come
//
// What cannot be ranked, since a property is missing for instance, comes after all that can, as it came.
#pragma once
#include <services/constraints/constraint.h>
#include <cstddef>
#include <functional>

namespace callis::constraints {

class Preference {
 public:
  enum class Kind : std::uint8_t { First, Random, Max, Min, With };

  Preference();  // First
  // Throws Refused.
  static Preference parse(std::string_view text, const ParseOptions& options = {});

  Kind kind() const { return kind_; }
  bool needs_ranks() const { return kind_ >= Kind::Max; }
  const std::vector<std::string>& names() const;
  const std::string& text() const;

  // A number, a boolean, or Missing: not to be ranked. Owns nothing of the properties'. Throws as matches() does.
  Value rank(const Properties& properties, Work& work) const;
  // Whether a is to come before b.
  bool before(const Value& a, const Value& b) const;
  // The order of `count` things as indexes from 0. ranks: one for each where needs_ranks(), otherwise not looked at.
  // random: numbers of 64 bits; only for Random. Equal ones stay as they are. At most the first `most` are in order
  // and returned.
  std::vector<std::size_t> order(std::size_t count, const std::vector<Value>& ranks,
                                 const std::function<std::uint64_t()>& random,
                                 std::size_t most = static_cast<std::size_t>(-1)) const;

 private:
  Preference(Kind kind, std::shared_ptr<const Tree> tree);
  Kind kind_;
  std::shared_ptr<const Tree> tree_;
};

}  // namespace callis::constraints
