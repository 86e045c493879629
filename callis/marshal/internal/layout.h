// SPDX-License-Identifier: Apache-2.0
// Native layout of described types, by the rules of memory.h: what the C++ compiler does with the
// generated classes.
#pragma once
#include <callis/marshal/descriptor.h>
#include <cstddef>

namespace callis::marshal {

struct Layout {
  std::size_t size, alignment;
};

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

Layout layout_of(const Unit& unit, Word type);
// Variable-length in the sense of the C++ mapping: owns memory.
bool is_variable(const Unit& unit, Word type);
// Least bytes on the wire, padding left out; 0 for a struct without members, and what is made of those alone.
std::size_t minimum_wire(const Unit& unit, Word type);

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
Layout member_area(const Unit& unit, const UnionView& view);

// Adds a member to a struct under construction and returns its offset.
class StructLayout {
 public:
  std::size_t add(Layout member);
  Layout finish() const;

 private:
  std::size_t end_ = 0, alignment_ = 1;
};

}  // namespace callis::marshal
