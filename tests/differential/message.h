// SPDX-License-Identifier: Apache-2.0
// Messages: one value as bytes, written by the reference codec and perhaps spoiled.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/marshal/testing/reference_codec.h>
#include <memory>
#include <string>

namespace differential {

using callis::Byte;
using callis::marshal::testing::Bytes;
using callis::marshal::testing::Random;

// Memory of one value, zeros at first.
class Value {
 public:
  explicit Value(std::size_t bytes) : memory_(bytes / 16 + 1) {}
  Byte* data() { return reinterpret_cast<Byte*>(memory_.data()); }

 private:
  struct alignas(16) Chunk { Byte b[16] = {}; };
  std::vector<Chunk> memory_;
};

struct Message {
  Bytes bytes;
  std::vector<std::size_t> breaks;  // where fragments begin, but the first
  std::vector<callis::marshal::testing::Mark> marks;
  callis::ByteOrder order;
  std::size_t phase;        // of the first byte
  std::size_t reply_phase;  // where the value starts when it is encoded again
  callis::cdr::Budget budget;
  std::string spoiled;      // how; empty for a good message

  // The fragments, each a block of its own with nothing behind it, so that a sanitizer sees its end.
  class Segments {
   public:
    explicit Segments(const Message& m);
    const std::vector<callis::cdr::Segment>& list() const { return list_; }

   private:
    std::vector<std::unique_ptr<Byte[]>> blocks_;
    std::vector<callis::cdr::Segment> list_;
  };
};

// The value in random byte order, at a random phase, sometimes in fragments; mostly with more budget than it needs.
Message write_message(const callis::marshal::Unit& unit, callis::marshal::Word type, const Byte* value,
                      Random& random);
// Breaks rules or bits of a good message, one to three times.
void spoil(Message& message, Random& random);

}  // namespace differential
