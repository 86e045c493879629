// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options.h>
#include <charconv>
#include <span>
#include <string_view>

namespace callis::orb {
namespace {

template <class T>
bool parse_number(std::string_view text, T& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  return ec == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool parse_milliseconds(std::string_view text, Duration& out) {
  std::uint32_t ms = 0;
  if (!parse_number(text, ms)) return false;
  out = Duration(ms);
  return true;
}

bool parse_endpoint(std::string_view text, Options& o) {
  EndpointOption e;
  if (text.starts_with("memory:")) {
    e.kind = EndpointOption::Kind::Memory;
    e.host = text.substr(7);
    if (e.host.empty()) return false;
  } else if (text == "tcp" || text.starts_with("tcp:")) {
    if (text.size() > 4 && !parse_host_port(text.substr(4), e.host, e.port)) return false;
    if (e.host == "*" || e.host == "0.0.0.0") e.host.clear();
  } else {
    return false;
  }
  o.endpoints.push_back(std::move(e));
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
  if (!parse_number(text, n) || n < 1024) return false;
  o.limits.max_message_bytes = n;
  if (o.limits.initial_message_bytes > n) o.limits.initial_message_bytes = n;
  return true;
}

bool parse_fragment(std::string_view text, Options& o) {
  std::uint32_t n = 0;
  if (!parse_number(text, n) || (n != 0 && n < 64)) return false;
  o.fragment_bytes = n;
  return true;
}

bool parse_initial_reference(std::string_view text, Options& o) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size()) return false;
  o.initial_references.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  return true;
}

struct Entry {
  std::string_view name;
  const char* wants;  // for the error's text
  bool (*parse)(std::string_view value, Options& o);
};

constexpr Entry kEntries[] = {
    {"-ORBid", "a name", [](std::string_view v, Options& o) { o.orb_id = v; return !v.empty(); }},
    {"-ORBEndpoint", "tcp:host:port, tcp: or memory:name", parse_endpoint},
    {"-ORBPublish", "host or host:port, after a tcp endpoint", parse_publish},
    {"-ORBGIOPVersion", "1.0, 1.1 or 1.2", parse_version},
    {"-ORBConnectTimeout", "milliseconds",
     [](std::string_view v, Options& o) { return parse_milliseconds(v, o.limits.connect_timeout); }},
    {"-ORBCallTimeout", "milliseconds",
     [](std::string_view v, Options& o) { return parse_milliseconds(v, o.limits.call_timeout); }},
    {"-ORBMaxMessageSize", "a number of bytes from 1024 to 4294967295", parse_max_message},
    {"-ORBFragmentSize", "0 or a number of bytes from 64", parse_fragment},
    {"-ORBInitRef", "id=uri", parse_initial_reference},
};

Error bad(const std::string& detail) { return {Fault::BadText, 0, detail}; }

}  // namespace

bool parse_host_port(std::string_view text, std::string& host, std::uint16_t& port) {
  std::string_view h = text, p;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos) return false;
    h = text.substr(1, close - 1);
    const auto rest = text.substr(close + 1);
    if (!rest.empty()) {
      if (rest[0] != ':') return false;
      has_port = true;
      p = rest.substr(1);
    }
  } else if (const auto colon = text.find(':'); colon != text.npos) {
    if (text.find(':', colon + 1) != text.npos) return false;  // an IPv6 address needs brackets
    h = text.substr(0, colon);
    p = text.substr(colon + 1);
    has_port = true;
  }
  for (char c : h)
    if (static_cast<unsigned char>(c) <= ' ' || c == '/') return false;
  if (has_port && !parse_number(p, port)) return false;
  host = h;
  return true;
}

Result<Options> parse_options(int& argc, char** argv) {
  Options options;
  std::vector<char*> kept;
  const std::span<char*> args(argv, argc > 0 ? static_cast<std::size_t>(argc) : 0);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view name = args[i];
    if (i == 0 || !name.starts_with("-ORB")) {
      kept.push_back(args[i]);
      continue;
    }
    const Entry* entry = nullptr;
    for (const Entry& e : kEntries)
      if (e.name == name) entry = &e;
    if (!entry) return bad("unknown option " + std::string(name));
    const std::string wants = std::string(name) + " wants " + entry->wants;
    if (i + 1 == args.size()) return bad(wants);
    const std::string_view value = args[++i];
    if (!entry->parse(value, options)) return bad(wants + ", not \"" + std::string(value) + "\"");
  }
  if (argv) {
    for (std::size_t i = 0; i < kept.size(); ++i) argv[i] = kept[i];
    if (kept.size() < args.size()) argv[kept.size()] = nullptr;
  }
  argc = static_cast<int>(kept.size());
  return options;
}

}  // namespace callis::orb
