// SPDX-License-Identifier: Apache-2.0
// The parts of a plan. They are shared by the builder (builder.cpp) and the walkers (encode.cpp, decode.cpp,
// destroy.cpp and others).
#pragma once
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/array.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/plan.h>
#include <cstdint>
#include <memory>

namespace callis::marshal {

// A block is a list of instructions that ends with End. It works on a *base*, from which its offsets count. The base
// is the memory that the walk was given, until Base or New moves the base.
enum class Op : std::uint8_t {
  End,
  R1, R2, R4, R8,  // one primitive at offset, but for chars
  Char,
  Run,             // a = index in runs: fixed-size members; their addresses are the run's
  LongDouble,
  String,     // a = bound
  Reference,  // a = index in links
  SeqPrim,    // a = bound, b = index in elements: sequence of primitives of 1, 2, 4, 8 bytes
  SeqFixed,   // a = bound, b = index in elements: sequence of elements that are one run
  SeqString,  // a = bound, b = bound of the strings: sequence of strings
  SeqVar,     // a = bound, b = index in elements: any other sequence
  ArrFixed,   // a = count, b = index in elements: array of elements that are one run
  ArrVar,     // a = count, b = index in elements
  WChar,
  WString,    // a = bound
  Fixed,      // a = digits, b = scale
  Slot,       // a = index in links, b = the Kind: Any, TypeCode, Abstract or Value
  Union,      // a = index in unions
  // In frames of operations only:
  Base,       // what follows lies where the pointer at offset in the frame points to; b as in New
  New,        // what follows lies in a value owned through the pointer at offset from the base, a = its size;
              // b = instructions to skip when there is none
  Frame,      // what follows lies in the frame again; ends New and Base; a = 1: frees the value of New
  Borrow,     // a = 1: what follows is an `in` argument, which may stay in the message or the arena; a = 0: no more
};

// 16 bytes, so that offsets of any struct fit and no instruction needs a second look-up for its operands.
struct Instruction {
  Op op;
  std::uint8_t reserved[3];
  std::uint32_t offset;  // native, from the base
  std::uint32_t a, b;
};
static_assert(sizeof(Instruction) == 16);

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

// A member of a run: bytes / (1 << log2_size) primitives that follow each other.
struct Item {
  std::uint32_t slot;    // of the frame: a pointer, never null, to what native counts from; kNoSlot: the base
  std::uint32_t native;
  std::uint32_t bytes;
  std::uint32_t check;   // kNoCheck, kBoolean, or the number of enumerators
  std::uint8_t log2_size;
  bool chars;            // of the code set of chars, not octets
};
inline constexpr std::uint32_t kNoCheck = 0xffffffff, kBoolean = 0;

// A step in moving a run. Reading never addresses the wire beyond the run; writing addresses up to Buffer::kSlop
// beyond the run.
struct Move {
  enum Kind : std::uint8_t {
    Copy1, Copy2, Copy4, Copy8, Copy,  // bytes as they are
    Swap2, Swap4, Swap8, Swap,         // elements of 1 << log2_size bytes, turned round
    Shuffles,                          // count of them from first
    Zero,                              // up to 7 bytes of padding to send: a whole word, what follows comes later
  };
  static constexpr std::uint8_t kIndirect = 16;  // in kind: memory is behind the pointer at slot
  std::uint8_t kind;
  std::uint8_t log2_size;
  std::uint16_t count;    // Shuffles
  std::uint32_t slot;     // as in Item
  std::uint32_t native, wire;
  std::uint32_t bytes;    // Copy, Swap, Zero; Shuffles: first
  const Shuffle* shuffles;  // the same as a pointer, set by Builder::finish()
  const void* step;         // the code that does it, set by Builder::finish()
  bool is(Kind k) const { return (kind & (kIndirect - 1)) == k; }
};

struct MoveList {
  const Move *moves, *end;  // set by Builder::finish()
  std::uint32_t first, count;  // in Program::moves
  bool rare;  // needs put_rare() and get_rare(): internal/moves.h
};

// Elements that a peer may have got wrong, on the wire from a run's start.
struct Check {
  std::uint32_t wire, count;
  std::uint32_t limit;  // kBoolean or the number of enumerators
};

// The wire form of a run that starts at one phase.
struct Variant {
  std::uint32_t wire_bytes;           // with leading padding
  MoveList encode[2], decode[2];      // [byte orders differ]
  std::uint32_t first_check, checks;
  bool has_enums;  // checks for the sender
};

inline constexpr std::uint32_t kNoVariant = 0xffffffff;

struct Run {
  std::uint32_t first_item, items;  // the members, for the way across GIOP 1.1 fragments
  std::uint32_t alignment;          // the greatest of a member
  std::uint32_t reaches;            // 1: has members behind pointers of the frame: the walk's memory is the frame
  std::uint32_t variant[8];         // by phase; kNoVariant where the run cannot start
};

// An element of a sequence or array.
struct Element {
  std::uint32_t block;        // SeqVar, ArrVar: the value
  std::uint32_t native_size;
  std::uint32_t minimum_wire; // as Decoder::count() wants it
  std::uint32_t run;          // SeqFixed, ArrFixed
  std::uint32_t check;        // SeqPrim: as in Item
  std::uint8_t wire_size;     // SeqPrim, else 0
  bool owns;                  // destroy() has work to do
  bool chars;                 // SeqPrim: as in Item
};

// A union: its discriminator at the instruction's offset, the memory of its members at `area` from there.
struct UnionPlan {
  Kind discriminator;
  std::uint8_t size;         // of the discriminator in memory
  bool owns;                 // destroy() has work to do
  bool dense;                // labels are consecutive numbers
  std::uint32_t check;       // of the discriminator, as in Item
  std::uint32_t area, area_bytes;
  std::uint32_t first_label, labels;  // in Program::labels, in ascending order
  std::uint32_t otherwise;   // the block of the default member; kNoBlock: none
};
inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct Label {
  std::uint64_t value;  // as many bytes as the discriminator has, the rest 0
  std::uint32_t block;
};

struct Program {
  Array<Instruction> code;
  Array<Run> runs;
  Array<Variant> variants;
  Array<Move> moves;
  Array<Item> items;
  Array<Check> checks;
  Array<Shuffle> shuffles;
  Array<Element> elements;
  Array<UnionPlan> unions;
  Array<Label> labels;
  const Extension* extension = nullptr;
  Array<const void*> links;

  void each_array(auto f) {
    f(code), f(runs), f(variants), f(moves), f(items), f(checks), f(shuffles), f(elements), f(unions), f(labels),
        f(links);
  }
};

// The wire form and the native form of elements are the same bytes: many go as one.
inline bool is_plain(const MoveList& list, std::size_t wire_bytes, std::size_t native_bytes) {
  const Move& m = *list.moves;
  return list.count == 1 && m.kind <= Move::Copy && m.native == 0 && m.wire == 0 && wire_bytes == native_bytes;
}

// How a plan is run that has no short way.
enum class Way : std::uint8_t {
  Walk,
  Nothing,  // there is nothing to do
  Scoped,   // values may occur: inside a scope of theirs (handlers.h)
};

class Plan {
 public:
  const Program* program;
  std::uint32_t block;
  std::uint32_t size, alignment, minimum_wire;
  bool owns;
  Way way = Way::Walk;
  const Variant* flat[8] = {};         // by phase: of the run that is all there is, when it is simple; or nullptr
};


inline Byte* at(void* memory, std::uint32_t offset) { return static_cast<Byte*>(memory) + offset; }
inline const Byte* at(const void* memory, std::uint32_t offset) {
  return static_cast<const Byte*>(memory) + offset;
}
template <class T>
inline T read(const void* memory, std::uint32_t offset) {
  T v;
  __builtin_memcpy(&v, at(memory, offset), sizeof v);
  return v;
}
template <class T>
inline void write(void* memory, std::uint32_t offset, T v) {
  __builtin_memcpy(at(memory, offset), &v, sizeof v);
}

inline bool enums_in_range(const Byte* from, std::size_t n, std::uint32_t enumerators, bool swap = false) {
  for (std::size_t i = 0; i < n; ++i)
    if (load<std::uint32_t>(from + 4 * i, swap) >= enumerators) return false;
  return true;
}
inline bool booleans(const Byte* from, std::size_t n) {
  Byte seen = 0;
  for (std::size_t i = 0; i < n; ++i) seen |= from[i];
  return seen <= 1;
}

// The discriminator of a union in memory, and the block of the member that it selects; kNoBlock: none.
inline std::uint64_t discriminator(const UnionPlan& u, const Byte* at) {
  switch (u.size) {
    case 1: return *at;
    case 2: return load<std::uint16_t>(at);
    case 4: return load<std::uint32_t>(at);
    default: return load<std::uint64_t>(at);
  }
}
std::uint32_t selected_block(const Program& program, const UnionPlan& u, std::uint64_t discriminator);
// Reads one from the peer, checked. Something, and the decoder's fault, when it is wrong.
std::uint64_t get_discriminator(const UnionPlan& u, cdr::Decoder& decoder);

// The sequence at i.offset, emptied; i is one of the sequence instructions.
void destroy_sequence(const Program& program, const Instruction& i, void* memory);
// Frees what a block's value owns; zeros where owners were.
void destroy_block(const Program& program, std::uint32_t block, void* memory);

}  // namespace callis::marshal
