// SPDX-License-Identifier: Apache-2.0
// Keys of the store (sets.h). Any thread.
#pragma once
#include <callis/base/text.h>
#include <services/common/numbered_objects.h>
#include <string>
#include <string_view>

namespace callis::properties {

inline constexpr std::string_view kSets = "set/", kValues = "value/", kTurns = "turn/", kNames = "name/";

inline std::string key_of_set(std::uint64_t number) { return concat({kSets, services::digits_of(number)}); }
inline std::string key_of_turn(std::uint64_t number) { return concat({kTurns, services::digits_of(number)}); }
inline std::string key_of_name(std::string_view name) { return concat({kNames, name}); }
inline std::string key_of_value(std::uint64_t number, std::string_view name) {
  return concat({kValues, services::digits_of(number), "/", name});
}

// Of value/NUMBER/NAME.
struct ValueKey {
  std::uint64_t number;
  std::string name;
};
// Nothing where it is none.
inline std::optional<ValueKey> value_key(std::string_view key) {
  if (!key.starts_with(kValues)) return {};
  key.remove_prefix(kValues.size());
  const auto number = services::number_of(key.substr(0, 16));
  if (!number || key.size() < 18 || key[16] != '/') return {};
  return ValueKey{*number, std::string(key.substr(17))};
}
// The number in PREFIX NUMBER.
inline std::optional<std::uint64_t> number_in(std::string_view key, std::string_view prefix) {
  if (!key.starts_with(prefix)) return {};
  return services::number_of(key.substr(prefix.size()));
}

}  // namespace callis::properties
