// SPDX-License-Identifier: Apache-2.0
// Values that lead to others of their type.
#pragma once
#include <callis/value/testing/values.h>

namespace callis::value::testing {

template <class X>
using Var = classic::ReferenceVar<X>;

// valuetype Node { public Node next; public sequence<Node> more; };
class Node;
inline const marshal::Plan* node_plan;
inline Node* callis_duplicate(Node* n);
inline void callis_release(Node* n);
class Node : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    Var<Node> next;
    classic::ReferenceSequence<Node> more;
  } state;
  CORBA::ValueBase* _copy_value() override { return copy_value(*this); }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }
};
inline Node* callis_duplicate(Node* n) { return CORBA::add_ref(n), n; }
inline void callis_release(Node* n) { CORBA::remove_ref(n); }
inline const void* const kNodeLinks[] = {&Node::link};
inline const marshal::Word kNodeWords[] = {
    0, type_word(Kind::Struct, 2), type_word(Kind::Value, 0), type_word(Kind::Ref, 4), type_word(Kind::Sequence),
    0, type_word(Kind::Value, 0)};
inline const marshal::Unit kNodeUnit = {kNodeWords, "", kNodeLinks, nullptr, &marshal::kExtension};
inline const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kNodeUnit, type_word(Kind::Ref, 1), &node_plan,
                              &to_base<Node>, &from_base<Node>};

}  // namespace callis::value::testing
