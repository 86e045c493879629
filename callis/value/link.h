// SPDX-License-Identifier: Apache-2.0
// ValueLink: what the generated code of a valuetype tells this library about it; the entry of Unit::links for
// Kind::Value. One for each valuetype and each boxed value, constant, beside the class:
// `extern const ::callis::value::ValueLink callis_value_X;`.
//
// A slot of Kind::Value holds an X* of the class that the link names, or a CORBA::ValueBase* where to_base is
// nullptr, or where there is no link. Code that knows a type by its repository id alone (an any's TypeCode) looks
// for the type by find_link() and else makes a link with nothing but the id: it says what type a value has that comes
// without one.
//
// The state of a value is in levels: each concrete valuetype that adds to it keeps its own members in one struct laid
// out like an IDL struct of them (or, in a box, the boxed value), described by a type word. On the wire the base's
// state comes first.
#pragma once
#include <callis/marshal/descriptor.h>
#include <string_view>

namespace CORBA::inline callis_orb {
class ValueBase;
}

namespace callis::marshal {
class Plan;
}

namespace callis::value {

// Flags.
inline constexpr unsigned kTruncatable = 1;  // to base
inline constexpr unsigned kCustom = 2;       // marshals itself: derives from CORBA::CustomMarshal
inline constexpr unsigned kBox = 4;
inline constexpr unsigned kDescribed = 16;   // by a TypeCode alone: its values can be passed over and no more
inline constexpr unsigned kAbstract = 8;     // has no state and no instances of its own

struct ValueLink {
  const char* repository_id;
  const ValueLink* base = nullptr;  // the concrete one it inherits from
  unsigned flags = 0;
  // The state of this level: a type word of the unit's. 0: none.
  const marshal::Unit* unit = nullptr;
  marshal::Word state = 0;
  // Zeroed memory, where the plan of the state is kept once it is made. Needed when there is a state.
  const marshal::Plan** plan = nullptr;
  // X* to ValueBase* and back (nullptr for what is no X), without counting; neither is called with nullptr.
  CORBA::ValueBase* (*to_base)(void* typed) = nullptr;
  void* (*from_base)(CORBA::ValueBase* value) = nullptr;
  // A new empty box; nullptr for valuetypes, which need a factory.
  CORBA::ValueBase* (*create)() = nullptr;
};

// The box of that repository id, or the valuetype whose factory is registered; nullptr for neither.
const ValueLink* find_link(std::string_view repository_id);

// The same for libraries below what makes values, which are in programs without values, too: nullptr there.
using LinkFinder = const ValueLink* (*)(std::string_view repository_id);
inline constinit LinkFinder link_finder = nullptr;

// Makes a box known by its repository id: a static object of the file that defines the box. Nothing is freed.
class BoxEntry {
 public:
  explicit BoxEntry(const ValueLink& link) noexcept;
  BoxEntry(const BoxEntry&) = delete;
  BoxEntry& operator=(const BoxEntry&) = delete;

 private:
  friend const ValueLink* find_box(std::string_view repository_id);
  const ValueLink& link_;
  const BoxEntry* next_;
};
const ValueLink* find_box(std::string_view repository_id);

}  // namespace callis::value
