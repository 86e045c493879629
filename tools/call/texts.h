// SPDX-License-Identifier: Apache-2.0
// Numbers and characters as text, and the names of JSON here.
#pragma once
#include <services/json/json.h>
#include <string>
#include <string_view>

namespace callis::tools {

using json::Json;
using json::JsonError;
using json::parse_json;

bool is_utf8(std::string_view text);
// False for what is no code point of Unicode: surrogates, say.
bool append_utf8(std::string& to, char32_t c);
// Of valid UTF-8.
std::u32string from_utf8(std::string_view text);

// The shortest digits that give the value again; NaN, Infinity and -Infinity, and what is no double, as strings.
template<class T>
Json floating(T value);
extern template Json floating(float);
extern template Json floating(double);
extern template Json floating(long double);
// Of a JSON number or string. False: no number, or too large.
template<class T>
bool read_floating(const std::string& text, T& value);
extern template bool read_floating(const std::string&, float&);
extern template bool read_floating(const std::string&, double&);
extern template bool read_floating(const std::string&, long double&);

}  // namespace callis::tools
