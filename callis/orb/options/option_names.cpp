// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/options/option_names.h>
#include <array>

namespace callis::orb {
namespace {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

// All names, each with its end: pointers to them would take more room than most.
constexpr std::size_t length(const char* s) { return std::char_traits<char>::length(s) + 1; }
consteval std::size_t names_bytes() {
  std::size_t n = 0;
  for (const OptionSpec& s : kOptionList) n += length(s.name);
  return n;
}
consteval auto pack_names() {
  std::array<char, names_bytes()> all{};
  std::size_t n = 0;
  const auto add = [&](const char* s) {
    for (; *s; ++s) all[n++] = *s;
    ++n;
  };
  for (const OptionSpec& s : kOptionList) add(s.name);
  return all;
}
constexpr auto kNames = pack_names();

constexpr std::size_t kLongest = 40;

// Small letters without underscores; empty when it is longer than any name.
std::string_view folded(std::string_view name, char (&into)[kLongest]) {
  std::size_t n = 0;
  for (const char c : name) {
    if (c == '_') continue;
    if (n == kLongest) return {};
    into[n++] = to_lower(c);
  }
  return {into, n};
}

}  // namespace

bool same_option_name(std::string_view text, const char* name) {
  for (const char c : text) {
    if (c == '_') continue;
    if (to_lower(c) != to_lower(*name)) return false;  // also at its end
    ++name;
  }
  return !*name;
}

FoundOption find_option(std::string_view name) {
  const char* at = kNames.data();
  for (std::size_t i = 0; i < kOptions; ++i, at += length(at))
    if (same_option_name(name, at)) return {i};
  return CALLIS_HAS(settings) ? find_synonym(name) : FoundOption{};
}

std::size_t nearest_option(std::string_view name) {
  char wrong[kLongest], right[kLongest];
  const std::string_view given = folded(name, wrong);
  std::size_t nearest = kNoOption, least = given.size() / 3 + 1;
  const char* at = kNames.data();
  for (std::size_t i = 0; i < kOptions; ++i, at += length(at)) {
    const std::size_t d = edit_distance(given, folded(at, right));
    if (d >= least) continue;
    least = d;
    nearest = i;
  }
  return given.empty() ? kNoOption : nearest;
}

std::string option_name(std::size_t option, OptionSource spelling) {
  const char* name = kNames.data();
  for (; option; --option) name += length(name);
  return option_name_of(name, spelling);
}

std::string option_name_of(const char* name, OptionSource spelling) {
  if (spelling == OptionSource::CommandLine) return concat({"-ORB", name});
  const bool environment = spelling == OptionSource::Environment;
  if (environment && same_option_name("ConfigFile", name)) return "CALLIS_CONFIG";
  std::string out = environment ? "CALLIS_" : "";
  for (const char* c = name; *c; ++c) {
    // A word begins after a small letter, and before the last of several capitals.
    if (c != name && is_upper(*c) && (!is_upper(c[-1]) || (c[1] && !is_upper(c[1])))) out += '_';
    out += environment ? static_cast<char>(to_lower(*c) - ('a' - 'A')) : to_lower(*c);
  }
  return out;
}

}  // namespace callis::orb
