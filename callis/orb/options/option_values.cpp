// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/options/option_values.h>
#include <cstring>

namespace callis::orb {

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool next_part(std::string_view& list, char separator, std::string_view& part) {
  if (!list.data()) return false;
  const std::size_t n = list.find(separator);
  part = {list.data(), n == list.npos ? list.size() : n};
  list = n == list.npos ? std::string_view() : std::string_view(list.data() + n + 1, list.size() - n - 1);
  return true;
}

bool is_any_host(std::string_view host) { return host == "*" || host == "0.0.0.0"; }

bool parse_tcp(std::string_view text, EndpointOption& e) {
  if (!text.empty() && !parse_host_port(text, e.host, e.port)) return false;
  if (is_any_host(e.host)) e.host.clear();
  return true;
}

namespace {

bool parse_octal(std::string_view text, std::uint64_t& out) {
  out = 0;
  for (const char c : text) {
    if (c < '0' || c > '7' || out > 0xffffffff) return false;
    out = out * 8 + static_cast<unsigned>(c - '0');
  }
  return !text.empty();
}

// The fields are unsigned integers and durations, which are signed ones of 64 bits.
void store(void* field, std::size_t bytes, std::uint64_t n) {
  const auto n32 = static_cast<std::uint32_t>(n);
  const auto n8 = static_cast<std::uint8_t>(n);
  std::memcpy(field, bytes == 8 ? static_cast<const void*>(&n) : bytes == 4 ? static_cast<const void*>(&n32) : &n8, bytes);
}
static_assert(sizeof(Duration) == 8 && sizeof(std::chrono::microseconds) == 8);

bool add_endpoint(Options& o, std::string_view text) {
  EndpointOption e;
  if (skip(text, "iiop://")) return CALLIS_HAS(settings) && add_iiop_endpoints(text, o);
  if (skip(text, "memory:")) {
    e.kind = EndpointOption::Kind::Memory;
    e.host = text;
    if (e.host.empty()) return false;
  } else if (skip(text, "unix:") || skip(text, "giop:unix:") || skip(text, "uiop://")) {
    e.kind = EndpointOption::Kind::Unix;
    e.host = text;
    if (!text.starts_with('/')) return false;
  } else if (text == "tcp") {
    // all defaults
  } else if (skip(text, "giop:tcp:")) {  // omniORB's form, where the port may be empty
    if (text.ends_with(':')) text.remove_suffix(1);
    if (!parse_tcp(text, e)) return false;
  } else if (!skip(text, "tcp:") || !parse_tcp(text, e)) {
    return false;
  }
  std::swap(o.endpoints.emplace_back(), e);
  return true;
}

}  // namespace

bool put_value(Options& o, const OptionEntry& e, std::string_view wants, std::string_view value) {
  char* const field = reinterpret_cast<char*>(&o) + e.field;
  std::uint64_t n = 0;
  if (e.kind == OptionKind::Text) {
    *reinterpret_cast<std::string*>(field) = value;
    return !value.empty();
  }
  if (e.kind == OptionKind::Choice) {
    for (std::string_view word; next_part(wants, '|', word); ++n)
      if (word == value) {
        store(field, e.bytes, n);
        return true;
      }
    return false;
  }
  if (!(e.kind == OptionKind::Octal ? parse_octal(value, n) : parse_decimal(value, e.most, n))) return false;
  if (n > e.most || (n < e.least && !(n == 0 && e.or_zero))) return false;
  store(field, e.bytes, n);
  return true;
}

bool add_endpoints(Options& o, std::string_view text) {
  for (std::string_view one; next_part(text, ';', one);)
    if (!add_endpoint(o, one)) return false;
  return true;
}

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
    if (static_cast<unsigned char>(*c) <= ' ' || *c == '/' || *c == '@') return false;
  const char* rest = host_end != end && *host_end == ']' ? host_end + 1 : host_end;
  if (rest != end) {
    std::uint64_t n = 0;  // a further colon, of an IPv6 address without brackets, is no digit
    if (*rest != ':' || !parse_decimal({rest + 1, static_cast<std::size_t>(end - rest - 1)}, 0xffff, n)) return false;
    port = static_cast<std::uint16_t>(n);
  }
  host.assign(begin, host_end);
  return true;
}

}  // namespace callis::orb
