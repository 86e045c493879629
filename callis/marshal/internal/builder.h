// SPDX-License-Identifier: Apache-2.0
// Builds tables from descriptors by abstract interpretation over alignment phases: while the builder emits
// instructions, it knows the set of offsets mod 8 at which the next byte can stand.
//
// While the builder works, parts refer to each other by their index in the arrays of Draft. finish() writes the
// tables.
#pragma once
#include <callis/base/feature.h>
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/program.h>
#include <concepts>
#include <cstring>

namespace callis::marshal {

inline std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }
// The check of an Item.
inline std::uint32_t check_of(const Resolved& scalar) {
  return scalar.kind == Kind::Boolean ? kBoolean : scalar.kind == Kind::Enum ? scalar.payload : kNoCheck;
}

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

// The uses of a block decide which moves its runs have.
using Uses = std::uint8_t;
inline constexpr Uses kNoUse = 0, kEncodes = 1, kDecodes = 2;
inline constexpr Uses kDestroys = 4;  // and nothing else: the block has no runs

// A run before its parts are made: its items, and the phases at which it starts.
struct RunDraft {
  std::uint32_t first_item, items;
  std::uint32_t alignment;
  PhaseSet phases;
  bool element;  // of a sequence or an array: mostly starts where the one before it ends
  bool begins;   // begins a block: mostly starts at phase 0
  Uses uses;
};

struct Draft {
  Array<Instruction> code;
  Array<RunDraft> runs;
  Array<Item> items;
  Array<Element> elements;
  Array<UnionPlan> unions;
  Array<Label> labels;
  Array<Part> parts;
  Array<Check> checks;
  Array<Move> moves;
  Array<Shuffle> shuffles;
  Array<Uses> element_uses, union_uses;
  Array<const void*> links;

  void each_array(auto f) {
    f(code), f(runs), f(items), f(elements), f(unions), f(labels), f(parts), f(checks), f(moves), f(shuffles),
        f(element_uses), f(union_uses), f(links);
  }
};

// Looks a key up in a map. Maps have few keys, except in units with an extension.
Word known_in(const Unit& unit, const WordMap& map, Word key);
void keep_in(const Unit& unit, WordMap& map, Word key, Word value);
Word hash_of_words(const Word* words, std::size_t n);

class Builder {
 public:
  // keeps_links: the instructions refer to links() and not to the unit's, which need not last.
  explicit Builder(const Unit& unit, bool keeps_links = false) : unit_(unit), keeps_links_(keeps_links) {}
  ~Builder();
  // From now on charges the building, and the program, to the Work. Without a Work nothing is charged, as for the
  // types of the application.
  void charge_to(Work& work);

  // The emitting calls below go to the block that is open. Blocks nest; each ends with End.
  void open_block(PhaseSet start, Uses uses);
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
  std::uint32_t value_block(Word type, Uses uses);
  // The members of an exception object.
  std::uint32_t exception_block(Word entry, Uses uses);

  // Writes the tables.
  Array<Word> finish();
  // The place of a block in the tables, after finish().
  Ref block_position(std::uint32_t block) const { return positions_[block]; }
  // The short way of a block, if there is one: where its Part is in the tables, 0: there is none; and the phases at
  // which it serves. Sets `way` to Way::Nothing if the block does nothing.
  struct Flat {
    Ref part = 0;
    PhaseSet encode = 0, decode = 0;
  };
  Flat flat(std::uint32_t block, Way& way) const;
  Array<const void*>& links() { return draft_.links; }
  TypeFacts facts(Word type) const { return facts_of(unit_, type, &memo_); }

 private:
  // The base of offsets: the frame, the target of a pointer in the frame (its offset), or the result of Base or New.
  using Place = std::uint32_t;
  static constexpr Place kFrame = kNoSlot, kOwned = kNoSlot - 1;

  struct Block {
    Array<Instruction> code;
    Array<Item> pending;  // fixed-size members not yet emitted
    PhaseSet phases = kAnyPhase;
    Uses uses = kNoUse;
    Place place = kFrame;       // of what is being emitted
    Place base = kFrame;        // where the walk's base is
    bool borrow = false;        // what is being emitted may be borrowed
    bool borrows = false;       // the walk borrows
    bool owns = false;
    bool shares = false;
  };
  struct Made {
    Array<Instruction> code;
    Uses uses;  // of the block itself, without the uses of the blocks that refer to it
  };

  Block& block() { return open_.back(); }
  void step(std::size_t n = 1) {
    if (work_) work_->step(n);
  }
  void emit_value(Word type, std::uint32_t offset);  // of a part
  void push(Op op, std::uint32_t offset, std::uint32_t a = 0, std::uint32_t b = 0);
  void append(Op op, std::uint32_t offset, std::uint32_t a = 0, std::uint32_t b = 0);
  void move_base();
  void add_scalar(const Resolved& scalar, std::uint32_t offset, std::uint32_t count);
  void flush_run();
  std::uint32_t make_run(const Array<Item>& items, PhaseSet phases, bool element, bool begins);
  // A part of a run's items; phase: where its first byte stands.
  Part make_part(const Item* first, const Item* end, std::uint32_t phase, Uses uses);
  void make_parts(const RunDraft& draft, Run& run);
  // An item and where it stands on the wire.
  struct Placed {
    Item item;
    std::uint32_t pad_at;  // padding in front of it starts here on the wire
    std::uint32_t wire;
  };
  void add_checks(Part& part, const Array<Placed>& items);
  MoveList make_moves(const Array<Placed>& items, bool encode, bool differ);
  CALLIS_OPTIONAL bool add_shuffles(const Placed* first, const Placed* last, bool encode, bool differ);
  // Whether an item may join the move before it: never, when it follows on both sides, or also when the same padding
  // stands between them on both sides.
  enum class Join { Never, Adjacent, OverPadding };
  void add_move(const Placed& m, Join join, bool differ);
  // Whether what array has from `first` on stands further in front, too: if so it is dropped. Where it stands.
  template <class T>
  std::uint32_t share(Array<T>& array, std::uint32_t first, WordMap& known);
  // Follows the references of blocks, so that every run knows its uses.
  void spread_uses();
  void use(Uses& of, Uses uses, std::uint32_t block);
  void add_block(std::uint32_t block, Uses uses);
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
  std::uint32_t add_element(const Element& element);
  PhaseSet after(const Item* items, std::size_t n, PhaseSet start) const;  // phases behind a run

  const Unit& unit_;
  const bool keeps_links_;
  Draft draft_;
  Work* work_ = nullptr;
  mutable FactsMemo memo_;
  Array<Block> open_;
  Array<Made> blocks_;
  Array<Ref> positions_;
  WordMap shared_;  // elements of variable length by their type
  // Those whose blocks finish() makes: pairs of type and element. One block is made after the other, so that the
  // stack holds no more than the types that lie within each other in one value.
  Array<Word> waiting_;
  WordMap shared_fixed_;  // elements that are one run, by their entry
  WordMap shared_unions_;
  // These find by hash.
  WordMap shared_runs_, shared_items_, shared_moves_, shared_shuffles_, shared_checks_, shared_code_,
      shared_primitives_;
  Array<std::uint32_t> used_;  // blocks whose references are still to be followed, each with its Uses
  Ref runs_at_ = 0, parts_at_ = 0;  // after finish()
  Array<Run> runs_;
};

template <class T>
std::uint32_t Builder::share(Array<T>& array, std::uint32_t first, WordMap& known) {
  const std::size_t n = array.size() - first;
  if (n == 0) return 0;
  step(1 + n);
  const Word key = hash_of_words(reinterpret_cast<const Word*>(array.data() + first), n * sizeof(T) / sizeof(Word));
  const Word at = known_in(unit_, known, key);
  if (at == WordMap::kNone) {
    keep_in(unit_, known, key, first);
    return first;
  }
  if (at + n > first || std::memcmp(array.data() + at, array.data() + first, n * sizeof(T)) != 0) return first;
  array.resize(first);
  return at;
}

// The plan of a block, after b.finish().
Plan plan_of(const Builder& b, const Program& program, std::uint32_t block, const Layout& layout, bool owns, Way way);

}  // namespace callis::marshal
