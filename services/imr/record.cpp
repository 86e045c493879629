// SPDX-License-Identifier: Apache-2.0
// Records as texts, and what makes a bad one. A text is a list of fields, each "LENGTH:BYTES".
#include <callis/imr/key.h>
#include <services/imr/record.h>
#include <algorithm>
#include <charconv>

namespace callis::imr {

namespace {

constexpr std::string_view kForm = "2", kOlderForm = "1";  // that of before there were processes for clients
constexpr std::uint32_t kMostMs = 86'400'000;  // a day

class Writer {
 public:
  Writer& put(std::string_view field) {
    text_ += std::to_string(field.size());
    text_ += ':';
    text_ += field;
    return *this;
  }
  Writer& put(std::uint64_t number) { return put(std::string_view(std::to_string(number))); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::string text() {
    std::size_t n = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto [at, error] = std::from_chars(rest_.data(), end, n);
    if (error != std::errc() || at == end || *at != ':' || static_cast<std::size_t>(end - at) - 1 < n) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view field(at + 1, n);
    rest_ = std::string_view(at + 1 + n, static_cast<std::size_t>(end - at) - 1 - n);
    return std::string(field);
  }
  std::uint32_t number() {
    const std::string field = text();
    std::uint32_t n = 0;
    const auto [at, error] = std::from_chars(field.data(), field.data() + field.size(), n);
    if (error != std::errc() || at != field.data() + field.size()) ok_ = false;
    return ok_ ? n : 0;
  }
  std::size_t count(std::size_t most) {
    const std::uint32_t n = number();
    if (n > most) ok_ = false;
    return ok_ ? n : 0;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

bool is_variable_name(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool has_nul(const std::string& text) { return text.find('\0') != text.npos; }

std::size_t size_of(const Record& r) {
  std::size_t n = r.directory.size() + r.user.size() + r.activator.size() + r.endpoint.size();
  for (const std::string& word : r.command) n += word.size() + 1;
  for (const auto& [name, value] : r.variables) n += name.size() + value.size() + 2;
  for (const std::string& prefix : r.key_prefixes) n += prefix.size();
  return n;
}

std::string problem_with_times(const Record& r) {
  for (const std::uint32_t ms : {r.first_pause_ms, r.longest_pause_ms, r.start_deadline_ms, r.stop_deadline_ms})
    if (ms == 0 || ms > kMostMs) return "a time is 0, or longer than a day";
  if (r.first_pause_ms > r.longest_pause_ms) return "the first pause is longer than the longest";
  return {};
}

std::string problem_with_words(const Record& r) {
  if (r.command.size() > kMostWords) return "the command line has more than 256 words";
  if (!r.command.empty() && (r.command[0].empty() || r.command[0][0] != '/'))
    return "the program \"" + r.command[0] + "\" is no absolute path, and no shell looks for it";
  for (const std::string& word : r.command)
    if (has_nul(word)) return "a word of the command line has a zero byte";
  if (r.variables.size() > kMostWords) return "there are more than 256 variables";
  for (const auto& [name, value] : r.variables) {
    if (!is_variable_name(name)) return "\"" + name + "\" is no name of a variable";
    if (name == "CALLIS_IMR" || name == "CALLIS_SERVER_ID" || name == "CALLIS_IMR_START" ||
        name == "CALLIS_IMR_LINGER")
      return name + " is set by the repository";
    if (has_nul(value)) return "the variable " + name + " has a zero byte";
  }
  return {};
}

}  // namespace

std::size_t cost_of(const Record& r) {
  // A string and what malloc adds; the entry, its machine, its places in maps.
  constexpr std::size_t kEach = 64, kFixed = 2'048;
  const std::size_t strings = r.command.size() + 2 * r.variables.size() + 4 * r.key_prefixes.size();
  return kFixed + strings * kEach + size_of(r) * 2;
}

std::string problem_with(const Record& r) {
  if (!is_server_name(r.name))
    return "\"" + r.name.substr(0, kMostNameBytes) +
           "\" is no name of a server: at most 100 letters, digits, '.', '-' and '_', and no '.' or '-' first";
  if (size_of(r) > kMostRecordBytes) return "it is larger than 64 KiB";
  if (std::string p = problem_with_words(r); !p.empty()) return p;
  if (!r.directory.empty() && (r.directory[0] != '/' || has_nul(r.directory)))
    return "the directory \"" + r.directory + "\" is no absolute path";
  if (has_nul(r.user) || r.user.size() > 64) return "the user is no name";
  if (!r.activator.empty() && !is_server_name(r.activator)) return "the activator is no name";
  if (std::string p = problem_with_times(r); !p.empty()) return p;
  if (!r.endpoint.empty() && !parse_host_port(r.endpoint)) return "\"" + r.endpoint + "\" is no HOST:PORT";
  if (r.key_prefixes.size() > kMostPrefixes) return "there are more than 64 prefixes of keys";
  for (const std::string& prefix : r.key_prefixes)
    if (prefix.empty() || prefix.size() > kMostPrefixBytes)
      return "a prefix of keys is empty, or longer than 256 bytes";
  if (r.max_processes == 0 || r.max_processes > kMostProcesses)
    return "the number of its processes is not from 1 to 10000";
  if (r.linger_ms > kMostMs) return "its processes are to stay for longer than a day";
  if (r.activation == Activation::PerClient && !r.endpoint.empty())
    return "each client is to have a process of its own, and only one can listen at " + r.endpoint;
  return {};
}

Terms terms_of(const Record& r) {
  Terms t;
  t.activation = r.activation;
  t.can_start = !r.command.empty();
  t.start_limit = r.start_limit;
  t.first_pause = Milliseconds(r.first_pause_ms);
  t.longest_pause = Milliseconds(r.longest_pause_ms);
  t.start_deadline = Milliseconds(r.start_deadline_ms);
  t.stop_deadline = Milliseconds(r.stop_deadline_ms);
  return t;
}

std::string to_text(const Record& r) {
  Writer w;
  w.put(kForm).put(r.name).put(r.command.size());
  for (const std::string& word : r.command) w.put(word);
  w.put(r.variables.size());
  for (const auto& [name, value] : r.variables) w.put(name).put(value);
  w.put(r.directory).put(r.user).put(r.activator).put(static_cast<std::uint64_t>(r.activation));
  w.put(r.start_limit).put(r.first_pause_ms).put(r.longest_pause_ms).put(r.start_deadline_ms).put(r.stop_deadline_ms);
  w.put(r.endpoint).put(r.key_prefixes.size());
  for (const std::string& prefix : r.key_prefixes) w.put(prefix);
  w.put(r.max_processes).put(r.linger_ms);
  return w.take();
}

std::optional<Record> from_text(std::string_view text) {
  Reader in(text);
  Record r;
  const std::string form = in.text();
  if (form != kForm && form != kOlderForm) return {};
  r.name = in.text();
  for (std::size_t n = in.count(kMostWords); n != 0 && in.ok(); --n) r.command.push_back(in.text());
  for (std::size_t n = in.count(kMostWords); n != 0 && in.ok(); --n) {
    std::string name = in.text();
    r.variables.emplace_back(std::move(name), in.text());
  }
  r.directory = in.text();
  r.user = in.text();
  r.activator = in.text();
  const std::uint32_t activation = in.number();
  r.start_limit = in.number();
  r.first_pause_ms = in.number();
  r.longest_pause_ms = in.number();
  r.start_deadline_ms = in.number();
  r.stop_deadline_ms = in.number();
  r.endpoint = in.text();
  for (std::size_t n = in.count(kMostPrefixes); n != 0 && in.ok(); --n) r.key_prefixes.push_back(in.text());
  if (form == kForm) {
    r.max_processes = in.number();
    r.linger_ms = in.number();
  }
  if (!in.ok() || !in.at_end() || activation > static_cast<std::uint32_t>(Activation::PerClient)) return {};
  r.activation = static_cast<Activation>(activation);
  if (!problem_with(r).empty()) return {};
  return r;
}

std::optional<HostPort> parse_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || has_nul(std::string(text)) || text.size() > 300) return {};
  std::string_view host = text.substr(0, colon);
  if (host.front() == '[') {
    if (host.size() < 3 || host.back() != ']') return {};
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return {};
  }
  std::uint16_t port = 0;
  const std::string_view digits = text.substr(colon + 1);
  const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || at != digits.data() + digits.size() || port == 0) return {};
  return HostPort{std::string(host), port};
}

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return {};
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    unsigned byte = 0;
    const auto [at, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    if (error != std::errc() || at != hex.data() + i + 2) return {};
    out += static_cast<char>(byte);
  }
  return out;
}

std::string hex_of(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace callis::imr
