// SPDX-License-Identifier: Apache-2.0
// TypeCodes that were received lately, by their bytes: of the same TypeCode many come, which is read and worked out
// once.
//
// The cache is the process's; any thread. It is bounded in entries, and in what each of them may hold. A TypeCode
// that is found costs the message what it would have cost to read it, so that no limit depends on what came before.
#pragma once
#include <callis/base/buffer.h>
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
  // Passes over it, with a count for the caller; nullptr, and nothing done, when it is not known (or has no
  // encapsulation). Known to the process, when it is not longer than that: costs what reading it has cost. Or known
  // to the message alone, of any length (internal/message_types.h): costs nothing.
  TypeCode_ptr find(cdr::Decoder& d) noexcept;
  // What reading it has cost in bytes and depth. One that was found before is left alone. False: it is longer than
  // that.
  bool keep(TypeCode_ptr type, std::size_t bytes, std::uint32_t depth) const noexcept;
  // For the message alone, which is charged.
  void keep_in_message(TypeCode_ptr type, std::uint32_t depth, cdr::Decoder& d) const noexcept;

 private:
  TypeCode_ptr find_as_it_is(cdr::Decoder& d) const noexcept;
  TypeCode_ptr find_in_process(cdr::Decoder& d) const noexcept;
  TypeCode_ptr find_in_message(cdr::Decoder& d) const noexcept;
  // The same bytes without what stands in padding. False: there is nothing to clear.
  bool clear_padding(const cdr::Decoder& d) noexcept;

  const Byte* end_ = nullptr;  // in the message
  ByteView wire_;              // empty: never kept
  Buffer cleared_;
  ByteOrder order_;
  std::uint64_t hash_ = 0;
};

// As get_type_code(), without the cache. depth: how deep it is nested.
TypeCode_ptr read_type_code(cdr::Decoder& d, std::uint32_t& depth) noexcept;

// For tests: entries in use.
std::size_t received_entries() noexcept;

}  // namespace callis::typecode
