// SPDX-License-Identifier: Apache-2.0
#include <callis/cdr/decoder.h>
#include <callis/ior/internal/body.h>
#include <callis/ior/policy_values.h>
#include <cstring>

namespace callis::ior {

Result<ByteView> find_policy_value(ByteView policies, std::uint32_t type, const Limits& limits) {
  cdr::Budget budget = cdr::Budget::of(limits, policies.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(policies, budget);
  ByteView found;
  const std::uint32_t n = d.count(8, 8);
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    const std::uint32_t t = d.get_ulong();
    const ByteView value = d.get_octets(limits.max_context_bytes);
    if (t == type && found.empty()) found = value;
  }
  if (!d.ok()) return bad(d.fault(), "policies");
  return found;
}

namespace {

template <class T, class Read>
std::optional<T> read(ByteView value, Read&& read_it) {
  cdr::Budget budget{value.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(value, budget);
  const T v = read_it(d);
  if (!d.ok()) return std::nullopt;
  return v;
}

}  // namespace

std::optional<Moment> read_moment(ByteView value) {
  return read<Moment>(value, [](cdr::Decoder& d) {
    const Moment at = d.get_ulonglong();
    d.get_ulong();   // inaccuracy, 48 bits
    d.get_ushort();
    d.get_ushort();  // time zone
    return at;
  });
}

std::optional<ShortRange> read_short_range(ByteView value) {
  return read<ShortRange>(value, [](cdr::Decoder& d) {
    ShortRange r;
    r.min = static_cast<std::int16_t>(d.get_ushort());
    r.max = static_cast<std::int16_t>(d.get_ushort());
    return r;
  });
}

std::optional<std::uint16_t> read_ushort(ByteView value) {
  return read<std::uint16_t>(value, [](cdr::Decoder& d) { return d.get_ushort(); });
}

// --- Writing ---

void PolicyValues::clear() {
  size_ = 8;
  count_ = 0;
  std::memset(bytes_.data(), 0, size_);
  bytes_[0] = static_cast<Byte>(order_);
}

// The place of a value of so many bytes, which are 0 but for the byte order.
Byte* PolicyValues::begin(std::uint32_t type, std::uint32_t bytes) {
  const std::uint32_t at = (size_ + 3) & ~3u;
  Byte* const to = bytes_.data() + at;
  std::memset(bytes_.data() + size_, 0, at - size_);
  put(to, type);
  put(to + 4, bytes);
  std::memset(to + 8, 0, bytes);
  to[8] = static_cast<Byte>(order_);
  size_ = at + 8 + bytes;
  put(bytes_.data() + 4, ++count_);
  return to + 8;
}

void PolicyValues::add(std::uint32_t type, Moment at) { put(begin(type, 24) + 8, at); }

void PolicyValues::add(std::uint32_t type, ShortRange range) {
  Byte* const to = begin(type, 6);
  put(to + 2, range.min);
  put(to + 4, range.max);
}

void PolicyValues::add(std::uint32_t type, std::uint16_t number) { put(begin(type, 4) + 2, number); }

}  // namespace callis::ior
