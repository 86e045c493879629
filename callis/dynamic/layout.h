// SPDX-License-Identifier: Apache-2.0
// Where the parts of a value are in memory (callis/marshal/memory.h), by its TypeCode.
#pragma once
#include <callis/base/bytes.h>
#include <callis/typecode/described_any.h>
#include <cstring>
#include <vector>

namespace callis::dynamic {

// Of values in a Tree, whose valuetypes are described (callis/value/described_graph.h).
inline const marshal::Plan& plan_of(const CORBA::TypeCode& type) { return typecode::described_plan_of(type); }

struct Part {
  CORBA::TypeCode_var type;
  std::size_t offset;
};

// Members of a struct or exception, those of a valuetype without its base's, or what is in a box.
std::vector<Part> parts_of(const CORBA::TypeCode& type);

// A union: its discriminator lies at 0.
struct UnionParts {
  static constexpr CORBA::ULong kNone = ~0u;
  explicit UnionParts(const CORBA::TypeCode& type);

  // The member that a discriminator in memory selects, kNone for none. Of one with several labels the first of the
  // TypeCode's.
  CORBA::ULong selected(const void* memory) const;
  // The discriminator as a number, its bytes from the lowest on.
  std::uint64_t discriminator_at(const void* memory) const;
  // The smallest value that is no label; false: all are.
  bool value_without_label(std::uint64_t& value) const;

  CORBA::TypeCode_var discriminator;
  std::size_t discriminator_size;
  std::size_t area, area_size;
  CORBA::Long otherwise;  // the default member, -1: none
  std::vector<CORBA::TypeCode_var> types;
  std::vector<std::uint64_t> labels;    // of each member; of the default one it says nothing
  std::vector<CORBA::ULong> canonical;  // the first of those that are one member
};

inline std::size_t size_of(const CORBA::TypeCode& type) { return marshal::native_size(plan_of(type)); }

}  // namespace callis::dynamic
