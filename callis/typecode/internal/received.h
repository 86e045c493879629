// SPDX-License-Identifier: Apache-2.0
// TypeCodes that were received lately, by their bytes: of the same TypeCode many come, which is read and worked out once.
//
// The cache is the process's; any thread. It is bounded in entries, and in what each of them may hold. A TypeCode that is
// found costs the message what it would have cost to read it, so that no limit depends on what came before.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/typecode/internal/cache.h>

namespace callis::typecode {

// Of one entry: its bytes, and the plan that hangs on it.
inline constexpr std::size_t kMaxReceivedBytes = 4096;
inline constexpr std::size_t kMaxReceivedPlanBytes = 32u << 10;
inline constexpr std::size_t kReceivedEntries = 128;

// The TypeCode that follows in a decoder, which stands where it does until find() has succeeded.
class Received {
 public:
  explicit Received(const cdr::Decoder& d) noexcept;
  // Passes over it, with a count for the caller; nullptr, and nothing done, when it is not known (or has no encapsulation,
  // or is longer than that).
  TypeCode_ptr find(cdr::Decoder& d) const noexcept;
  // What reading it has cost in bytes and depth. One that was found before is left alone. False: it is longer than that.
  bool keep(TypeCode_ptr type, std::size_t bytes, std::uint32_t depth) const noexcept;

  // The same among those of the message alone, of any length (internal/message_types.h): what is found costs nothing, what
  // is kept is charged.
  TypeCode_ptr find_in_message(cdr::Decoder& d) const noexcept;
  void keep_in_message(TypeCode_ptr type, std::uint32_t depth, cdr::Decoder& d) const noexcept;

 private:
  ByteView wire_;  // empty: never kept
  ByteOrder order_;
  std::uint64_t hash_ = 0;
};

// As get_type_code(), without the cache. depth: how deep it is nested.
TypeCode_ptr read_type_code(cdr::Decoder& d, std::uint32_t& depth) noexcept;

// For tests: entries in use.
std::size_t received_entries() noexcept;

}  // namespace callis::typecode
