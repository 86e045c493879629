// SPDX-License-Identifier: Apache-2.0
// The table of options, and what is in force, as text.
#include <callis/base/text.h>
#include <callis/imr.h>
#include <callis/imr/option_list.h>
#include <callis/orb/options/log_format.h>
#include <callis/rt.h>
#include <callis/rt/base/option_list.h>
#ifdef CALLIS_WITH_TLS
#include <callis/tls.h>
#include <callis/tls/option_list.h>
#endif
#include <callis/transport/transport.h>
#include <tools/config/report.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
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

// Those of every program, and those of programs that include callis/imr.h, callis/rt.h and callis/tls.h, which are
// included, and so add their options, in that order.
constexpr std::size_t kOfImr = kOptions + std::size(orb::kLogFormatOptions);
constexpr std::size_t kOfRealTime = kOfImr + std::size(imr::kOptionList);
constexpr std::size_t kOfTls = kOfRealTime + std::size(rt::kOptionList);
#ifdef CALLIS_WITH_TLS
using TlsOptions = tls::TlsOptions;
constexpr std::span<const OptionSpec> kTlsOptions = tls::kOptionList;
TlsOptions tls_options() { return TlsOptions::of_this_thread(); }
#else
struct TlsOptions {};
constexpr std::span<const OptionSpec> kTlsOptions;
TlsOptions tls_options() { return {}; }
#endif
constexpr std::size_t kOptionsOfAll = kOfTls + kTlsOptions.size();
const OptionSpec& spec(std::size_t option) {
  if (option < kOptions) return kOptionList[option];
  if (option < kOfImr) return orb::kLogFormatOptions[option - kOptions];
  if (option < kOfRealTime) return imr::kOptionList[option - kOfImr];
  return option < kOfTls ? rt::kOptionList[option - kOfRealTime] : kTlsOptions[option - kOfTls];
}
std::string name_of(std::size_t option, OptionSource spelling) {
  return option < kOptions ? option_name(option, spelling) : orb::option_name_of(spec(option).name, spelling);
}

// Where their values stand.
struct Values {
  const Options& of_all;
  orb::LogFormatOption of_log;
  imr::ImrOptions of_imr;
  rt::RealTimeOptions of_real_time;
  TlsOptions of_tls;

  const char* of(std::size_t option) const {
    if (option < kOptions) return reinterpret_cast<const char*>(&of_all);
    if (option < kOfImr) return reinterpret_cast<const char*>(&of_log);
    if (option < kOfRealTime) return reinterpret_cast<const char*>(&of_imr);
    if (option < kOfTls) return reinterpret_cast<const char*>(&of_real_time);
    return reinterpret_cast<const char*>(&of_tls);
  }
};

std::uint64_t number_in(const char* values, const OptionSpec& s) {
  std::uint64_t n = 0;
  std::memcpy(&n, values + s.field, s.bytes);
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
  std::array<std::string, kOptionsOfAll> where;
  void took(std::size_t option, std::string_view, std::string_view from) override {
    const bool list = spec(option).kind == OptionKind::InitRef && !where[option].empty();
    where[option] = list && where[option] != from ? where[option] + ", " + std::string(from) : std::string(from);
  }
};

std::string value_text(const Values& all, std::size_t option) {
  const OptionSpec& s = spec(option);
  const char* const values = all.of(option);
  const Options& o = all.of_all;
  switch (s.kind) {
    case OptionKind::Text: return *reinterpret_cast<const std::string*>(values + s.field);
    case OptionKind::Number: return std::to_string(number_in(values, s));
    case OptionKind::Octal: return octal(number_in(values, s));
    case OptionKind::Choice: return word(s.wants, number_in(values, s));
    case OptionKind::Endpoint: return endpoints_text(o);
    case OptionKind::Publish: return published_text(o);
    case OptionKind::InitRef: return initial_references_text(o);
    case OptionKind::ForwardTo: return o.forward_to.empty() ? "outward" : o.forward_to;
    case OptionKind::ConfigFile: break;
  }
  return {};
}

// A row of the tables.
std::string row(const Values& defaults, std::size_t i) {
  const OptionSpec& s = spec(i);
  const std::string value = value_text(defaults, i), b = bounds(s);
  std::string text = "| `" + name_of(i, OptionSource::CommandLine) + " " + in_table(form(s)) + "` | " + value;
  text += std::string(" | ") + s.help + (b.empty() ? "" : " (" + b + ")");
  text += " | `" + name_of(i, OptionSource::Environment) + "`";
  if (s.kind != OptionKind::ConfigFile) text += " `" + name_of(i, OptionSource::File) + "`";
  return text + " |\n";
}

constexpr char kColumns[] = "| Option | Default | | Environment, key in a file |\n|---|---|---|---|\n";

}  // namespace

std::string value_text(const Options& o, std::size_t option) { return value_text(Values{o, {}, {}, {}, {}}, option); }

std::string help_text() {
  std::string text;
  const Options of_all;
  const Values defaults{of_all, {}, {}, {}, {}};
  for (std::size_t i = 0; i < kOptionsOfAll; ++i) {
    const OptionSpec& s = spec(i);
    if (i == kOfImr) text += "\nPrograms that include callis/imr.h have these, too:\n\n";
    if (i == kOfRealTime) text += "\nPrograms that include callis/rt.h have these, too:\n\n";
    if (i == kOfTls) text += "\nPrograms that include callis/tls.h have these, too:\n\n";
    text += name_of(i, OptionSource::CommandLine) + " " + form(s) + "\n    " + s.help;
    if (const std::string b = bounds(s); !b.empty()) text += " (" + b + ")";
    if (const std::string v = value_text(defaults, i); !v.empty()) text += "; default " + v;
    text += "\n    " + name_of(i, OptionSource::Environment);
    if (s.kind != OptionKind::ConfigFile) text += ", in a file " + name_of(i, OptionSource::File);
    text += "\n";
  }
  return text;
}

std::string markdown() {
  std::string text = kColumns;
  const Options of_all;
  const Values defaults{of_all, {}, {}, {}, {}};
  for (std::size_t i = 0; i < kOfImr; ++i) text += row(defaults, i);
  text += "\nPrograms that include `<callis/imr.h>` have these, too ([imr.md](imr.md)):\n\n";
  text += kColumns;
  for (std::size_t i = kOfImr; i < kOfRealTime; ++i) text += row(defaults, i);
  text += "\nPrograms that include `<callis/rt.h>` have these, too ([real-time.md](real-time.md)):\n\n";
  text += kColumns;
  for (std::size_t i = kOfRealTime; i < kOfTls; ++i) text += row(defaults, i);
  text += "\nPrograms that include `<callis/tls.h>` have these, too ([tls.md](tls.md)):\n\n";
  text += kColumns;
  for (std::size_t i = kOfTls; i < kOptionsOfAll; ++i) text += row(defaults, i);
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
  const Values values{options.value(), orb::LogFormatOption::of_this_thread(),
                      imr::ImrOptions::of_this_thread(), rt::RealTimeOptions::of_this_thread(),
                      tls_options()};
  for (std::size_t i = 0; i < kOptionsOfAll; ++i) {
    std::string from = sources.where[i].empty() ? "default" : sources.where[i];
    if (spec(i).kind == OptionKind::ConfigFile) continue;
    rows.push_back({name_of(i, OptionSource::File), value_text(values, i), std::move(from)});
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
