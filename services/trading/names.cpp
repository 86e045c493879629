// SPDX-License-Identifier: Apache-2.0
#include <services/trading/names.h>
#include <algorithm>

namespace callis::trading {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool has_size(std::string_view name) { return !name.empty() && name.size() <= kMostNameBytes; }

constexpr std::string_view kWords[] = {"and", "or",   "not",    "exist", "in",   "min",
                                       "max", "with", "random", "first", "TRUE", "FALSE"};

}  // namespace

bool is_policy_name(std::string_view name) {
  return has_size(name) && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_property_name(std::string_view name) {
  return is_policy_name(name) && std::find(std::begin(kWords), std::end(kWords), name) == std::end(kWords);
}

bool is_type_name(std::string_view name) {
  if (!has_size(name)) return false;
  const std::string_view rest = name.starts_with("::") ? name.substr(2) : name;
  return !rest.empty() && is_letter(rest.front()) && std::all_of(rest.begin(), rest.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_:./-").find(c) != std::string_view::npos;
  });
}

bool is_link_name(std::string_view name) {
  return has_size(name) && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace callis::trading
