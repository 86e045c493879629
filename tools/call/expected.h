// SPDX-License-Identifier: Apache-2.0
// JSON that is not what was expected at its path: WrongJson says what was, and what was found.
#pragma once
#include <tools/call/mapping.h>
#include <charconv>
#include <limits>

namespace callis::tools {

// "expected ..., found ...".
[[noreturn]] void wrong(const std::string& path, const std::string& expected, const Json& found);
// A member's name as a part of a path, whoever has written it.
std::string part(const std::string& name);
// Throws WrongJson for members of other names.
void check_names(const Json& json, const std::vector<std::string>& known, const std::string& path);
// Throws WrongJson where there is none of that name.
const Json& member(const Json& json, const std::string& name, const std::string& path);

// A JSON number, or a string of the digits.
template<class T>
T integer(const Json& json, const std::string& path) {
  T value{};
  if (json.kind == Json::Kind::Number || json.kind == Json::Kind::String) {
    const char *begin = json.text.data(), *end = begin + json.text.size();
    const auto [last, error] = std::from_chars(begin, end, value);
    if (error == std::errc() && last == end) return value;
  }
  wrong(path,
        "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
            std::to_string(std::numeric_limits<T>::max()),
        json);
}

}  // namespace callis::tools
