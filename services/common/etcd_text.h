// SPDX-License-Identifier: Apache-2.0
// Texts of etcd's HTTP/JSON gateway: addresses, keys and values of any bytes as base64, ranges of keys.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace callis::services::etcd {

using Json = nlohmann::json;

// Returns an answer as a value. The value is discarded (is_discarded()) if the text is no JSON, is nested more than
// kMostNesting deep, or has more than most_values values. So the memory for the value is bounded before the value is
// made.
inline constexpr std::size_t kMostNesting = 32;
Json parse(std::string_view text, std::size_t most_values);

// Returns a text of etcd's for a line of a log: printable, and at most kMostWords bytes.
inline constexpr std::size_t kMostWords = 500;
std::string words_of(std::string_view text);

// The parts of "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]".
struct Address {
  std::vector<std::string> endpoints;  // "HOST:PORT", at least one
  std::string prefix;                  // without '/' at its ends; empty: none was given
};
// Throws StoreFailed::Unknown, with what is wrong.
Address parse_address(const std::string& where);

std::string to_base64(std::string_view bytes);
// Throws std::invalid_argument if the text is no base64.
std::string from_base64(std::string_view text);

// Returns the end of the range of all keys that begin with `prefix`, which is not empty.
std::string end_of(std::string_view prefix);

// Returns a member of an answer. Numbers of 64 bits are texts there, and zeros are left out. Throws
// std::invalid_argument.
std::uint64_t number(const Json& object, const char* member);
// Returns a member that is base64; empty if the answer has no such member.
std::string bytes(const Json& object, const char* member);

// {"key": ..., "range_end": ...}
Json range_of(std::string_view prefix);

}  // namespace callis::services::etcd
