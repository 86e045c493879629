// SPDX-License-Identifier: Apache-2.0
// The table of options, and how the command line is read.
#include <callis/base/text.h>
#include <callis/micro/options.h>
#include <callis/orb/base/minor_codes.h>
#include <cstddef>
#include <cstring>

namespace callis::micro {
namespace {

// The least and most of a number; text for the others.
struct Number {
  const char* name;
  std::size_t field, bytes;  // in Limits
  std::uint32_t least, most;
};

constexpr std::uint32_t kMost = 0xffffffff;
#define CALLIS_MICRO_LIMIT(member) offsetof(Limits, member), sizeof(Limits::member)
constexpr Number kNumbers[] = {
    {"CallTimeout", CALLIS_MICRO_LIMIT(call_timeout), 0, kMost},
    {"ConnectTimeout", CALLIS_MICRO_LIMIT(connect_timeout), 0, kMost},
    {"IdleTimeout", CALLIS_MICRO_LIMIT(idle_timeout), 1, kMost},
    {"MessageTimeout", CALLIS_MICRO_LIMIT(message_timeout), 1, kMost},
    {"SendTimeout", CALLIS_MICRO_LIMIT(send_timeout), 1, kMost},
    {"MaxMessageSize", CALLIS_MICRO_LIMIT(max_message_bytes), 1024, kMost},
    {"MaxConnections", CALLIS_MICRO_LIMIT(max_connections), 1, 96},
    {"MaxConnectionsPerPeer", CALLIS_MICRO_LIMIT(max_connections_per_peer), 1, 96},
    {"MaxForwards", CALLIS_MICRO_LIMIT(max_forwards), 0, kMost},
};
#undef CALLIS_MICRO_LIMIT

[[noreturn]] void refuse(std::string_view option, std::string_view value, const char* why) {
  orb::raise<CORBA::BAD_PARAM>(orb::kBadOption, CORBA::COMPLETED_NO, concat({option, " ", value, ": ", why}));
}

bool put_number(Limits& limits, const Number& to, std::string_view value) {
  std::uint64_t n = 0;
  if (!parse_decimal(value, to.most, n) || n < to.least) return false;
  char* const field = reinterpret_cast<char*>(&limits) + to.field;
  const auto n32 = static_cast<std::uint32_t>(n);
  if (to.bytes == sizeof n) std::memcpy(field, &n, sizeof n);
  else std::memcpy(field, &n32, sizeof n32);
  return true;
}

// "HOST", "HOST:PORT", "[HOST]:PORT", ":PORT".
bool parse_address(std::string_view text, ior::Address& to) {
  std::string_view host = text, port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return false;
    host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else if (const std::size_t colon = text.rfind(':'); colon != text.npos) {
    host = text.substr(0, colon);
    port = text.substr(colon);
  }
  std::uint64_t n = 0;
  if (!port.empty() && (port[0] != ':' || !parse_decimal(port.substr(1), 65535, n))) return false;
  if (host.find(':') != host.npos && !text.starts_with('[')) return false;
  to.host.assign(host);
  to.port = static_cast<std::uint16_t>(n);
  return true;
}

// Returns what is wrong; nullptr if nothing is.
const char* put(Options& o, std::string_view name, std::string_view value) {
  for (const Number& n : kNumbers)
    if (name == n.name) return put_number(o.limits, n, value) ? nullptr : "no such number";
  if (name == "id") {
    o.id = value;
    return nullptr;
  }
  if (name == "Endpoint") {
    if (value == "tcp:") return nullptr;
    const bool good = value.starts_with("tcp:") && parse_address(value.substr(4), o.endpoint);
    return good ? nullptr : "wants tcp:HOST:PORT; the micro profile has no other endpoints";
  }
  if (name == "Publish")
    return parse_address(value, o.publish) && !o.publish.host.empty() ? nullptr : "wants HOST or HOST:PORT";
  if (name == "InitRef") {
    const std::size_t equals = value.find('=');
    if (equals == 0 || equals == value.npos) return "wants NAME=REFERENCE";
    const std::string_view text = value.substr(equals + 1);
    o.initial_references.reset(
        new Initial{std::string(value.substr(0, equals)), std::string(text), {}, std::move(o.initial_references)});
    return nullptr;
  }
  return "the micro profile has no such option (docs/guide/micro.md)";
}

}  // namespace

Options::Options() {
  limits.max_message_bytes = 1u << 20;
  limits.decode_budget_base_bytes = 64u << 10;
  limits.max_connections = 64;
  limits.max_connections_per_peer = 32;
}

Options take_options(int& argc, char** argv) {
  Options taken;
  constexpr std::string_view kPrefix = "-ORB";
  const auto is_option = [&](int i) { return std::string_view(argv[i]).starts_with(kPrefix); };
  int left = 0;
  for (int i = 0; i < argc; ++i) {
    if (!is_option(i)) {
      ++left;
      continue;
    }
    const std::string_view option = argv[i];
    if (i + 1 == argc) refuse(option, "", "the value is missing");
    const std::string_view value = argv[++i];
    if (const char* const why = put(taken, option.substr(kPrefix.size()), value)) refuse(option, value, why);
  }
  taken.limits.decode_budget_max_bytes = 4 * taken.limits.max_message_bytes;  // decode_budget_factor
  if (left == argc) return taken;
  int to = 0;
  for (int i = 0; i < argc; ++i) {
    if (is_option(i)) ++i;
    else argv[to++] = argv[i];
  }
  argv[argc = to] = nullptr;
  return taken;
}

}  // namespace callis::micro
