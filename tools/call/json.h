// SPDX-License-Identifier: Apache-2.0
// JSON as `callis call` reads and writes it: the digits of numbers and the order of members stay as they are written.
// One thread at a time.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callis::tools {

struct Json {
  enum class Kind { Null, Boolean, Number, String, Array, Object };

  Kind kind = Kind::Null;
  bool truth = false;
  std::string text;                // Number: its digits; String: its characters in UTF-8
  std::vector<Json> items;         // of an Array; of an Object the values of its members
  std::vector<std::string> names;  // of an Object, one for each item

  static Json boolean(bool value);
  static Json number(std::string digits);
  static Json string(std::string characters);
  static Json array();
  static Json object();
  Json& add(Json item);
  Json& add(std::string name, Json item);
  // The first member of that name, or nullptr.
  const Json* find(std::string_view name) const;
};

// "a number (5)": kind and, cut short, the value; for messages. One line of printable characters.
std::string describe(const Json& json);

struct JsonError {
  std::string text;  // "line 1, column 5: ..."
};

// Arrays and objects may lie in each other this deep. Values that go over the wire have 64 levels.
inline constexpr std::size_t kMostJsonLevels = 400;

// One value and nothing behind it. A name that stands twice in an object is an error.
std::variant<Json, JsonError> parse_json(std::string_view text);

// Without a line end. pretty: in lines, with indentation. Characters that control a terminal are written as escapes.
std::string to_text(const Json& json, bool pretty);

}  // namespace callis::tools
