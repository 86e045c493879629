// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/options.h>
#include <cstring>
#include <string_view>

namespace callis::orb {
namespace {

// A number of 32 bits from least on.
bool parse_number(std::string_view text, std::uint32_t least, std::uint32_t& out) {
  std::uint64_t n = 0;
  if (!parse_decimal(text, 0xffffffff, n) || n < least) return false;
  out = static_cast<std::uint32_t>(n);
  return true;
}

bool parse_milliseconds(std::string_view text, Duration& out) {
  std::uint32_t ms = 0;
  if (!parse_number(text, 0, ms)) return false;
  out = Duration(ms);
  return true;
}

// What follows in text after the first n characters.
std::string_view after(std::string_view text, std::size_t n) { return {text.data() + n, text.size() - n}; }

bool parse_endpoint(std::string_view text, Options& o) {
  EndpointOption e;
  if (text.starts_with("memory:")) {
    e.kind = EndpointOption::Kind::Memory;
    e.host = after(text, 7);
    if (e.host.empty()) return false;
  } else if (text == "tcp" || text.starts_with("tcp:")) {
    if (text.size() > 4 && !parse_host_port(after(text, 4), e.host, e.port)) return false;
    if (e.host == "*" || e.host == "0.0.0.0") e.host.clear();
  } else {
    return false;
  }
  std::swap(o.endpoints.emplace_back(), e);
  return true;
}

bool parse_publish(std::string_view text, Options& o) {
  if (o.endpoints.empty()) o.endpoints.emplace_back();
  EndpointOption& e = o.endpoints.back();
  if (e.kind != EndpointOption::Kind::Tcp) return false;
  e.publish_port = 0;
  return parse_host_port(text, e.publish_host, e.publish_port) && !e.publish_host.empty();
}

bool parse_version(std::string_view text, Options& o) {
  if (text.size() != 3 || !text.starts_with("1.") || text[2] < '0' || text[2] > '2') return false;
  o.version = {1, static_cast<std::uint8_t>(text[2] - '0')};
  return true;
}

bool parse_max_message(std::string_view text, Options& o) {
  std::uint32_t n = 0;
  if (!parse_number(text, 1024, n)) return false;
  o.limits.max_message_bytes = n;
  if (o.limits.initial_message_bytes > n) o.limits.initial_message_bytes = n;
  return true;
}

bool parse_fragment(std::string_view text, Options& o) {
  std::uint32_t n = 0;
  if (!parse_number(text, 0, n) || (n != 0 && n < 64)) return false;
  o.fragment_bytes = n;
  return true;
}

bool parse_sync_scope(std::string_view text, Options& o) {
  constexpr std::string_view kNames[] = {"none", "transport", "server", "target"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (text != kNames[i]) continue;
    o.sync_scope = static_cast<SyncScope>(i);
    return true;
  }
  return false;
}

bool parse_client_connections(std::string_view text, Options& o) {
  o.share_connections = text == "shared";
  return o.share_connections || text == "exclusive";
}

bool parse_max_connections(std::string_view text, Options& o) {
  std::uint32_t n = 0;
  if (!parse_number(text, 0, n) || n > 1024) return false;
  o.max_connections_per_server = n;
  return true;
}

bool parse_spin(std::string_view text, Options& o) {
  std::uint32_t n = 0;
  if (!parse_number(text, 0, n) || n > 1000) return false;
  o.spin = std::chrono::microseconds(n);
  return true;
}

bool parse_initial_reference(std::string_view text, Options& o) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size()) return false;
  auto& added = o.initial_references.emplace_back();
  added.first.assign(text.data(), equals);
  added.second = after(text, equals + 1);
  return true;
}

struct Entry {
  const char* name;   // after "-ORB"
  const char* wants;  // for the error's text
  bool (*parse)(std::string_view value, Options& o);
};

constexpr Entry kEntries[] = {
    {"id", "a name", [](std::string_view v, Options& o) { o.orb_id = v; return !v.empty(); }},
    {"Endpoint", "tcp:host:port, tcp: or memory:name", parse_endpoint},
    {"Publish", "host or host:port, after a tcp endpoint", parse_publish},
    {"GIOPVersion", "1.0, 1.1 or 1.2", parse_version},
    {"ConnectTimeout", "milliseconds",
     [](std::string_view v, Options& o) { return parse_milliseconds(v, o.limits.connect_timeout); }},
    {"CallTimeout", "milliseconds",
     [](std::string_view v, Options& o) { return parse_milliseconds(v, o.limits.call_timeout); }},
    {"MaxMessageSize", "a number of bytes from 1024 to 4294967295", parse_max_message},
    {"FragmentSize", "0 or a number of bytes from 64", parse_fragment},
    {"SyncScope", "none, transport, server or target", parse_sync_scope},
    {"ClientConnections", "exclusive or shared", parse_client_connections},
    {"MaxConnectionsPerServer", "a number up to 1024", parse_max_connections},
    {"Spin", "a number of microseconds up to 1000", parse_spin},
    {"InitRef", "id=uri", parse_initial_reference},
};

// Takes the value of one option; what is wrong with it, or empty.
std::string take(std::string_view name, const char* value, Options& options) {
  const Entry* entry = nullptr;
  for (const Entry& e : kEntries)
    if (after(name, 4) == e.name) entry = &e;
  if (!entry) return concat({"unknown option ", name});
  if (!value) return concat({name, " wants ", entry->wants});
  if (entry->parse(value, options)) return {};
  return concat({name, " wants ", entry->wants, ", not \"", value, "\""});
}

bool is_ours(const char* argument) { return std::strncmp(argument, "-ORB", 4) == 0; }

}  // namespace

bool parse_host_port(std::string_view text, std::string& host, std::uint16_t& port) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  const char* host_end = begin;
  if (begin != end && *begin == '[') {
    ++begin;
    while (host_end != end && *host_end != ']') ++host_end;
    if (host_end == end) return false;
  } else {
    while (host_end != end && *host_end != ':') ++host_end;
  }
  for (const char* c = begin; c != host_end; ++c)
    if (static_cast<unsigned char>(*c) <= ' ' || *c == '/') return false;
  const char* rest = host_end != end && *host_end == ']' ? host_end + 1 : host_end;
  if (rest != end) {
    std::uint64_t n = 0;  // a further colon, of an IPv6 address without brackets, is no digit
    if (*rest != ':' || !parse_decimal({rest + 1, static_cast<std::size_t>(end - rest - 1)}, 0xffff, n)) return false;
    port = static_cast<std::uint16_t>(n);
  }
  host.assign(begin, host_end);
  return true;
}

Result<Options> parse_options(int& argc, char** argv) {
  Result<Options> result{Options()};
  for (int i = 1; i < argc; ++i) {
    if (!is_ours(argv[i])) continue;
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    std::string wrong = take(argv[i], value, result.value());
    if (!wrong.empty()) return Error{Fault::BadText, 0, std::move(wrong)};
    ++i;
  }
  int kept = argc > 0 ? 1 : 0;
  for (int i = 1; i < argc; ++i) {
    if (is_ours(argv[i])) ++i;
    else argv[kept++] = argv[i];
  }
  if (argv && kept < argc) argv[kept] = nullptr;
  argc = kept;
  return result;
}

}  // namespace callis::orb
