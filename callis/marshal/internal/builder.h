// SPDX-License-Identifier: Apache-2.0
// Builds a Program from descriptors by abstract interpretation over alignment phases: while it emits
// instructions it knows the set of offsets mod 8 at which the next byte can stand.
#pragma once
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/program.h>
#include <map>

namespace callis::marshal {

// A set of phases: bit p for offset p mod 8.
using PhaseSet = std::uint8_t;
inline constexpr PhaseSet kAnyPhase = 0xff;

class Builder {
 public:
  Builder(const Unit& unit, Program& program) : unit_(unit), program_(program) {}

  // The emitting calls below go to the block that is open. Blocks nest; each ends with End.
  void open_block(PhaseSet start);
  std::uint32_t close_block();  // its number until finish()

  void emit(Word type, std::uint32_t offset);        // the value at offset
  void emit_pointer(std::uint32_t offset, std::uint32_t block);
  void emit_owned(Word type, std::uint32_t offset);  // a T* at offset

  // A block of one value at offset 0.
  std::uint32_t value_block(Word type, PhaseSet start = kAnyPhase);
  std::uint32_t owned_block(Word type);
  // The members of an exception object.
  std::uint32_t exception_block(Word entry);

  // Puts the blocks into the program; afterwards block numbers are positions through block_position().
  void finish();
  std::uint32_t block_position(std::uint32_t block) const { return positions_[block]; }

 private:
  struct Block {
    std::vector<Instruction> code;
    std::vector<Move> pending;     // fixed-size members not yet emitted
    std::vector<Instruction> checks;
    PhaseSet phases = kAnyPhase;
  };

  Block& block() { return open_.back(); }
  void push(Op op, std::uint32_t offset, std::uint32_t a = 0, std::uint32_t b = 0);
  void add_item(std::uint32_t native, std::size_t size, std::uint32_t count);
  void add_scalar(Kind kind, Word payload, std::uint32_t offset, std::uint32_t count);
  void add_check(Op op, std::uint32_t offset, std::uint32_t count, std::uint32_t limit);
  void flush_run();
  std::uint32_t make_run(const std::vector<Move>& items, PhaseSet phases);
  std::uint16_t make_variant(const std::vector<Move>& items, std::uint32_t phase);
  void add_shuffles(Variant& v, const std::vector<Move>& swaps);
  void emit_sequence(const Resolved& r, std::uint32_t offset);
  void emit_array(const Resolved& r, std::uint32_t offset);
  void emit_struct(const Resolved& r, Word first_member, std::uint32_t offset, StructLayout layout);
  // True when the type flattens into items of one run, of at most limit items.
  bool flattens(Word type, std::size_t limit) const;
  bool count_items(Word type, std::size_t limit, std::size_t& items) const;
  std::uint32_t make_primitive_element(const Resolved& element);
  std::uint32_t make_fixed_element(Word type, PhaseSet start);
  std::uint32_t make_variable_element(Word type);
  PhaseSet after(Word type, PhaseSet start) const;  // phases behind a value that flattens

  const Unit& unit_;
  Program& program_;
  std::vector<Block> open_;
  std::vector<std::vector<Instruction>> blocks_;
  std::vector<std::uint32_t> positions_;
  std::map<Word, std::uint32_t> shared_;  // blocks of element types, by type word: recursion ends here
};

}  // namespace callis::marshal
