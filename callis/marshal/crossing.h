// SPDX-License-Identifier: Apache-2.0
// Crossing: takes the arguments of a call within one process from the client's frame to the server's, and the results
// back, without marshaling them. It serves operations whose types are all plain: primitives but wchar, top-level
// enums, structs and arrays of primitives, unbounded strings, unbounded sequences of primitives that are not inout.
// Types that need a look at each part, a count, or a copy of a graph are marshaled instead.
//
// `in` arguments stay the caller's: strings and sequence buffers are lent to the servant, which may only read.
// `inout` arguments are copied, so that an exception leaves the caller's values unchanged. Values that the servant
// gives away are handed over.
#pragma once
#include <callis/marshal/plan.h>
#include <cstring>

namespace callis::marshal {

class Crossing final {
 public:
  // server: zeros. NullPointer, BadEnum, OutOfMemory: nothing is to be destroyed then.
  Fault to_server(const void* client, void* server) const;
  // Called after success of the servant. On a fault (NullPointer, BadEnum) the client's frame is as before, and the
  // server's frame must still be destroyed. Otherwise nothing must be destroyed afterwards.
  Fault to_client(void* server, void* client) const;

  // Frees what a server's frame owns: what to_server() copied, and what the servant gave away.
  void destroy(void* server) const;

  // Nothing of the call can be refused, and the client's frame is laid out as the server's: it can be given to the
  // servant's thunk itself.
  bool as_is() const { return as_is_; }
  // Nothing of the call can be refused, and the server's frame owns nothing and has at most kSmallFrame bytes,
  // aligned as SmallFrame is: then move_in() and move_out() do.
  bool small() const { return small_; }
  static constexpr std::size_t kSmallFrame = 64;
  struct alignas(16) SmallFrame {
    std::byte bytes[kSmallFrame] = {};
  };
  // Whether the frames of two operations are laid out alike.
  bool same_as(const Crossing& other) const;

  [[gnu::always_inline]] void move_in(const void* client, void* server) const {
    for (const Move *m = in_, *const end = in_ + ins_; m != end; ++m)
      move_bytes(*m, place(server, m->server, false), place(client, m->client, m->behind));
  }
  [[gnu::always_inline]] void move_out(const void* server, void* client) const {
    for (const Move *m = out_, *const end = out_ + outs_; m != end; ++m)
      move_bytes(*m, place(client, m->client, m->behind), place(server, m->server, false));
  }

 private:
  friend struct CrossingBuilder;
  enum class What : std::uint8_t { Value, Enum, Behind, String, Sequence, Array };
  enum class Way : std::uint8_t { In, InOut, Out, Result };
  struct Step {
    What what;
    Way way;
    std::uint32_t client, server;  // offsets
    std::uint32_t size;            // bytes; of an Enum: enumerators
    bool is_scalar() const { return what == What::Value || what == What::Enum; }
  };
  // The steps in one direction, if nothing is refused.
  enum class How : std::uint8_t { Four, Two, Eight, One, Bytes, CopyString, ReplaceString };
  struct Move {
    How how;
    bool behind;  // the client's slot holds the address
    std::uint32_t client, server, size;
  };
  void add_moves(const Step& s);
  static How how_to_move(std::uint32_t bytes);
  Fault check_arguments(const void* client) const;
  Fault check_results(const void* server) const;
  Fault copy_string(const Move& move, const void* from, void* server) const;

  [[gnu::always_inline]] static void move_bytes(const Move& m, void* to, const void* from) {
    if (m.how == How::Four) std::memcpy(to, from, 4);
    else if (m.how == How::Two) std::memcpy(to, from, 2);
    else if (m.how == How::Eight) std::memcpy(to, from, 8);
    else if (m.how == How::One) std::memcpy(to, from, 1);
    else std::memcpy(to, from, m.size);
  }
  [[gnu::always_inline]] static void* place(void* frame, std::uint32_t at, bool behind) {
    void* p = static_cast<std::byte*>(frame) + at;
    if (behind) std::memcpy(&p, p, sizeof p);
    return p;
  }
  [[gnu::always_inline]] static const void* place(const void* frame, std::uint32_t at, bool behind) {
    const void* p = static_cast<const std::byte*>(frame) + at;
    if (behind) std::memcpy(&p, p, sizeof p);
    return p;
  }
  std::uint32_t count_ = 0;
  std::uint16_t ins_ = 0, outs_ = 0;
  bool small_ = false, as_is_ = false;
  Move* out_ = nullptr;  // in the same memory, like
  Step* steps_ = nullptr;
  Move in_[1];
};

// In OperationState::crossing: it must be marshaled.
inline const Crossing* const kNoCrossing = reinterpret_cast<const Crossing*>(std::uintptr_t{1});
// Of that operation, whose plans these are; nullptr: it must be marshaled, or memory is exhausted. Any thread.
const Crossing* crossing_of(const Unit& unit, Word op, const OperationPlans& plans);
// The one that has been made; nullptr before, and where there is none.
inline const Crossing* known_crossing(const OperationPlans& plans) {
  const Crossing* const known = __atomic_load_n(&plans.state->crossing, __ATOMIC_ACQUIRE);
  return known == kNoCrossing ? nullptr : known;
}

}  // namespace callis::marshal
