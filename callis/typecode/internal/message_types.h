// SPDX-License-Identifier: Apache-2.0
// TypeCodes of Anys that came in one message, by their bytes, which the cache of the process does not take: what
// values lie in depends on the factories that there are, and some are long or have large plans. Anys of one such type
// share it, and the message is charged for it once.
//
// It hangs on the scope of values around what is decoded (marshal/handlers.h), and ends with it. One thread.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/typecode/internal/cache.h>
#include <map>

namespace callis::typecode {

class MessageTypes {
 public:
  MessageTypes() = default;
  MessageTypes(const MessageTypes&) = delete;
  MessageTypes& operator=(const MessageTypes&) = delete;
  ~MessageTypes();

  // Those of the message being decoded, made when nobody has kept one before; nullptr: no scope is open, or memory is
  // exhausted.
  static MessageTypes* of(cdr::Decoder& d) noexcept;
  // nullptr when there are none yet.
  static const MessageTypes* known(const cdr::Decoder& d) noexcept;

  // With a count for the caller; nullptr: it is not known, or nested deeper than the decoder may go.
  TypeCode_ptr find(ByteView wire, std::uint64_t hash, ByteOrder order, const cdr::Budget& budget) const noexcept;
  // wire: copied, and charged to d's message. depth: how deep it is nested.
  void keep(ByteView wire, std::uint64_t hash, TypeCode_ptr type, std::uint32_t depth, cdr::Decoder& d) noexcept;

 private:
  struct Key {
    std::uint64_t hash;
    ByteView wire;
    ByteOrder order;
    bool operator<(const Key& other) const;
  };
  struct Entry {
    std::unique_ptr<Byte[]> wire;  // the key's
    TypeCode_ptr type;             // counted
    std::uint32_t depth;
  };
  // A tree, so that hashes that a peer makes collide cost little.
  std::map<Key, Entry> by_bytes_;
};

}  // namespace callis::typecode
