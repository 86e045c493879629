// SPDX-License-Identifier: Apache-2.0
// The table of options, and what is in force, as text.
#include <callis/base/text.h>
#include <callis/transport/transport.h>
#include <tools/config/report.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace callis::tools {

using orb::EndpointOption;
using orb::kOptionList;
using orb::kOptions;
using orb::option_name;
using orb::OptionKind;
using orb::Options;
using orb::OptionSource;
using orb::OptionSpec;

namespace {

std::uint64_t number_in(const Options& o, const OptionSpec& s) {
  std::uint64_t n = 0;
  std::memcpy(&n, reinterpret_cast<const char*>(&o) + s.field, s.bytes);
  if constexpr (std::endian::native == std::endian::big) n >>= 8 * (8 - s.bytes);
  return n;
}

std::string octal(std::uint64_t n) {
  std::string digits;
  for (; n != 0; n /= 8) digits.insert(digits.begin(), static_cast<char>('0' + n % 8));
  return "0" + digits;
}

// The nth of the words between '|'; empty when there are not as many.
std::string word(std::string_view words, std::uint64_t n) {
  for (; n != 0; --n) {
    const std::size_t end = words.find('|');
    if (end == words.npos) return {};
    words.remove_prefix(end + 1);
  }
  return std::string(words.substr(0, words.find('|')));
}

void add(std::string& list, const std::string& one) {
  if (!list.empty()) list += ' ';
  list += one;
}

std::string endpoints_text(const Options& o) {
  std::string all;
  for (const EndpointOption& e : o.endpoints) add(all, e.address.text());
  return all.empty() ? "tcp:" : all;
}

std::string published_text(const Options& o) {
  std::string all;
  for (const EndpointOption& e : o.endpoints)
    for (const ior::Address& a : e.publish) add(all, a.port ? transport::address_text(a.host, a.port) : a.host);
  return all;
}

std::string initial_references_text(const Options& o) {
  std::string all;
  for (const auto& [id, uri] : o.initial_references) add(all, id + "=" + uri);
  return all;
}

// What stands behind the name: "MILLISECONDS", "none|transport|...", "tcp:host:port ..."
std::string form(const OptionSpec& s) {
  if (s.kind != OptionKind::Number && s.kind != OptionKind::Octal) return s.wants;
  return *s.unit ? s.unit : "number";
}

// The bounds of a number, where they say more than its type.
std::string bounds(const OptionSpec& s) {
  if (s.kind != OptionKind::Number || (s.least <= 1 && s.most == orb::option_list::kMost)) return {};
  std::string text = s.or_zero ? "0, " : "";
  text += std::to_string(s.least);
  return text + (s.most == orb::option_list::kMost ? " or more" : " to " + std::to_string(s.most));
}

std::string in_table(std::string text) {  // '|' would end a cell
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

struct Sources : orb::OptionWatcher {
  std::array<std::string, kOptions> where;
  void took(std::size_t option, std::string_view, std::string_view from) override {
    const bool list = kOptionList[option].kind == OptionKind::InitRef && !where[option].empty();
    where[option] = list && where[option] != from ? where[option] + ", " + std::string(from) : std::string(from);
  }
};

}  // namespace

std::string value_text(const Options& o, std::size_t option) {
  const OptionSpec& s = kOptionList[option];
  switch (s.kind) {
    case OptionKind::Text: return *reinterpret_cast<const std::string*>(reinterpret_cast<const char*>(&o) + s.field);
    case OptionKind::Number: return std::to_string(number_in(o, s));
    case OptionKind::Octal: return octal(number_in(o, s));
    case OptionKind::Choice: return word(s.wants, number_in(o, s));
    case OptionKind::Endpoint: return endpoints_text(o);
    case OptionKind::Publish: return published_text(o);
    case OptionKind::InitRef: return initial_references_text(o);
    case OptionKind::ForwardTo: return o.forward_to.empty() ? "outward" : o.forward_to;
    case OptionKind::ConfigFile: break;
  }
  return {};
}

std::string help_text() {
  std::string text;
  const Options defaults;
  for (std::size_t i = 0; i < kOptions; ++i) {
    const OptionSpec& s = kOptionList[i];
    text += option_name(i, OptionSource::CommandLine) + " " + form(s) + "\n    " + s.help;
    if (const std::string b = bounds(s); !b.empty()) text += " (" + b + ")";
    if (const std::string v = value_text(defaults, i); !v.empty()) text += "; default " + v;
    text += "\n    " + option_name(i, OptionSource::Environment);
    if (s.kind != OptionKind::ConfigFile) text += ", in a file " + option_name(i, OptionSource::File);
    text += "\n";
  }
  return text;
}

std::string markdown() {
  std::string text = "| Option | Default | | Environment, key in a file |\n|---|---|---|---|\n";
  const Options defaults;
  for (std::size_t i = 0; i < kOptions; ++i) {
    const OptionSpec& s = kOptionList[i];
    const std::string value = value_text(defaults, i), b = bounds(s);
    text += "| `" + option_name(i, OptionSource::CommandLine) + " " + in_table(form(s)) + "` | " + value + " | " +
            s.help + (b.empty() ? "" : " (" + b + ")") + " | `" + option_name(i, OptionSource::Environment) + "`";
    if (s.kind != OptionKind::ConfigFile) text += " `" + option_name(i, OptionSource::File) + "`";
    text += " |\n";
  }
  text += "\n| Other ORBs' name | Ours |\n|---|---|\n";
  for (const orb::OptionSynonym& s : orb::kOptionSynonyms) {
    text += std::string("| `-ORB") + s.name + "` | `-ORB" + s.means + "`";
    if (s.values == orb::FoundOption::Values::Seconds) text += ", seconds";
    if (s.values == orb::FoundOption::Values::Both) text += ": 0 is normal, 1 both";
    if (s.values == orb::FoundOption::Values::TraceLevel)
      text += ": 0 is error, 1 warning, 2 to 9 info, 10 to 24 debug, 25 and more trace";
    if (s.values == orb::FoundOption::Values::Invocations) text += ": 0 is warning, 1 debug";
    text += " |\n";
  }
  return text;
}

Result<std::string> in_force(int& argc, char** argv) {
  Sources sources;
  auto options = orb::parse_options(argc, argv, &sources);
  if (!options) return options.error();
  std::vector<std::array<std::string, 3>> rows;
  std::size_t widest[2] = {0, 0};
  for (std::size_t i = 0; i < kOptions; ++i) {
    std::string from = sources.where[i].empty() ? "default" : sources.where[i];
    if (kOptionList[i].kind == OptionKind::ConfigFile) continue;
    rows.push_back({option_name(i, OptionSource::File), value_text(options.value(), i), std::move(from)});
    for (std::size_t c = 0; c < 2; ++c) widest[c] = std::max(widest[c], rows.back()[c].size());
  }
  std::string text;
  for (auto& r : rows) {
    r[0].resize(widest[0], ' ');
    if (widest[1] < 48) r[1].resize(widest[1], ' ');
    text += concat({r[0], " = ", r[1], "  # ", r[2], "\n"});
  }
  return text;
}

}  // namespace callis::tools
