// SPDX-License-Identifier: Apache-2.0
// Crossing: takes the arguments of a call within one process from the client's frame to the server's, and the results
// back, without marshaling them. For operations all of whose types are plain: primitives but wchar, top-level enums,
// structs and arrays of primitives, unbounded strings, unbounded sequences of primitives that are not inout. Whatever
// needs a look at each part, a count, or a copy of a graph is marshaled instead.
//
// What is `in` stays the caller's: strings and sequence buffers are lent to the servant, who may only read. What is
// inout is copied, so that an exception leaves the caller's as it was. What the servant gives away is handed over.
#pragma once
#include <callis/marshal/plan.h>

namespace callis::marshal {

class Crossing final {
 public:
  // server: zeros. NullPointer, BadEnum, OutOfMemory: nothing is to be destroyed then.
  Fault to_server(const void* client, void* server) const;
  // After success of the servant. On a fault (NullPointer, BadEnum) the client's frame is as before, and the server's
  // still to be destroyed. Afterwards nothing is to be destroyed.
  Fault to_client(void* server, void* client) const;

  bool empty() const { return count_ == 0; }
  // Whether the frames of two operations are laid out alike.
  bool same_as(const Crossing& other) const;

 private:
  friend struct CrossingBuilder;
  enum class What : std::uint8_t { Value, Enum, Behind, String, Sequence, Array };
  enum class Way : std::uint8_t { In, InOut, Out, Result };
  struct Step {
    What what;
    Way way;
    std::uint32_t client, server;  // offsets
    std::uint32_t size;            // bytes; of an Enum: enumerators
  };
  Fault check(const Step& s, const void* server) const;

  std::uint32_t count_ = 0;
  Step steps_[1];
};

// Of that operation, whose plans these are; nullptr: it must be marshaled, or memory is exhausted. Any thread.
const Crossing* crossing_of(const Unit& unit, Word op, const OperationPlans& plans);

}  // namespace callis::marshal
