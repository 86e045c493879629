// SPDX-License-Identifier: Apache-2.0
// What CDR makes of a type, as far as straight-line code wants to know it beforehand.
#pragma once
#include <idl/ast/nodes.h>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callis::idl::backends::classic {

using ast::wire_size;
std::uint32_t wire_alignment(const ast::Type& t);

// Of an enum, also by another name.
std::size_t enumerators(const ast::Type& t);

using ast::holds_references;
using ast::holds_values;

// A struct of fixed length, flattened: what lies in it, in order.
struct Leaf {
  std::string value;      // "_v.inner.x"; the struct is _v
  const ast::Type* type;  // of one element, stripped: a primitive or an enum
  std::uint64_t count;    // 1, or the elements of an array
  bool array;
};
// Nothing when the struct has anything else in it: strings, arrays of structs, booleans or enums, or too much.
std::optional<std::vector<Leaf>> flatten(const ast::Struct& s);

// Where the leaves stand when the first one starts at a phase (offset mod 8).
struct Placement {
  std::uint32_t phase;
  std::vector<std::uint32_t> offsets;  // from there
  std::uint32_t bytes;
  std::uint32_t end_phase;
};
Placement place(const std::vector<Leaf>& leaves, std::uint32_t phase);
std::uint32_t largest_alignment(const std::vector<Leaf>& leaves);

// In a sequence of such structs: the phase, mod the largest alignment, at which all elements start but the first
// few, and the bytes from one start to the next. The member of the largest alignment stands at a multiple of it,
// so where an element ends does not depend on where it starts: from the second element on nothing changes.
std::uint32_t steady_phase(const std::vector<Leaf>& leaves);
std::uint32_t steady_stride(const std::vector<Leaf>& leaves);

}  // namespace callis::idl::backends::classic
