// SPDX-License-Identifier: Apache-2.0
// JSON (RFC 8259) that remembers where each value stands, so that what is wrong with its meaning can be told by line
// and column, too. Bounded in bytes, depth and values.
#pragma once
#include <services/scheduling/refused.h>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callis::scheduling {

// From 1 on; columns count bytes.
struct Place {
  std::size_t line = 1, column = 1;
};

struct JsonValue {
  enum class Kind { Null, Boolean, Number, String, Array, Object };
  struct Name {
    std::string text;
    Place where;
  };

  Kind kind = Kind::Null;
  Place where;
  bool truth = false;
  std::string text;              // Number: as it is written; String: UTF-8
  std::vector<JsonValue> items;  // of an Object the values of its members
  std::vector<Name> names;       // of an Object, one for each item; each once

  // The member, or nullptr.
  const JsonValue* find(std::string_view name) const;
};
// "a string", "an object", ... for messages.
std::string_view kind_word(JsonValue::Kind kind);

inline constexpr std::size_t kMostJsonBytes = 64u << 20, kMostJsonDepth = 32, kMostJsonValues = 2'000'000;

// One value and nothing behind it but blanks. Refuses as refuse_at() does.
JsonValue parse_json(std::string_view text, const std::string& file);

// "file:line:column"
std::string place_text(const std::string& file, const Place& where);
// "file:line:column: error: text"
[[noreturn]] void refuse_at(const std::string& file, const Place& where, const std::string& text,
                            Refused::Kind kind = Refused::Kind::BadValue);

// What readers of a parsed file share: refusals with a place, and the kind that a value has to be. file outlives it.
class JsonFile {
 protected:
  explicit JsonFile(const std::string& file) : file_(file) {}
  ~JsonFile() = default;

  [[noreturn]] void refuse(const JsonValue& at, const std::string& text) const { refuse_at(file_, at.where, text); }
  void want(const JsonValue& value, JsonValue::Kind kind, const std::string& what) const {
    if (value.kind != kind)
      refuse(value, what + " is " + std::string(kind_word(kind)) + ", not " + std::string(kind_word(value.kind)));
  }

  const std::string& file_;
};

// A string as JSON has it, with its quotes, in ASCII but for UTF-8 as it is. Bytes that are no UTF-8 are taken for
// ISO 8859-1.
std::string json_quoted(std::string_view text);

}  // namespace callis::scheduling
