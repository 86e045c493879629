// SPDX-License-Identifier: Apache-2.0
// Type: what is known of a value before it is there: of literals always, of properties where somebody has declared
// them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace callis::constraints {

// Unknown: found out at each evaluation, where a value that does not fit makes the expression undefined. The
// sequences are those of elements of the type before.
enum class Type : std::uint8_t { Unknown, Boolean, Number, Text, Booleans, Numbers, Texts, Other };

// "a number", "a sequence of numbers".
std::string_view to_words(Type type);

// Of a name in the text. Nothing: there is no such name, and the text is refused. An empty function: all Unknown.
using TypeOf = std::function<std::optional<Type>(std::string_view name)>;

}  // namespace callis::constraints
