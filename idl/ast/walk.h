// SPDX-License-Identifier: Apache-2.0
// Questions a back end asks about interfaces and valuetypes.
#pragma once
#include <idl/ast/nodes.h>
#include <string>
#include <vector>

namespace callis::idl::ast {

// Every interface that `i` inherits from, directly or not: each once, a base before what derives
// from it, otherwise in order of declaration; `i` itself not included.
std::vector<const Interface*> all_bases(const Interface& i);

// The interface itself or one of all_bases().
bool is_a(const Interface& derived, const Interface& base);

// Every valuetype that `v` inherits from, directly or not, as for interfaces: first what its concrete base brings,
// then what the abstract ones bring; `v` itself not included.
std::vector<const ValueType*> all_bases(const ValueType& v);

// Every interface that `v` or a base of it supports, and their bases; each once, a base before what derives from it.
std::vector<const Interface*> all_supported(const ValueType& v);

// The state of `v` in the order it is marshaled: that of its base first.
std::vector<const StateMember*> all_state(const ValueType& v);

// An operation as it goes over the wire: attributes have become `_get_x` and `_set_x`
// (CORBA 3.3 part 2, 9.4.2.1).
struct WireOperation {
  std::string name;
  const Interface* owner = nullptr;      // where it is declared
  const Operation* operation = nullptr;  // null for an attribute's
  const Attribute* attribute = nullptr;  // null for an operation's
  bool is_setter = false;
};

// From raises, getraises and setraises.
const std::vector<const Exception*>& raises(const WireOperation& op);

// What `i` declares itself, in order.
std::vector<WireOperation> own_operations(const Interface& i);

// Inherited ones first, in the order of all_bases(), then its own. No name appears twice.
std::vector<WireOperation> all_operations(const Interface& i);

}  // namespace callis::idl::ast
