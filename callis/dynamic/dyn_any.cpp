// SPDX-License-Identifier: Apache-2.0
// What all DynAnys have: their value as a whole, and the current position.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/errors.h>
#include <algorithm>
#include <new>
#include <utility>

namespace callis::dynamic {

using CORBA::TypeCode;
using typecode::type_behind;

void type_mismatch() { orb::raise<DynamicAny::DynAny::TypeMismatch>(); }
void invalid_value() { orb::raise<DynamicAny::DynAny::InvalidValue>(); }

Tree::Tree(CORBA::TypeCode_ptr t, const marshal::Plan* p, void* orb)
    : type(TypeCode::_duplicate(t)), plan(p), context(orb) {
  if (context) marshal::reference_handlers().keep_context(context);
  if (!plan) return;
  const std::size_t size = marshal::native_size(*plan);
  memory = ::operator new(size, std::align_val_t{marshal::native_alignment(*plan)}, std::nothrow);
  if (!memory) classic::throw_no_memory();
  std::memset(memory, 0, size);
}

void Tree::free_value() noexcept {
  if (!memory) return;
  marshal::destroy(*plan, memory);
  ::operator delete(std::exchange(memory, nullptr), std::align_val_t{marshal::native_alignment(*plan)});
}

Tree::~Tree() {
  free_value();
  if (shared_values) {
    std::erase(shared_values->trees, this);
    std::erase_if(shared_values->nodes, [this](const auto& known) { return &known.second->tree() == this; });
  }
  if (context) marshal::reference_handlers().drop_context(context);
}

Values& Tree::values() {
  if (!shared_values) share(std::make_shared<Values>());
  return *shared_values;
}

void Tree::share(const std::shared_ptr<Values>& values) {
  values->trees.push_back(this);
  shared_values = values;
}

void Tree::copy(const CORBA::TypeCode& of, const void* from, void* to) {
  const marshal::Plan& p = plan_of(of);
  if (typecode::holds_values(of)) {
    if (!value::DescribedCopy(values().graph, typecode::anys_within).copy(p, from, to)) classic::throw_no_memory();
    return;
  }
  if (!marshal::copy(p, from, to)) classic::throw_no_memory();
  if (typecode::may_hold_values(of)) typecode::make_standalone(of, to);
}

Node::Node(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
    : tree_(tree),
      type_(TypeCode::_duplicate(type)),
      real_(type_behind(*type)),
      kind_(real_->kind()),
      parent_(parent),
      index_(index) {}

namespace {

// Of which no value can be held.
bool has_no_values(CORBA::TCKind kind) {
  switch (kind) {
    case CORBA::tk_Principal: case CORBA::tk_native: case CORBA::tk_local_interface: case CORBA::tk_component:
    case CORBA::tk_home: return true;
    default: return false;
  }
}

}  // namespace

Node* Node::make(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index) {
  std::unique_ptr<Node> made;
  switch (type_behind(*type)->kind()) {
    case CORBA::tk_struct:
    case CORBA::tk_except: made.reset(new_struct(tree, type, parent, index)); break;
    case CORBA::tk_union: made.reset(new_union(tree, type, parent, index)); break;
    case CORBA::tk_sequence: made.reset(new_sequence(tree, type, parent, index)); break;
    case CORBA::tk_array: made.reset(new_array(tree, type, parent, index)); break;
    case CORBA::tk_enum: made.reset(new_enum(tree, type, parent, index)); break;
    case CORBA::tk_abstract_interface: made.reset(new_abstract(tree, type, parent, index)); break;
    case CORBA::tk_fixed: made.reset(new_fixed(tree, type, parent, index)); break;
    case CORBA::tk_value:
    case CORBA::tk_event: made.reset(new_value(tree, type, parent, index)); break;
    case CORBA::tk_value_box: made.reset(new_box(tree, type, parent, index)); break;
    default: made.reset(new Node(tree, type, parent, index));
  }
  tree.nodes.push_back(std::move(made));
  return tree.nodes.back().get();
}

Node* new_tree(CORBA::TypeCode_ptr type, bool filled, void* context) {
  if (!type) orb::raise<CORBA::BAD_PARAM>(orb::omg(13), CORBA::COMPLETED_NO, "a nil TypeCode");
  const TypeCode& real = *type_behind(*type);
  if (has_no_values(real.kind())) orb::raise<DynamicAny::DynAnyFactory::InconsistentTypeCode>();
  try {
    auto tree = std::make_unique<Tree>(type, is_void(real) ? nullptr : &plan_of(*type), context);
    if (tree->memory && filled) set_default(*type, tree->memory);
    Node* const top = Node::make(*tree, type, nullptr, 0);
    top->rewind();
    (void)tree.release();
    return top;
  } catch (const CORBA::BAD_TYPECODE&) {  // of a part, which may need more than the whole
    orb::raise<DynamicAny::DynAnyFactory::InconsistentTypeCode>();
  }
}

// A default owns nothing: each is the bytes of the first.
void set_defaults(const TypeCode& type, void* memory, std::size_t n) {
  if (n == 0) return;
  const std::size_t size = size_of(type);
  Byte* const at = static_cast<Byte*>(memory);
  set_default(type, at);
  for (std::size_t done = 1; done < n;) {
    const std::size_t more = std::min(done, n - done);
    std::memcpy(at + done * size, at, more * size);
    done += more;
  }
}

void set_default(const TypeCode& alias, void* memory) {
  const TypeCode& type = *type_behind(alias);
  Byte* const at = static_cast<Byte*>(memory);
  switch (type.kind()) {
    case CORBA::tk_string: *static_cast<char**>(memory) = marshal::kEmptyString; return;
    case CORBA::tk_wstring: *static_cast<wchar_t**>(memory) = marshal::kEmptyWide; return;
    case CORBA::tk_TypeCode: *static_cast<CORBA::TypeCode_ptr*>(memory) = CORBA::_tc_null; return;
    case CORBA::tk_fixed: {
      marshal::FixedValue& v = *static_cast<marshal::FixedValue*>(memory);
      v.digits = type.fixed_digits();
      v.scale = static_cast<std::uint16_t>(type.fixed_scale());
      return;
    }
    case CORBA::tk_struct:
    case CORBA::tk_except:
      for (const Part& part : parts_of(type)) set_default(*part.type.in(), at + part.offset);
      return;
    case CORBA::tk_array: {
      const CORBA::TypeCode_var element = type.content_type();
      return set_defaults(*element.in(), at, type.length());
    }
    case CORBA::tk_union: {
      const UnionParts parts(type);
      if (parts.types.empty()) return;
      std::uint64_t first = parts.labels[0];
      if (parts.otherwise == 0 && !parts.value_without_label(first)) return;
      // The lowest bytes of the number.
      const std::uint8_t b = static_cast<std::uint8_t>(first);
      const std::uint16_t s = static_cast<std::uint16_t>(first);
      const std::uint32_t l = static_cast<std::uint32_t>(first);
      switch (parts.discriminator_size) {
        case 1: std::memcpy(at, &b, 1); break;
        case 2: std::memcpy(at, &s, 2); break;
        case 4: std::memcpy(at, &l, 4); break;
        default: std::memcpy(at, &first, 8);
      }
      set_default(*parts.types[0].in(), at + parts.area);
      return;
    }
    default: return;
  }
}

// --- Node ---

void Node::check() const {
  if (tree_.destroyed) orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "the DynAny has been destroyed");
}

// From the top down, in a loop: valuetypes nest as deep as somebody has put them into each other.
void* Node::memory_or_null() {
  if (tree_.destroyed) return nullptr;
  if (!parent_) return tree_.memory;
  const std::uint64_t version = tree_.version();
  if (place_version_ == version) return place_;
  std::size_t depth = 0;
  const Node* known = this;
  for (; known->parent_ && known->place_version_ != version; known = known->parent_) ++depth;
  Node* few[32];
  std::vector<Node*> many(depth > 32 ? depth : 0);
  Node** const path = depth > 32 ? many.data() : few;
  std::size_t i = depth;
  for (Node* n = this; n != known; n = n->parent_) path[--i] = n;
  void* place = known->parent_ ? known->place_ : tree_.memory;
  for (i = 0; i < depth && place; ++i) {
    Node& n = *path[i];
    n.place_ = place = n.parent_->place_of(n.index_, place);
    n.place_version_ = version;
  }
  return place;
}

void* Node::memory() {
  check();
  void* const place = memory_or_null();
  if (!place && parent_) orb::raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "the component has gone");
  return place;
}

Node* Node::child(CORBA::ULong key, CORBA::TypeCode_ptr type) {
  const bool of_value = is_value(type_behind(*type)->kind());
  CORBA::ValueBase* value = nullptr;
  if (of_value) {
    if (void* const place = place_of(key, memory())) value = *static_cast<CORBA::ValueBase**>(place);
    if (Node* const same = node_of(value)) return same;
  }
  Node*& known = children_[key];
  if (!known) known = make(tree_, type, this, key);
  Node* const node = known;
  if (value && tree_.values().graph.has(value)) tree_.values().nodes[value] = node;
  if (!std::exchange(node->begun_, true)) node->rewind();
  return node;
}

// The node of a value that has one, wherever the value occurs.
Node* Node::node_of(CORBA::ValueBase* value) {
  if (!value || !tree_.shared_values) return nullptr;
  for (Tree* const t : tree_.shared_values->trees) {
    if (t->destroyed || t->nodes.empty() || !t->nodes.front()->is_value()) continue;
    if (*static_cast<CORBA::ValueBase**>(t->memory) == value && tree_.values().graph.has(value))
      return t->nodes.front().get();
  }
  const auto known = tree_.shared_values->nodes.find(value);
  if (known == tree_.shared_values->nodes.end()) return nullptr;
  auto* const place = static_cast<CORBA::ValueBase**>(known->second->memory_or_null());
  if (place && *place == value) return known->second;
  tree_.shared_values->nodes.erase(known);
  return nullptr;
}

CORBA::TypeCode_ptr Node::type() {
  check();
  return TypeCode::_duplicate(type_.in());
}

const void* Node::value_for(const CORBA::Any& any, CORBA::TypeCode_ptr type,
                            std::unique_ptr<CORBA::Any>& kept) const {
  if (!type_in(any)->equivalent(type)) type_mismatch();
  const void* value = nullptr;
  if (typecode::holds_values(*type)) {
    Fault fault = Fault::None;
    auto described = std::make_unique<CORBA::Any>(typecode::describe(any, type, true, tree_.context, value, fault));
    kept = std::move(described);
    if (fault == Fault::OutOfMemory) classic::throw_no_memory();
  } else {
    value = typecode::extract(any, type);
  }
  if (!value) invalid_value();
  return value;
}

void Node::put_into(CORBA::Any& any, CORBA::TypeCode_ptr type, const void* value) const {
  value::DescribedGraph graph;
  value::DescribedCopy copy(graph, typecode::anys_within);
  put_into(any, type, value, graph, copy);
}

void Node::put_into(CORBA::Any& any, CORBA::TypeCode_ptr type, const void* value, value::DescribedGraph& graph,
                    value::DescribedCopy& copy) const {
  if (!typecode::holds_values(*type)) {
    typecode::insert(any, type, value);
    typecode::belongs_to(any, tree_.context);
    if (tree_.shared_values && typecode::may_hold_values(*type))
      typecode::make_standalone(*type, const_cast<void*>(any.value()));
    return;
  }
  struct Fill {
    value::DescribedCopy& copy;
    const marshal::Plan& plan;
    const void* from;
  } fill{copy, plan_of(*type), value};
  const auto make = [](void* context, void* memory) {
    const Fill& f = *static_cast<Fill*>(context);
    return f.copy.copy(f.plan, f.from, memory);
  };
  typecode::insert_described(any, type, make, &fill, graph.keep(), tree_.context);
}

const void* Node::value_of(DynamicAny::DynAny_ptr dyn_any, std::unique_ptr<CORBA::Any>& kept) const {
  if (!dyn_any) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "a nil DynAny");
  if (auto* const node = dynamic_cast<Node*>(dyn_any)) {
    if (!node->type_.in()->equivalent(type_.in())) type_mismatch();
    const void* const value = node->memory();
    if (&plan_of(*node->type_.in()) == &plan_of(*type_.in())) return value;
  }
  const CORBA::Any_var any = dyn_any->to_any();
  kept = std::make_unique<CORBA::Any>(any.in());
  const CORBA::Any whole(*kept);
  const void* const value = value_for(whole, kept);
  return value;
}

void Node::set_value(const void* from) {
  void* const to = memory();
  const marshal::Plan& plan = plan_of(*type_.in());
  if (parent_ && parent_->stores(index_, from)) return;
  const std::size_t size = marshal::native_size(plan);
  // Whole before what there was is given up; `from` may be a part of it.
  const Tree made(type_.in(), &plan, nullptr);
  tree_.copy(*type_.in(), from, made.memory);
  if (is_value()) return put_value(std::exchange(*static_cast<CORBA::ValueBase**>(made.memory), nullptr));
  Byte* const place = static_cast<Byte*>(to);
  std::swap_ranges(place, place + size, static_cast<Byte*>(made.memory));
  tree_.changed();
}

void Node::from_any(const CORBA::Any& value) {
  check();
  if (!tree_.memory) {
    if (!type_in(value)->equivalent(type_.in())) type_mismatch();
    return;
  }
  std::unique_ptr<CORBA::Any> kept;
  set_value(value_for(value, kept));
  rewind();
}

void Node::assign(DynamicAny::DynAny_ptr dyn_any) {
  check();
  std::unique_ptr<CORBA::Any> kept;
  if (!tree_.memory) {
    const CORBA::TypeCode_var other = dyn_any ? dyn_any->type() : nullptr;
    if (!other.in() || !other->equivalent(type_.in())) type_mismatch();
    return;
  }
  set_value(value_of(dyn_any, kept));
  rewind();
}

CORBA::Any* Node::to_any() {
  auto any = std::make_unique<CORBA::Any>();
  if (const void* const value = memory()) put_into(*any, type_.in(), value);
  else any->replace(type_.in(), nullptr);
  return any.release();
}

CORBA::Boolean Node::equal(DynamicAny::DynAny_ptr dyn_any) {
  const void* const mine = memory();
  if (!dyn_any) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "a nil DynAny");
  const CORBA::TypeCode_var other = dyn_any->type();
  if (!other->equivalent(type_.in())) return false;
  if (!mine) return true;
  std::unique_ptr<CORBA::Any> kept;
  return equal_values(*type_.in(), mine, value_of(dyn_any, kept));
}

void Node::destroy() {
  check();
  if (parent_) return;
  tree_.destroyed = true;
  tree_.free_value();
}

DynamicAny::DynAny_ptr Node::copy() {
  const void* const mine = memory();
  const DynamicAny::DynAny_var made = new_tree(type_.in(), false, tree_.context);
  auto& node = dynamic_cast<Node&>(*made.in());
  if (mine) node.set_value(mine);
  node.rewind();
  return DynamicAny::DynAny::_duplicate(made.in());
}

// --- the current position ---

CORBA::ULong Node::component_count() {
  (void)memory();
  return count();
}

CORBA::Boolean Node::seek(CORBA::Long index) {
  const bool there = index >= 0 && static_cast<CORBA::ULong>(index) < component_count();
  check();
  position_ = there ? index : -1;
  return there;
}

CORBA::Boolean Node::next() { return seek(position_ + 1); }

DynamicAny::DynAny_ptr Node::current_component() {
  (void)memory();
  if (!has_components()) type_mismatch();
  if (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count()) return nullptr;
  return DynamicAny::DynAny::_duplicate(component(static_cast<CORBA::ULong>(position_)));
}

}  // namespace callis::dynamic
