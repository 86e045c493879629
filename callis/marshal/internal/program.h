// SPDX-License-Identifier: Apache-2.0
// The parts of a plan. They are shared by the builder (builder.cpp) and the walkers (encode.cpp, decode.cpp,
// destroy.cpp and others).
//
// All parts of a program stand in its tables (tables.h), one array of words. They refer to each other by *refs*,
// bytes from the start of the tables, or by *steps*, bytes from the part that has the step. All fields are words, so
// that the tables are the same in both byte orders; only shuffles have bytes, and no big-endian processor runs these.
#pragma once
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/array.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/tables.h>
#include <cstdint>
#include <memory>

namespace callis::marshal {

using Ref = std::uint32_t;

template <class T>
inline const T* behind(const void* place, std::uint32_t bytes) {
  return reinterpret_cast<const T*>(static_cast<const Byte*>(place) + bytes);
}

// A block is a list of instructions that ends with End. It works on a *base*, from which its offsets count. The base
// is the memory that the walk was given, until Base or New moves the base.
enum class Op : std::uint32_t {
  End,
  R1, R2, R4, R8,  // one primitive at offset, but for chars
  Char,
  Run,             // a = ref of a Run: fixed-size members; their addresses are the run's
  LongDouble,
  String,     // a = bound
  Reference,  // a = index in links
  SeqPrim,    // a = bound, b = ref of an Element: sequence of primitives of 1, 2, 4, 8 bytes
  SeqFixed,   // a = bound, b = ref of an Element: sequence of elements that are one run
  SeqString,  // a = bound, b = bound of the strings: sequence of strings
  SeqVar,     // a = bound, b = ref of an Element: any other sequence
  ArrFixed,   // a = count, b = ref of an Element: array of elements that are one run
  ArrVar,     // a = count, b = ref of an Element
  WChar,
  WString,    // a = bound
  Fixed,      // a = digits, b = scale
  Slot,       // a = index in links, b = the Kind: Any, TypeCode, Abstract or Value
  Union,      // a = ref of a UnionPlan
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
  std::uint32_t offset;  // native, from the base
  std::uint32_t a, b;
};
static_assert(sizeof(Instruction) == 16);

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

// A member of a run: bytes >> log2_size() primitives that follow each other.
struct Item {
  std::uint32_t slot;    // of the frame: a pointer, never null, to what native counts from; kNoSlot: the base
  std::uint32_t native;
  std::uint32_t bytes;
  std::uint32_t check;   // kNoCheck, kBoolean, or the number of enumerators
  std::uint32_t form;    // log2_size | chars << 8

  std::uint32_t log2_size() const { return form & 0xff; }
  std::uint32_t size() const { return 1u << log2_size(); }
  bool chars() const { return form >> 8 != 0; }  // of the code set of chars, not octets
};
inline constexpr std::uint32_t kNoCheck = 0xffffffff, kBoolean = 0;

// A step in moving a run. Reading never addresses the wire beyond the run; writing addresses up to Buffer::kSlop
// beyond the run.
struct Move {
  enum Kind : std::uint8_t {
    Copy1, Copy2, Copy4, Copy8, Copy,  // bytes as they are
    Swap2, Swap4, Swap8, Swap,         // elements of 1 << log2_size() bytes, turned round
    Shuffles,                          // count() of them, `bytes` behind this move
    Zero,                              // up to 7 bytes of padding to send: a whole word, what follows comes later
  };
  static constexpr std::uint32_t kIndirect = 16;  // in how: memory is behind the pointer at slot()
  static constexpr std::uint32_t kLast = 32;      // in how: of its list
  static constexpr std::uint32_t kSlotUnit = 4, kMostSlot = 0xffff * kSlotUnit;

  std::uint32_t how;      // Kind, kIndirect, kLast; log2_size or count << 8; slot / kSlotUnit << 16
  std::uint32_t native, wire;
  std::uint32_t bytes;    // Copy, Swap, Zero; Shuffles: as above

  Kind kind() const { return static_cast<Kind>(how & (kIndirect - 1)); }
  bool indirect() const { return (how & kIndirect) != 0; }
  bool last() const { return (how & kLast) != 0; }
  std::uint32_t log2_size() const { return how >> 8 & 0xff; }
  std::uint32_t count() const { return how >> 8 & 0xff; }
  std::uint32_t slot() const { return (how >> 16) * kSlotUnit; }
  const Shuffle* shuffles() const { return behind<Shuffle>(this, bytes); }
};

// Moves that follow each other, at least one. A list without moves has not been made: the run goes item by item.
struct MoveList {
  static constexpr std::uint32_t kRare = 1u << 31;     // needs put_rare() and get_rare(): internal/moves.h
  static constexpr std::uint32_t kVectors = 1u << 30;  // has shuffles

  std::uint32_t at;    // a step from here
  std::uint32_t what;  // number of moves, kRare, kVectors

  const Move* moves() const { return behind<Move>(this, at); }
  bool made() const { return what != 0; }
  bool rare() const { return (what & kRare) != 0; }
  bool vectors() const { return (what & kVectors) != 0; }
  std::uint32_t count() const { return what & ~(kRare | kVectors); }
};

// Elements that a peer may have got wrong, on the wire from a part's start.
struct Check {
  std::uint32_t wire, count;
  std::uint32_t limit;  // kBoolean or the number of enumerators
};

// Members of a run whose places on the wire are known, once the part has been aligned.
struct Part {
  std::uint32_t alignment;            // of the start; 1: it starts where the cursor stands
  std::uint32_t wire_bytes;           // with leading padding, if that is known
  MoveList encode, decode, swapped;   // swapped: decode from the other byte order
  std::uint32_t first_check, checks;  // first_check: a step from the part
  std::uint32_t has_enums;            // checks for the sender

  const Check* check() const { return behind<Check>(this, first_check); }
};

// A run at the phase where it mostly starts is one part, with all padding known. At any other phase it is a few
// parts: each begins with a member of a greater alignment than all before it. So the padding within a part is always
// known.
struct Run {
  static constexpr std::uint32_t kNoPhase = 8;

  std::uint32_t first_item, items;  // a step; the members, for the ways that have no part
  std::uint32_t alignment;          // the greatest of a member
  std::uint32_t reaches;            // 1: has members behind pointers of the frame: the walk's memory is the frame
  std::uint32_t phase;              // modulo alignment, at which `whole` serves; kNoPhase: at none
  std::uint32_t whole_at, parts_at;  // steps
  std::uint32_t parts;              // for the other phases; 0: go item by item

  const Item* item() const { return behind<Item>(this, first_item); }
  bool starts_at(std::size_t p) const { return (p & (alignment - 1)) == phase; }
  const Part& whole() const { return *behind<Part>(this, whole_at); }
  const Part* first_part() const { return behind<Part>(this, parts_at); }
};

// An element of a sequence or array.
struct Element {
  Ref block;                  // SeqVar, ArrVar: the value
  std::uint32_t native_size;
  std::uint32_t minimum_wire; // as Decoder::count() wants it
  Ref run;                    // SeqFixed, ArrFixed
  std::uint32_t check;        // SeqPrim: as in Item
  std::uint32_t form;         // wire_size, kOwns, kChars

  static constexpr std::uint32_t kOwns = 1u << 8, kChars = 1u << 9;
  std::uint32_t wire_size() const { return form & 0xff; }  // SeqPrim, else 0
  bool owns() const { return (form & kOwns) != 0; }        // destroy() has work to do
  bool chars() const { return (form & kChars) != 0; }      // SeqPrim: as in Item
};

// A union: its discriminator at the instruction's offset, the memory of its members at `area` from there.
struct UnionPlan {
  std::uint32_t form;        // the discriminator's Kind, its size in memory << 8, kOwns, kDense
  std::uint32_t check;       // of the discriminator, as in Item
  std::uint32_t area, area_bytes;
  Ref first_label;           // in ascending order
  std::uint32_t labels;
  Ref otherwise;             // the block of the default member; kNoBlock: none

  static constexpr std::uint32_t kOwns = 1u << 16, kDense = 1u << 17;
  Kind discriminator() const { return static_cast<Kind>(form & 0xff); }
  std::uint32_t size() const { return form >> 8 & 0xff; }
  bool owns() const { return (form & kOwns) != 0; }    // destroy() has work to do
  bool dense() const { return (form & kDense) != 0; }  // labels are consecutive numbers
};
inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct Label {
  std::uint32_t low, high;  // as many bytes as the discriminator has, the rest 0
  Ref block;

  std::uint64_t value() const { return low | std::uint64_t{high} << 32; }
};

inline const Instruction* code(const Program& p, Ref block) { return behind<Instruction>(p.tables, block); }
// The tables begin with their size and the number of all instructions, which follow.
inline constexpr Ref kFirstInstruction = 2 * sizeof(Word);
inline std::size_t bytes_of_tables(const Program& p) { return p.tables[0]; }
inline Word instructions(const Program& p) { return p.tables[1]; }
inline const Instruction* first_instruction(const Program& p) { return code(p, kFirstInstruction); }
inline const Part* flat_part(const Plan& plan) { return reinterpret_cast<const Part*>(plan.flat); }

// The wire form and the native form of elements are the same bytes: many go as one.
inline bool is_plain(const MoveList& list, std::size_t wire_bytes, std::size_t native_bytes) {
  if (list.count() != 1 || wire_bytes != native_bytes) return false;
  const Move& m = *list.moves();
  return m.kind() <= Move::Copy && m.native == 0 && m.wire == 0;
}

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

// The bytes that a run takes on the wire from a phase on, with leading padding.
inline std::size_t wire_bytes(const Run& run, std::size_t phase) {
  std::size_t end = phase;
  const Item* item = run.item();
  for (std::uint32_t i = 0; i < run.items; ++i, ++item) end = align_up(end, std::size_t{item->size()}) + item->bytes;
  return end - phase;
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
  switch (u.size()) {
    case 1: return *at;
    case 2: return load<std::uint16_t>(at);
    case 4: return load<std::uint32_t>(at);
    default: return load<std::uint64_t>(at);
  }
}
Ref selected_block(const Program& program, const UnionPlan& u, std::uint64_t discriminator);
// Reads one from the peer, checked. Something, and the decoder's fault, when it is wrong.
std::uint64_t get_discriminator(const UnionPlan& u, cdr::Decoder& decoder);

// The sequence at i.offset, emptied; i is one of the sequence instructions.
void destroy_sequence(const Program& program, const Instruction& i, void* memory);
// Frees what a block's value owns; zeros where owners were.
void destroy_block(const Program& program, Ref block, void* memory);

}  // namespace callis::marshal
