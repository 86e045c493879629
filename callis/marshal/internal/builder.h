// SPDX-License-Identifier: Apache-2.0
// Builds a Program from descriptors by abstract interpretation over alignment phases: while it emits
// instructions it knows the set of offsets mod 8 at which the next byte can stand.
#pragma once
#include <callis/base/feature.h>
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/program.h>
#include <concepts>

namespace callis::marshal {

inline std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

// A set of phases: bit p for offset p mod 8.
using PhaseSet = std::uint8_t;
inline constexpr PhaseSet kAnyPhase = 0xff;
// The phases after n bytes.
inline PhaseSet rotate(PhaseSet s, std::size_t n) {
  n &= 7;
  return static_cast<PhaseSet>(s << n | s >> (8 - n));
}
// Of what is aligned there.
inline PhaseSet aligned(PhaseSet s, std::size_t alignment) {
  PhaseSet out = 0;
  for (unsigned p = 0; p < 8; ++p)
    if (s >> p & 1) out = static_cast<PhaseSet>(out | 1u << (align_up(p, alignment) & 7));
  return out;
}

// Whether values of one of the kinds (bit k for Kind k) lie somewhere inside a value of the type.
using KindSet = std::uint64_t;
constexpr KindSet kinds(std::same_as<Kind> auto... k) { return (... | (KindSet{1} << static_cast<unsigned>(k))); }
bool holds(const Unit& unit, Word type, KindSet kinds, Work* work = nullptr);
// The kinds that need scopes of values: an abstract interface or an any may be a value.
inline constexpr KindSet kSharing = kinds(Kind::Value, Kind::Abstract, Kind::Any);

class Builder {
 public:
  Builder(const Unit& unit, Program& program) : unit_(unit), program_(program) { program.extension = unit.extension; }
  ~Builder();
  // From now on charges the building, and the program, to the Work. Without a Work nothing is charged, as for the
  // types of the application.
  void charge_to(Work& work);

  // The emitting calls below go to the block that is open. Blocks nest; each ends with End.
  void open_block(PhaseSet start);
  std::uint32_t close_block();  // its number until finish()

  void emit(Word type, std::uint32_t offset);          // the value at offset, of a type that is a whole by itself
  void emit_pointed(Word type, std::uint32_t offset);  // in a frame: the value behind the pointer at offset
  void emit_owned(Word type, std::uint32_t offset);    // in a frame: a T* at offset, allocated when decoded
  void emit_pointed_owned(Word type, std::uint32_t offset);  // in a frame: the same behind a T** at offset
  // An argument that decoding may leave in the message or the arena.
  void emit_borrowed(Word type, std::uint32_t offset);
  // Whether the block that is open has anything for destroy().
  bool owns() const { return open_.back().owns; }
  // Whether values may occur in it, which wants a scope.
  bool shares() const { return open_.back().shares; }

  // Extension::emit.
  static void emit_extended(Builder& to, const Resolved& r, Word type, std::uint32_t offset);

  // A block of one value at offset 0.
  std::uint32_t value_block(Word type);
  // The members of an exception object.
  std::uint32_t exception_block(Word entry);

  // Puts the blocks into the program; afterwards block numbers are positions through block_position().
  void finish();
  std::uint32_t block_position(std::uint32_t block) const { return positions_[block]; }
  // After finish(): gives the plan of a block its short way, if there is one.
  void shorten(Plan& plan) const;
  TypeFacts facts(Word type) const { return facts_of(unit_, type, &memo_); }

 private:
  // The base of offsets: the frame, the target of a pointer in the frame (its offset), or the result of Base or New.
  using Place = std::uint32_t;
  static constexpr Place kFrame = kNoSlot, kOwned = kNoSlot - 1;

  struct Block {
    Array<Instruction> code;
    Array<Item> pending;  // fixed-size members not yet emitted
    PhaseSet phases = kAnyPhase;
    Place place = kFrame;       // of what is being emitted
    Place base = kFrame;        // where the walk's base is
    bool borrow = false;        // what is being emitted may be borrowed
    bool borrows = false;       // the walk borrows
    bool owns = false;
    bool shares = false;
  };

  Block& block() { return open_.back(); }
  void step(std::size_t n = 1) {
    if (work_) work_->step(n);
  }
  void emit_value(Word type, std::uint32_t offset);  // of a part
  void push(Op op, std::uint32_t offset, std::uint32_t a = 0, std::uint32_t b = 0);
  void append(Op op, std::uint32_t offset, std::uint32_t a = 0, std::uint32_t b = 0);
  void move_base();
  void add_scalar(Kind kind, Word payload, std::uint32_t offset, std::uint32_t count);
  void flush_run();
  std::uint32_t make_run(const Array<Item>& items, PhaseSet phases);
  std::uint32_t make_variant(const Array<Item>& items, std::uint32_t phase);
  // An item and where it stands on the wire.
  struct Placed {
    Item item;
    std::uint32_t pad_at;  // padding in front of it starts here on the wire
    std::uint32_t wire;
  };
  void add_checks(Variant& v, const Array<Placed>& items);
  MoveList make_moves(const Array<Placed>& items, bool encode, bool differ);
  CALLIS_OPTIONAL bool add_shuffles(const Placed* first, const Placed* last, bool encode, bool differ);
  // Whether an item may join the move before it: never, when it follows on both sides, or also when the same padding
  // stands between them on both sides.
  enum class Join { Never, Adjacent, OverPadding };
  void add_move(const Placed& m, Join join, bool differ);
  void link(MoveList& list, const void* const* steps);
  void emit_pointed_array(Word type, std::uint32_t offset);
  void emit_new(Word type, std::uint32_t offset, Place place);
  std::uint32_t string_bound(const Resolved& r) const;
  void emit_sequence(const Resolved& r, std::uint32_t offset);
  void emit_array(const Resolved& r, std::uint32_t offset);
  void emit_slot(const Resolved& r, std::uint32_t offset);
  void emit_union(Word type, std::uint32_t offset);
  std::uint32_t make_union(Word type);
  std::uint32_t link_index(const Resolved& r);
  void emit_struct(const Resolved& r, Word first_member, std::uint32_t offset, StructLayout layout);
  // True when the type is one run, of at least one item.
  bool flattens(const TypeFacts& f) const { return f.items != 0 && f.items <= kMaxRunItems; }
  std::uint32_t make_primitive_element(const Resolved& element);
  std::uint32_t make_fixed_element(Word type, PhaseSet start);
  std::uint32_t make_variable_element(Word type);
  PhaseSet after(const Array<Item>& items, PhaseSet start) const;  // phases behind a run

  const Unit& unit_;
  Program& program_;
  Work* work_ = nullptr;
  mutable FactsMemo memo_;
  Array<Block> open_;
  Array<Array<Instruction>> blocks_;
  Array<std::uint32_t> positions_;
  WordMap shared_;  // elements of variable length by their type
  // Those whose blocks finish() makes: pairs of type and element. One block is made after the other, so that the
  // stack holds no more than the types that lie within each other in one value.
  Array<Word> waiting_;
  WordMap shared_fixed_;  // elements that are one run, by their entry and the phases at which they can start
  WordMap shared_unions_;
};

}  // namespace callis::marshal
