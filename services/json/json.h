// SPDX-License-Identifier: Apache-2.0
// JSON (RFC 8259) as values that know where they stand, so that what is wrong with the meaning of one can be told by
// line and column, too. Digits of numbers and the order of members stay as they are written. One thread at a time.
//
//   const auto parsed = json::parse_json(text);
//   if (const auto* error = std::get_if<json::JsonError>(&parsed)) ... error->said() ...
//
// A file that only writes JSON needs callis/base/json_text.h alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callis::json {

// Lines and columns begin at 1; columns count bytes.
struct Place {
  std::size_t line = 1, column = 1;
};

struct Json {
  enum class Kind { Null, Boolean, Number, String, Array, Object };
  struct Name {
    std::string text;
    Place where;
  };

  Kind kind = Kind::Null;
  bool truth = false;
  Place where;              // of a value that has been read
  std::string text;         // Number: as it is written; String: its characters in UTF-8
  std::vector<Json> items;  // of an Array; of an Object the values of its members
  std::vector<Name> names;  // of an Object, one for each item

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

// "a string", "an object", ... for messages.
std::string_view kind_word(Json::Kind kind);
// "the number 5": kind and, cut short, the value; for messages. One line of printable characters.
std::string describe(const Json& json);

struct JsonError {
  Place where;
  std::string text;  // one line of printable characters

  // "line 1, column 5: text"
  std::string said() const;
};

// Arrays and objects may lie in each other this deep. Values that go over the wire have 64 levels.
inline constexpr std::size_t kMostJsonLevels = 400;

struct JsonLimits {
  std::size_t levels = kMostJsonLevels;
  std::size_t values = SIZE_MAX;
  std::size_t bytes = SIZE_MAX;
};

// One value and nothing behind it; a byte order mark in front is passed over. A name that stands twice in an object
// is an error.
std::variant<Json, JsonError> parse_json(std::string_view text, const JsonLimits& limits = {});

// The text has no line end. pretty: in lines, with indentation.
std::string to_text(const Json& json, bool pretty);

}  // namespace callis::json
