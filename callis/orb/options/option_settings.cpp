// SPDX-License-Identifier: Apache-2.0
// Options from files and from the environment, other ORBs' names for them, and guesses at misspelled names.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/options/log_format.h>
#include <callis/orb/options/option_reader.h>
#include <callis/orb/options/tcp.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

CALLIS_PROVIDE(settings);

namespace callis::orb {
namespace {

constexpr std::string_view kPrefix = "CALLIS_";
constexpr std::chrono::microseconds kSpinUnsaid{-1};

consteval auto kinds() {
  std::array<OptionKind, kOptions> all{};
  for (std::size_t i = 0; i < kOptions; ++i) all[i] = kOptionList[i].kind;
  return all;
}
constexpr auto kKinds = kinds();

// The value that an option wants, in words, or the unit of its number.
struct Wanted {
  const char* form;
  std::uint32_t least, most;
  bool or_zero, number;
};
consteval auto wants() {
  std::array<Wanted, kOptions> all{};
  for (std::size_t i = 0; i < kOptions; ++i) {
    const auto& o = kOptionList[i];
    const OptionEntry e = option_entry(o);
    const bool any = e.least == 0 && e.most == option_list::kMost;
    const char* const form = *o.wants ? o.wants : o.unit;
    all[i] = {form, e.least, e.most, e.or_zero, e.kind == OptionKind::Number && !(any && *form)};
  }
  return all;
}
constexpr auto kWants = wants();

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool may_repeat(OptionKind kind) { return kind >= OptionKind::Endpoint && kind <= OptionKind::InitRef; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A '#' begins a comment at the start of a line, and behind a blank: corbaname::host#a/b has one that does not.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) return line.substr(0, i);
  return line;
}

// As nearest_option() counts it: case and underscores do not matter.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto folded = [](std::string_view text) {
    std::string small;
    for (const char c : text)
      if (c != '_') small += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return small;
  };
  return edit_distance(folded(a), folded(b));
}

struct Meaning {
  std::uint8_t option;
  FoundOption::Values values;
};
consteval auto synonyms_meaning() {
  std::array<Meaning, std::size(kOptionSynonyms)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t option = 0;
    while (std::string_view(kOptionList[option].name) != kOptionSynonyms[i].means)
      ++option;  // or it does not compile
    all[i] = {static_cast<std::uint8_t>(option), kOptionSynonyms[i].values};
  }
  return all;
}
constexpr auto kMeanings = synonyms_meaning();

constinit const AddedOptions* added_options = &log_format_options;

struct Added {
  const AddedOptions* of;
  const OptionSpec* spec;
};

// option: a number behind the table's options and kNoOption. of: nullptr if there are not as many.
Added added(std::size_t option) {
  std::size_t i = option - kOptions - 1;
  for (const AddedOptions* a = added_options; a; a = a->others) {
    if (i < a->list.size()) return {a, &a->list[i]};
    i -= a->list.size();
  }
  return {nullptr, nullptr};
}

template <class Take>
void for_each_added(Take&& take) {
  std::size_t option = kOptions + 1;
  for (const AddedOptions* a = added_options; a; a = a->others)
    for (const OptionSpec& o : a->list) take(option++, o);
}

// The index of that name behind the table's options; kNoOption if there is none.
std::size_t find_added(std::string_view name) {
  std::size_t found = kNoOption;
  for_each_added([&](std::size_t option, const OptionSpec& o) {
    if (same_option_name(name, o.name)) found = option;
  });
  return found;
}

Wanted wanted(std::size_t option) {
  if (option < kOptions) return kWants[option];
  const OptionSpec& o = *added(option).spec;
  return {*o.wants ? o.wants : o.unit, o.least, o.most, o.or_zero, o.kind == OptionKind::Number};
}

// The file to read, or nullptr.
const char* config_file(int argc, char** argv) {
  const char* file = ::secure_getenv("CALLIS_CONFIG");
  if (file && !*file) file = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (!is_orb_option(argv[i])) continue;
    if (i + 1 < argc && kKinds[find_option(argv[i] + 4).option % kOptions] == OptionKind::ConfigFile &&
        find_option(argv[i] + 4).option != kNoOption)
      file = argv[i + 1];
    ++i;
  }
  return file;
}

}  // namespace

FoundOption find_synonym(std::string_view name) {
  for (std::size_t i = 0; i < kMeanings.size(); ++i)
    if (same_option_name(name, kOptionSynonyms[i].name)) return {kMeanings[i].option, kMeanings[i].values};
  return {};
}

void AddedOptions::add(AddedOptions& added) {
  const AddedOptions** end = &added_options;
  while (*end) end = &const_cast<AddedOptions*>(*end)->others;
  *end = &added;
}

void Reader::tell_what_fits(std::string_view written, std::size_t option, const std::string_view* value) {
  const Wanted w = wanted(option);
  wrong = concat({place(written), " wants "});
  if (!w.number) wrong += w.form;
  else
    wrong += concat({w.or_zero ? "0 or a number" : "a number", *w.form ? " of " : "", w.form, " from ",
                     Decimal(w.least), " to ", Decimal(w.most)});
  if (value) wrong += concat({", not \"", *value, "\""});
  if (value && !tls_transport && (value->starts_with("tls:") || value->starts_with("giop:ssl:")))
    wrong += "; endpoints of TLS are for programs that include <callis/tls.h> and link callis::tls (Debian: "
             "libcallis-tls-dev)";
}

// "orb.conf:3: spin", or the name alone.
std::string Reader::place(std::string_view name) const {
  if (source_ != OptionSource::File) return std::string(name);
  return concat({file_, ":", Decimal(line_), ": ", name});
}

bool Reader::unknown(std::string_view written, std::string_view name) {
  if (find_added(name) != kNoOption) return true;  // on the command line: read_settings() has taken it
  for (const OptionElsewhere& o : kOptionsElsewhere) {
    if (!same_option_name(name, o.name)) continue;
    wrong = concat({place("option "), written, " is one of programs that include <callis/", o.header,
                    ".h> and link callis::", o.library, ", which this one does not (", o.package, ")"});
    return false;
  }
  const std::size_t near = nearest_option(name);
  std::string meant = near != kNoOption ? option_name(near, source_) : std::string();
  std::size_t least = near != kNoOption ? distance(name, option_name(near, OptionSource::File)) : name.size() / 3 + 1;
  for_each_added([&](std::size_t, const OptionSpec& o) {
    if (const std::size_t d = distance(name, o.name); d < least) {
      least = d;
      meant = option_name_of(o.name, source_);
    }
  });
  wrong = concat({place("unknown option "), written});
  if (!meant.empty()) wrong += concat({"; did you mean ", meant, "?"});
  return false;
}

// A value of another ORB's option as ours; made: room for it.
std::string_view translated(FoundOption::Values from, std::string_view value, std::string& made) {
  std::uint64_t n = 0;
  if (!parse_decimal(value, 1'000'000, n)) return value;
  if (from == FoundOption::Values::Seconds) made = concat({Decimal(n), "000"});
  else if (from == FoundOption::Values::Both) made = n == 0 ? "normal" : "both";
  else if (from == FoundOption::Values::Alone) made = n == 0 ? "shared" : "exclusive";
  else if (from == FoundOption::Values::Threads) made = n == 0 ? "pool" : "connection";
  else if (from == FoundOption::Values::Invocations) made = n == 0 ? "warning" : "debug";
  else made = n == 0 ? "error" : n == 1 ? "warning" : n < 10 ? "info" : n < 25 ? "debug" : "trace";
  return made;
}

void Reader::tell_watcher(std::string_view written, std::size_t option, std::string_view value) {
  watcher_->took(option, value,
                 source_ == OptionSource::File ? concat({file_, ":", Decimal(line_)}) : std::string(written));
}

bool Reader::take_added(std::string_view written, std::size_t option, std::string_view value) {
  const auto [of, spec] = added(option);
  if (!put_value(of->values(false), option_entry(*spec), spec->wants, value))
    return unfit(written, option, &value);
  if (watcher_) tell_watcher(written, option - 1, value);
  return true;
}

bool Reader::read_added_arguments(int argc, char** argv) {
  source_ = OptionSource::CommandLine;
  for (int i = 1; i < argc; ++i) {
    if (!is_orb_option(argv[i])) continue;
    const std::size_t option = find_added(argv[i] + 4);
    const char* const value = ++i < argc ? argv[i] : nullptr;
    if (option == kNoOption) continue;
    if (!value) return unfit(argv[i - 1], option, nullptr);
    if (!take_added(argv[i - 1], option, value)) return false;
  }
  return true;
}

bool Reader::read_added_environment() {
  bool good = true;
  for_each_added([&](std::size_t option, const OptionSpec& o) {
    const std::string name = option_name_of(o.name, source_);
    const char* const text = ::secure_getenv(name.c_str());
    if (good && text && !trimmed(text).empty()) good = take_added(name, option, trimmed(text));
  });
  return good;
}

// The order is the table's, so that endpoints come before their published addresses.
bool Reader::read_environment() {
  source_ = OptionSource::Environment;
  for (std::size_t option = 0; option < kOptions; ++option) {
    if (kKinds[option] == OptionKind::ConfigFile) continue;
    const std::string name = option_name(option, source_);
    const char* const text = ::secure_getenv(name.c_str());
    std::string_view rest = text ? trimmed(text) : std::string_view();
    while (!rest.empty()) {
      std::size_t n = may_repeat(kKinds[option]) ? 0 : rest.size();
      while (n < rest.size() && !is_blank(rest[n])) ++n;
      if (!take(name, FoundOption{option}, std::string_view(rest.data(), n))) return false;
      rest = trimmed(rest.substr(n));
    }
  }
  if (!read_added_environment()) return false;
  for (char** at = environ; at && *at; ++at) {
    const std::string_view variable(*at, std::strcspn(*at, "="));
    if (!variable.starts_with(kPrefix) || !logging(LogLevel::Warning)) continue;
    const std::string_view name = variable.substr(kPrefix.size());
    const std::size_t near = find_added(name) == kNoOption ? nearest_option(name) : kNoOption;
    if (near == kNoOption) continue;  // another program's
    const std::string meant = option_name(near, source_);
    if (meant != variable)
      log(LogLevel::Warning, concat({variable, " in the environment is no option; did you mean ", meant, "?"}));
  }
  return true;
}

bool Reader::read_line(std::string_view line) {
  line = trimmed(without_comment(line));
  if (line.empty()) return true;
  const std::size_t equals = line.find('=');
  if (equals == line.npos) {
    wrong = concat({place("no \"key = value\": \""), line, "\""});
    return false;
  }
  const std::string_view key = trimmed(line.substr(0, equals));
  const FoundOption found = find_option(key);
  if (const std::size_t option = find_added(key); found.option == kNoOption && option != kNoOption)
    return take_added(key, option, trimmed(line.substr(equals + 1)));
  if (found.option == kNoOption) return unknown(key, key);
  return take(key, found, trimmed(line.substr(equals + 1)));
}

bool Reader::read_file(const char* path) {
  source_ = OptionSource::File;
  file_ = path;
  std::FILE* const file = std::fopen(path, "re");
  char* line = nullptr;
  std::size_t room = 0;
  bool good = file != nullptr;
  for (ssize_t n; good && (n = ::getline(&line, &room, file)) >= 0;) {
    ++line_;
    good = read_line({line, static_cast<std::size_t>(n)});
  }
  if (good) good = !std::ferror(file);
  if (!good && wrong.empty()) wrong = concat({"cannot read the file of options ", path, ": ", std::strerror(errno)});
  std::free(line);
  if (file) std::fclose(file);
  return good;
}

// The endpoints of this place replace all endpoints of the places before. Addresses published for the latter stay,
// for the first endpoint.
void Reader::replace_endpoints() {
  if (published_from_ != OptionSource::None)
    for (const EndpointOption& e : options.endpoints)
      published_.insert(published_.end(), e.publish.begin(), e.publish.end());
  options.endpoints.clear();
}

// Publishes for the last endpoint before the option. If no such endpoint can be published, publishes for the first of
// all.
bool Reader::publish(std::string_view text) {
  EndpointOption* const last = options.endpoints.empty() ? nullptr : &options.endpoints.back();
  const bool has_hosts = last && last->address.transport && last->address.transport->has_hosts();
  if (std::exchange(published_from_, source_) != source_) {
    published_.clear();
    if (has_hosts) last->publish.clear();
  }
  return add_published(has_hosts ? last->publish : published_, text);
}

bool Reader::settle_published() {
  if (published_.empty()) return true;
  if (options.endpoints.empty()) options.endpoints.emplace_back();
  for (EndpointOption& e : options.endpoints) {
    if (!e.address.transport || !e.address.transport->has_hosts()) continue;
    e.publish.insert(e.publish.begin(), published_.begin(), published_.end());
    return true;
  }
  return wrong_option("-ORBPublish is for a tcp endpoint, and there is none; publish ", published_[0].host);
}

void Reader::settle_spin() {
  const bool said = options.spin != kSpinUnsaid;
  if (!said) options.spin = kSpin;
  for (const AddedOptions* a = added_options; a; a = a->others)
    if (a->know_spin) a->know_spin(said);
}

bool Reader::read_settings(int argc, char** argv) {
  for (const AddedOptions* a = added_options; a; a = a->others) {
    a->values(true);
    if (a->know_spin) options.spin = kSpinUnsaid;
  }
  const char* const file = config_file(argc, argv);
  const bool good = (!file || read_file(file)) && read_environment() && read_added_arguments(argc, argv);
  if (good) use_log_format();
  return good;
}

// --- Values ---

bool add_iiop_endpoints(std::string_view text, Options& o) {
  EndpointOption e;
  const std::size_t slash = text.find('/');
  std::string_view rest = slash == text.npos ? std::string_view() : text.substr(slash + 1);
  const std::string_view all = text.substr(0, slash);
  if (skip(rest, "hostname_in_ior=") && !rest.empty()) e.publish.push_back({std::string(rest), 0});
  else if (!rest.empty()) return false;
  for (std::string_view addresses = all, address; next_part(addresses, ',', address);) {
    if (address.empty() && !all.empty()) return false;
    if (const std::size_t at = address.find('@'); at != address.npos) {  // of references: the ORB's have one version
      const std::string_view version = address.substr(0, at);
      if (version != "1.0" && version != "1.1" && version != "1.2") return false;
      o.version = {1, static_cast<std::uint8_t>(version[2] - '0')};
      address.remove_prefix(at + 1);
    }
    if (address.ends_with(':')) address.remove_suffix(1);  // any port
    e.address = {};
    if (!parse_tcp(address, e.address)) return false;
    o.endpoints.push_back(e);
  }
  return true;
}

bool add_published(std::vector<ior::Address>& to, std::string_view text) {
  for (std::string_view one; next_part(text, ',', one);) {
    skip(one, "giop:tcp:");
    ior::Address& a = to.emplace_back();
    if (!parse_host_port(one, a.host, a.port) || a.host.empty() || is_any_host(a.host) || a.host == "::")
      return false;
  }
  return true;
}

bool set_initial_reference(Options& o, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size()) return false;
  const std::string_view id = text.substr(0, equals), uri = text.substr(equals + 1);
  for (auto& [known, value] : o.initial_references)
    if (known == id) {
      value = uri;
      return true;
    }
  auto& added = o.initial_references.emplace_back();
  added.first = id;
  added.second = uri;
  return true;
}

}  // namespace callis::orb
