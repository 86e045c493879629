// SPDX-License-Identifier: Apache-2.0
// Messaging::PolicyValueSeq in an encapsulation: the policies that a reference carries (TAG_POLICIES) and that a
// request is told (the service context INVOCATION_POLICIES; CORBA 3.0.3, 22.3). Each value is an encapsulation of its
// own.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <array>
#include <cstdint>
#include <optional>

namespace callis::ior {

// TimeBase::UtcT::time: since 15 October 1582, 00:00 UTC, in units of 100 ns.
using Moment = std::uint64_t;

// Messaging::PriorityRange and RoutingTypeRange.
struct ShortRange {
  std::int16_t min = 0, max = 0;
  friend bool operator==(const ShortRange&, const ShortRange&) = default;
};

// The value of the first policy of that type, a view of policies; empty when there is none. A fault where the whole
// is malformed anywhere.
Result<ByteView> find_policy_value(ByteView policies, std::uint32_t type, const Limits& limits = {});

// A value; none where it is malformed. Bytes after it are ignored, as in other encapsulations.
std::optional<Moment> read_moment(ByteView value);
std::optional<ShortRange> read_short_range(ByteView value);
std::optional<std::uint16_t> read_ushort(ByteView value);

// Written in place, without allocation.
class PolicyValues final {
 public:
  // Of what is added at most: two moments, three ranges and a number.
  static constexpr std::size_t kMost = 8 + 2 * 32 + 3 * 16 + 12;

  explicit PolicyValues(ByteOrder order = kNativeOrder) : order_(order) { clear(); }
  void clear();
  bool empty() const { return count_ == 0; }

  void add(std::uint32_t type, Moment at);
  void add(std::uint32_t type, ShortRange range);
  void add(std::uint32_t type, std::uint16_t number);

  // As long as this is not changed.
  ByteView bytes() const { return {bytes_.data(), size_}; }

 private:
  Byte* begin(std::uint32_t type, std::uint32_t bytes);
  template <class T>
  void put(Byte* to, T value) { store(to, value, order_ != kNativeOrder); }

  ByteOrder order_;
  std::uint32_t size_, count_;
  std::array<Byte, kMost> bytes_;
};

}  // namespace callis::ior
