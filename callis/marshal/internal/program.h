// SPDX-License-Identifier: Apache-2.0
// What a plan is made of. Shared by the builder (builder.cpp) and the walkers (encode.cpp, decode.cpp,
// destroy.cpp).
#pragma once
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/plan.h>
#include <cstdint>
#include <memory>
#include <vector>

namespace callis::marshal {

enum class Op : std::uint8_t {
  End,
  R1, R2, R4, R8,  // one primitive at offset
  Run,             // a = index in runs: fixed-size members from offset on
  LongDouble,
  String,     // a = bound
  Reference,  // a = index in links
  SeqPrim,    // a = bound, b = index in elements: sequence of primitives of 1, 2, 4, 8 bytes
  SeqFixed,   // a = bound, b = index in elements: sequence of elements that are one run
  SeqVar,     // a = bound, b = index in elements: any other sequence
  ArrFixed,   // a = count, b = index in elements: array of elements that are one run
  ArrVar,     // a = count, b = index in elements
  CheckBool,  // a = count: bools from offset on
  CheckEnum,  // a = count, b = enumerators: enums from offset on
  Ptr,        // a = block: the value that the pointer at offset points to
  New,        // a = block, b = native size: a value owned through the pointer at offset
};

// 16 bytes, so that offsets of any struct fit and no instruction needs a second look-up for its operands.
struct Instruction {
  Op op;
  std::uint8_t reserved[3];
  std::uint32_t offset;  // native, from the memory the block works on
  std::uint32_t a, b;
};
static_assert(sizeof(Instruction) == 16);

// bytes that move together: count elements of 1 << log2_size bytes
struct Move {
  std::uint32_t native, wire;
  std::uint32_t bytes;
  std::uint8_t log2_size;  // what to swap by; plain copies ignore it
};

// The wire form of a run that starts at one phase.
struct Variant {
  std::uint32_t wire_bytes;                // with leading padding
  std::uint32_t first_copy, copies;        // moves when byte orders agree: merged across sizes
  std::uint32_t first_swap, swaps;         // moves when they differ: merged within a size
  std::uint32_t first_pad, pads;           // zeros to send: wire and bytes
  bool plain;                              // one copy, no padding, wire offset = native offset
  ShuffleProgram encode[2], decode[2];     // instead of moves and pads, when not empty; [byte orders differ]
};

inline constexpr std::uint16_t kNoVariant = 0xffff;

struct Run {
  std::uint32_t first_item, items;  // the members, for the way across GIOP 1.1 fragments
  std::uint32_t native;             // offset of the lowest member
  std::uint32_t alignment;          // the greatest of a member
  std::uint16_t variant[8];         // by phase; kNoVariant where the run cannot start
};

// An element of a sequence or array.
struct Element {
  std::uint32_t block;        // SeqVar, ArrVar: the value; SeqFixed, ArrFixed: its checks
  std::uint32_t native_size;
  std::uint32_t minimum_wire;
  std::uint32_t run;          // SeqFixed, ArrFixed
  std::uint32_t enumerators;  // SeqPrim of enums, else 0
  std::uint8_t wire_size;     // SeqPrim
  bool boolean;               // SeqPrim of booleans
  bool checks;                // SeqFixed, ArrFixed: the block is not empty: CheckBool or CheckEnum
  bool owns;                  // destroy() has work to do
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Run> runs;
  std::vector<Variant> variants;
  std::vector<Move> moves;
  std::vector<Move> items;
  std::vector<Shuffle> shuffles;
  std::vector<Element> elements;
  std::vector<const void*> links;
};

class Plan {
 public:
  const Program* program;
  std::uint32_t block;
  std::uint32_t size, alignment, minimum_wire;
  bool owns;
};

const ReferenceHandlers& reference_handlers() noexcept;

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

// Moves of a run. Constant sizes for what is common, so that no call is made.
inline void copy_move(Byte* to, const Byte* from, std::uint32_t n) {
  switch (n) {
    case 1: *to = *from; return;
    case 2: __builtin_memcpy(to, from, 2); return;
    case 4: __builtin_memcpy(to, from, 4); return;
    case 8: __builtin_memcpy(to, from, 8); return;
    default: __builtin_memcpy(to, from, n);
  }
}
inline void swap_move(Byte* to, const Byte* from, const Move& m) {
  const std::size_t size = std::size_t{1} << m.log2_size;
  switch (m.bytes == size ? m.log2_size : m.log2_size == 0 ? 8 : 9) {
    case 0: *to = *from; return;
    case 1: return store(to, load<std::uint16_t>(from, true));
    case 2: return store(to, load<std::uint32_t>(from, true));
    case 3: return store(to, load<std::uint64_t>(from, true));
    case 8: return copy_move(to, from, m.bytes);
    default: return copy_swapped(to, from, m.bytes >> m.log2_size, size);
  }
}

inline bool enums_in_range(const Byte* from, std::size_t n, std::uint32_t enumerators) {
  for (std::size_t i = 0; i < n; ++i)
    if (load<std::uint32_t>(from + 4 * i) >= enumerators) return false;
  return true;
}

// The sequence at i.offset, emptied; i is one of the three sequence instructions.
void destroy_sequence(const Program& program, const Instruction& i, void* memory);
// Frees what a block's value owns; zeros where owners were.
void destroy_block(const Program& program, std::uint32_t block, void* memory);

}  // namespace callis::marshal
