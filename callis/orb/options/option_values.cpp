// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/options/option_values.h>
#include <callis/orb/options/tcp.h>
#include <callis/orb/options/transport.h>
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
  std::memcpy(field,
              bytes == 8   ? static_cast<const void*>(&n)
              : bytes == 4 ? static_cast<const void*>(&n32)
                           : &n8,
              bytes);
}
static_assert(sizeof(Duration) == 8 && sizeof(std::chrono::microseconds) == 8);

bool add_endpoint(Options& o, std::string_view text) {
  if (CALLIS_HAS(settings) && text.starts_with("iiop://")) return add_iiop_endpoints(text.substr(7), o);
  EndpointOption e;
  Transport::Parsed parsed = Transport::Parsed::Other;
  for (const Transport* const t : transports())
    if (parsed == Transport::Parsed::Other) parsed = t->parse(text, e.address);
  if (parsed == Transport::Parsed::Other && feature_for(text))
    e.address = {nullptr, std::string(text), 0};  // is told later
  else if (parsed != Transport::Parsed::Good) return false;
  std::swap(o.endpoints.emplace_back(), e);
  return true;
}

}  // namespace

bool put_value(void* values, const OptionEntry& e, std::string_view wants, std::string_view value) {
  char* const field = static_cast<char*>(values) + e.field;
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

}  // namespace callis::orb
