// SPDX-License-Identifier: Apache-2.0
// Files of JSON: what is wrong with one is refused with its place. Bounded in bytes, depth and values.
#pragma once
#include <services/json/json.h>
#include <services/scheduling/refused.h>
#include <cstddef>
#include <string>
#include <string_view>

namespace callis::scheduling {

using json::Json;

inline constexpr json::JsonLimits kJsonLimits{.levels = 32, .values = 2'000'000, .bytes = 64u << 20};

// Refuses as refuse_at() does.
Json read_json(std::string_view text, const std::string& file);

// "file:line:column"
std::string place_text(const std::string& file, const json::Place& where);
// "file:line:column: error: text"
[[noreturn]] void refuse_at(const std::string& file, const json::Place& where, const std::string& text,
                            Refused::Kind kind = Refused::Kind::BadValue);

// What readers of a parsed file share: refusals with a place, and the kind that a value has to be. file outlives it.
class JsonFile {
 protected:
  explicit JsonFile(const std::string& file) : file_(file) {}
  ~JsonFile() = default;

  [[noreturn]] void refuse(const Json& at, const std::string& text) const { refuse_at(file_, at.where, text); }
  void want(const Json& value, Json::Kind kind, const std::string& what) const {
    if (value.kind != kind)
      refuse(value, what + " is " + std::string(kind_word(kind)) + ", not " + std::string(kind_word(value.kind)));
  }

  const std::string& file_;
};

}  // namespace callis::scheduling
