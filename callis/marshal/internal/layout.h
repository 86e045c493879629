// SPDX-License-Identifier: Apache-2.0
// Native layout of described types, by the rules of memory.h: what the C++ compiler does with the
// generated classes. And what else follows from a type alone.
#pragma once
#include <callis/marshal/internal/word_map.h>
#include <cstddef>

namespace callis::marshal {

struct Layout {
  std::size_t size, alignment;
};
// Descriptors leave this to the machine. Unit::abi says for which machine plans are made.
struct Abi {
  // A type without an entry, or whose entry does not matter here.
  struct Leaf {
    std::uint8_t size, alignment, minimum_wire;
    bool variable;
  };
  Leaf leaves[static_cast<std::size_t>(Kind::Sequence) + 1];  // in the order of Kind
  Layout pointer;
  bool vectors;  // runs are moved by shuffles, too
};
extern const Abi kOwnAbi;  // of this machine and this build
inline const Abi& abi_of(const Unit& unit) { return unit.abi ? *unit.abi : kOwnAbi; }
// Sizes do not grow beyond this, even for a peer's types. Every alignment divides it.
inline constexpr std::size_t kLargestSize = SIZE_MAX / 2 & ~std::size_t{15};

// Primitives, wchar, enums: passed by value.
bool is_scalar(Kind k);
// Bytes on the wire and in memory of a scalar that runs can carry; 0 for long double and for the rest.
std::size_t run_size(Kind k);

// Follows Ref words to the entry's kind; entry is the index of the entry, or 0 when the word is the type.
struct Resolved {
  Kind kind;
  Word entry;    // for Struct, Union, Exception, Sequence, Array, big-bounded String and WString
  Word payload;  // of the word that has the kind
};
Resolved resolve(const Unit& unit, Word type);

// An array of structs is not flattened into the run around it when that would have more items than this.
inline constexpr std::uint32_t kMaxRunItems = 256;
inline constexpr std::uint32_t kNotOneRun = kMaxRunItems + 1;

struct TypeFacts {
  Layout layout;
  std::size_t minimum_wire;  // least bytes on the wire, padding left out; 0 as items
  std::size_t weight;        // 1; of structs, unions, exceptions: that of the members, too; of arrays: of the element
  // Items of the run that a value is, a primitive or an array of primitives each; kNotOneRun: they are too many, or
  // it is not of fixed size. 0: there is nothing of it on the wire, as of a struct without members, and what is made
  // of those alone.
  std::uint32_t items;
  bool variable;             // of variable length in the sense of the C++ mapping: owns memory
};

// Facts that are known already, by entry.
class FactsMemo {
 public:
  FactsMemo() = default;
  explicit FactsMemo(Work* work) { charge_to(work); }
  void charge_to(Work* work) {
    places_.charge_to(work);
    facts_.charge_to(work);
    work_ = work;
  }
  const TypeFacts* find(Word entry) const;
  void keep(Word entry, const TypeFacts& facts);

 private:
  WordMap places_;
  Array<TypeFacts> facts_;
  Work* work_ = nullptr;
};

// With a memo each entry is looked at once, however often it occurs; in units with an extension alone, which types of
// peers have.
TypeFacts facts_of(const Unit& unit, Word type, FactsMemo* memo = nullptr);
// Of a struct, union, array or exception, from the facts of its parts.
TypeFacts facts_of_entry(const Unit& unit, const Resolved& r, FactsMemo* memo);
// Extension::facts.
TypeFacts remembered_facts(const Unit& unit, const Resolved& r, FactsMemo& memo);

inline Layout layout_of(const Unit& unit, Word type) { return facts_of(unit, type).layout; }
inline bool is_variable(const Unit& unit, Word type) { return facts_of(unit, type).variable; }
inline std::size_t minimum_wire(const Unit& unit, Word type) { return facts_of(unit, type).minimum_wire; }

// A Union's entry, read.
struct UnionView {
  const Word* entry;

  Word member_count() const { return payload_of(entry[0]); }
  Word discriminator() const { return entry[1]; }
  Word default_member() const { return entry[2]; }
  Word label_count() const { return entry[3]; }
  Word member(Word i) const { return entry[4 + i]; }
  std::uint64_t label(Word i) const { return at(i)[0] | std::uint64_t{at(i)[1]} << 32; }
  Word selected(Word i) const { return at(i)[2]; }  // by label i

 private:
  const Word* at(Word i) const { return entry + 4 + member_count() + std::size_t{3} * i; }
};
// Of the memory that a union's members share.
Layout member_area(const Unit& unit, const UnionView& view, FactsMemo* memo = nullptr);

// Adds a member to a struct under construction and returns its offset.
class StructLayout {
 public:
  std::size_t add(Layout member);
  Layout finish() const;

 private:
  std::size_t end_ = 0, alignment_ = 1;
};

}  // namespace callis::marshal
