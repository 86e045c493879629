// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/option_names.h>
#include <callis/orb/option_values.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace callis::orb {
namespace {

consteval auto entries() {
  std::array<OptionEntry, kOptions> all{};
  for (std::size_t i = 0; i < kOptions; ++i) all[i] = option_entry(kOptionList[i]);
  return all;
}
constexpr auto kEntries = entries();
consteval auto forms() {
  std::array<const char*, kOptions> all{};
  for (std::size_t i = 0; i < kOptions; ++i)
    all[i] = *kOptionList[i].wants ? kOptionList[i].wants : kOptionList[i].unit;
  return all;
}
constexpr auto kForms = forms();

constexpr std::string_view kPrefix = "CALLIS_";

bool is_ours(const char* argument) { return std::strncmp(argument, "-ORB", 4) == 0; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool may_repeat(OptionKind kind) { return kind >= OptionKind::Endpoint && kind <= OptionKind::InitRef; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Reads the places where options stand, one after the other, those that count most last. What returns bool is false
// after an error, which wrong then tells.
class Reader final {
 public:
  explicit Reader(OptionWatcher* watcher) : watcher_(watcher) {}

  Options options;
  std::string wrong;

  bool read_file(const char* path);
  bool read_environment();
  bool read_arguments(int argc, char** argv);

 private:
  // written: the option's name as it stands there; name: the part of it that tells which one it is.
  bool take(std::string_view written, std::string_view name, const char* value);
  bool take(std::string_view written, FoundOption found, std::string_view value);
  bool put(std::size_t option, std::string_view value);
  bool read_line(std::string_view line);
  bool unknown(std::string_view written, std::string_view name);
  bool unfit(std::string_view written, std::size_t option, const std::string_view* value);
  std::string place(std::string_view name) const;

  OptionWatcher* const watcher_;
  OptionSource source_ = OptionSource::None;
  OptionSource endpoints_from_ = OptionSource::None, published_from_ = OptionSource::None;
  const char* file_ = nullptr;
  unsigned line_ = 0;
};

// "orb.conf:3: spin", or the name alone.
std::string Reader::place(std::string_view name) const {
  if (source_ != OptionSource::File) return std::string(name);
  return concat({file_, ":", Decimal(line_), ": ", name});
}

bool Reader::unknown(std::string_view written, std::string_view name) {
  const std::size_t near = nearest_option(name);
  wrong = concat({place("unknown option "), written});
  if (near != kNoOption) wrong += concat({"; did you mean ", option_name(near, source_), "?"});
  return false;
}

// value: nullptr for none.
bool Reader::unfit(std::string_view written, std::size_t option, const std::string_view* value) {
  const OptionEntry& e = kEntries[option];
  wrong = concat({place(written), " wants "});
  if (e.kind != OptionKind::Number || (e.least == 0 && e.most == option_list::kMost && *kForms[option])) {
    wrong += kForms[option];
  } else {
    const char* const unit = kForms[option];
    wrong += concat({e.or_zero ? "0 or a number" : "a number", *unit ? " of " : "", unit, " from ", Decimal(e.least),
                     " to ", Decimal(e.most)});
  }
  if (value) wrong += concat({", not \"", *value, "\""});
  return false;
}

bool Reader::put(std::size_t option, std::string_view value) {
  switch (kEntries[option].kind) {
    case OptionKind::Endpoint:
      if (endpoints_from_ != source_) options.endpoints.clear();
      endpoints_from_ = source_;
      return add_endpoints(options, value);
    case OptionKind::Publish:
      if (published_from_ != source_ && !options.endpoints.empty()) options.endpoints.back().publish.clear();
      published_from_ = source_;
      return add_published(options, value);
    case OptionKind::InitRef: return set_initial_reference(options, value);
    case OptionKind::ConfigFile: return source_ != OptionSource::File;  // a file names no other
    default: return put_value(options, kEntries[option], kForms[option], value);
  }
}

bool Reader::take(std::string_view written, FoundOption found, std::string_view value) {
  std::uint64_t n = 0;
  std::string made;
  std::string_view fit = value;
  if (found.values != FoundOption::Values::Same && parse_decimal(value, 1'000'000, n)) {
    if (found.values == FoundOption::Values::Seconds) made = concat({Decimal(n), "000"});
    else if (found.values == FoundOption::Values::Both) made = n == 0 ? "normal" : "both";
    else made = n == 0 ? "error" : n == 1 ? "warning" : n < 10 ? "info" : "debug";
    fit = made;
  }
  if (!put(found.option, fit)) return unfit(written, found.option, &value);
  if (watcher_)
    watcher_->took(found.option, fit, source_ == OptionSource::File ? concat({file_, ":", Decimal(line_)}) : std::string(written));
  return true;
}

bool Reader::take(std::string_view written, std::string_view name, const char* value) {
  const FoundOption found = find_option(name);
  if (found.option == kNoOption) return unknown(written, name);
  if (!value) return unfit(written, found.option, nullptr);
  return take(written, found, std::string_view(value));
}

bool Reader::read_arguments(int argc, char** argv) {
  source_ = OptionSource::CommandLine;
  for (int i = 1; i < argc; ++i) {
    if (!is_ours(argv[i])) continue;
    if (!take(argv[i], argv[i] + 4, i + 1 < argc ? argv[i + 1] : nullptr)) return false;
    ++i;
  }
  return true;
}

// In the order of the table, so that endpoints come before what is published for them.
bool Reader::read_environment() {
  source_ = OptionSource::Environment;
  for (std::size_t option = 0; option < kOptions; ++option) {
    if (kEntries[option].kind == OptionKind::ConfigFile) continue;
    const std::string name = option_name(option, source_);
    const char* const text = ::secure_getenv(name.c_str());
    std::string_view rest = text ? trimmed(text) : std::string_view();
    while (!rest.empty()) {
      std::size_t n = may_repeat(kEntries[option].kind) ? 0 : rest.size();
      while (n < rest.size() && !is_blank(rest[n])) ++n;
      if (!take(name, FoundOption{option}, std::string_view(rest.data(), n))) return false;
      rest = trimmed(rest.substr(n));
    }
  }
  for (char** at = environ; at && *at; ++at) {
    const std::string_view variable(*at, std::strcspn(*at, "="));
    if (!variable.starts_with(kPrefix) || !logging(LogLevel::Warning)) continue;
    const std::string_view name = variable.substr(kPrefix.size());
    const std::size_t near = nearest_option(name);
    if (near == kNoOption) continue;  // another program's
    const std::string meant = option_name(near, source_);
    if (meant != variable) log(LogLevel::Warning, concat({variable, " in the environment is no option; did you mean ", meant, "?"}));
  }
  return true;
}

bool Reader::read_line(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() == '#') return true;
  const std::size_t equals = line.find('=');
  if (equals == line.npos) {
    wrong = concat({place("no \"key = value\": \""), line, "\""});
    return false;
  }
  const std::string_view key = trimmed(line.substr(0, equals));
  const FoundOption found = find_option(key);
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

// The file to read, or nullptr.
const char* config_file(int argc, char** argv) {
  const char* file = ::secure_getenv("CALLIS_CONFIG");
  if (file && !*file) file = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (!is_ours(argv[i])) continue;
    if (i + 1 < argc && kEntries[find_option(argv[i] + 4).option % kOptions].kind == OptionKind::ConfigFile &&
        find_option(argv[i] + 4).option != kNoOption)
      file = argv[i + 1];
    ++i;
  }
  return file;
}

}  // namespace

Result<Options> parse_options(int& argc, char** argv, OptionWatcher* watcher) {
  Reader reader(watcher);
  const char* const file = config_file(argc, argv);
  if ((file && !reader.read_file(file)) || !reader.read_environment() || !reader.read_arguments(argc, argv))
    return Error{Fault::BadText, 0, std::move(reader.wrong)};
  Limits& limits = reader.options.limits;
  if (limits.initial_message_bytes > limits.max_message_bytes) limits.initial_message_bytes = limits.max_message_bytes;
  int kept = argc > 0 ? 1 : 0;
  for (int i = 1; i < argc; ++i) {
    if (is_ours(argv[i])) ++i;
    else argv[kept++] = argv[i];
  }
  if (argv && kept < argc) argv[kept] = nullptr;
  argc = kept;
  return std::move(reader.options);
}

}  // namespace callis::orb
