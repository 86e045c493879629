// SPDX-License-Identifier: Apache-2.0
// Abstract interfaces (CORBA 3.3 part 1, 9.2.3.6): a slot has a CORBA::AbstractBase*, of an object or of a value.
// A described value behind it is a component for callis::dynamic::value_behind(); DynAny's operations know it as a
// whole.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/errors.h>
#include <algorithm>

namespace callis::dynamic {

namespace {

CORBA::AbstractBase*& base_in(void* slot) { return *static_cast<CORBA::AbstractBase**>(slot); }

CORBA::ValueBase* value_in(void* slot) {
  CORBA::AbstractBase* const base = base_in(slot);
  CORBA::ValueBase* const value = base ? base->_callis_value() : nullptr;
  return value::described_link(value) ? value : nullptr;
}

}  // namespace

AbstractNode::AbstractNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
    : Node(tree, type, parent, index) {}

void* AbstractNode::place_of(CORBA::ULong key, void* own) {
  value_ = value_in(own);
  return value_ && key_of(*value::described_link(value_)) == key ? &value_ : nullptr;
}

// Each type that values here have had is a key.
CORBA::ULong AbstractNode::key_of(const value::ValueLink& link) {
  const auto key = std::find(links_.begin(), links_.end(), &link) - links_.begin();
  if (static_cast<std::size_t>(key) == links_.size()) links_.push_back(&link);
  return static_cast<CORBA::ULong>(key);
}

Node* AbstractNode::behind() {
  CORBA::ValueBase* const value = value_in(memory());
  if (!value) return nullptr;
  const value::ValueLink& link = *value::described_link(value);
  return child(key_of(link), const_cast<CORBA::TypeCode_ptr>(&typecode::type_of(link)));
}

void AbstractNode::put_behind(CORBA::ValueBase* value) {
  CORBA::AbstractBase* const base = value ? orb::to_abstract(*value) : nullptr;
  if (value && !base) type_mismatch();
  CORBA::add_ref(value);
  put_base(base);
}

void AbstractNode::put_base(CORBA::AbstractBase* base) {
  CORBA::AbstractBase*& slot = base_in(memory());
  CORBA::AbstractBase* const old = slot;
  slot = base;
  tree_.changed();
  CORBA::release(old);
}

Node& Node::abstract_slot() {
  (void)memory();
  if (has_components() && position_ >= 0 && static_cast<CORBA::ULong>(position_) < count()) {
    Node& at = *component(static_cast<CORBA::ULong>(position_));
    if (at.kind_ == CORBA::tk_abstract_interface) return at;
  }
  if (kind_ == CORBA::tk_abstract_interface) return *this;
  if (has_components() && (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count())) invalid_value();
  type_mismatch();
}

// A described value of another graph is copied.
void Node::insert_abstract(CORBA::AbstractBase* base) {
  auto& at = dynamic_cast<AbstractNode&>(abstract_slot());
  CORBA::ValueBase* const value = base ? base->_callis_value() : nullptr;
  if (value::described_link(value)) {
    if (tree_.values().graph.has(value)) return at.put_behind(value);
    const Tree made(at.type_.in(), &plan_of(*at.type_.in()), nullptr);
    tree_.copy(*at.type_.in(), &base, made.memory);
    return at.put_base(std::exchange(base_in(made.memory), nullptr));
  }
  const auto* const link = static_cast<const orb::AbstractLink*>(typecode::link_of(*at.real_));
  if (value && link && !link->from_base(base)) type_mismatch();
  at.put_base(CORBA::AbstractBase::_duplicate(base));
}

// By a class of the program's where it has one.
CORBA::AbstractBase* Node::get_abstract() {
  Node& at = abstract_slot();
  void* const slot = at.memory();
  if (value_in(slot)) {
    CORBA::Any any;
    at.put_into(any, at.type_.in(), slot);
    CORBA::AbstractBase* made = nullptr;
    if (any >>= CORBA::Any::to_abstract_base(made)) return made;
  }
  return CORBA::AbstractBase::_duplicate(base_in(slot));
}

Node* new_abstract(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index) {
  return new AbstractNode(tree, type, parent, index);
}

DynamicAny::DynAny_ptr value_behind(DynamicAny::DynAny_ptr abstract) {
  auto* const node = dynamic_cast<AbstractNode*>(abstract);
  if (!node) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "no DynAny of an abstract interface");
  Node* const behind = node->behind();
  return behind ? DynamicAny::DynAny::_duplicate(behind) : nullptr;
}

}  // namespace callis::dynamic
