// SPDX-License-Identifier: Apache-2.0
// DynValue and DynValueBox (CORBA 3.3 part 1, 9.2.11 to 9.2.13). A slot has a described value, whose state is taken
// apart by the TypeCode of its own type, which may be derived from the slot's; or an opaque one (custom, or of a
// class that no TypeCode in the any describes), which has no components.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/members.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/errors.h>
#include <cstring>

namespace callis::dynamic {

// Where the members of values of a link are: those of bases first.
struct Shape {
  struct Member {
    CORBA::TypeCode_var type;
    std::string name;
    const value::ValueLink* level;
    std::size_t offset;
  };
  explicit Shape(const value::ValueLink& link);
  std::vector<Member> members;
};

Shape::Shape(const value::ValueLink& link) {
  std::vector<const value::ValueLink*> levels;
  for (const value::ValueLink* l = &link; l; l = l->base) levels.push_back(l);
  for (auto l = levels.rbegin(); l != levels.rend(); ++l) {
    const CORBA::TypeCode& type = typecode::type_of(**l);
    const bool box = type.kind() == CORBA::tk_value_box;
    CORBA::ULong i = 0;
    for (Part& part : parts_of(type)) {
      members.push_back({std::move(part.type), box ? "" : type.member_name(i), *l, part.offset});
      ++i;
    }
  }
}

Values::Values() = default;
Values::~Values() = default;

namespace {

using DynamicAny::DynAny_ptr;

std::shared_ptr<void> counted(const CORBA::TypeCode& type) {
  return {CORBA::TypeCode::_duplicate(const_cast<CORBA::TypeCode_ptr>(&type)),
          [](void* t) { CORBA::release(static_cast<CORBA::TypeCode_ptr>(t)); }};
}

const Shape& shape_of(Values& values, const value::ValueLink& link) {
  std::unique_ptr<Shape>& known = values.shapes[&link];
  if (!known) known = std::make_unique<Shape>(link);
  return *known;
}

void* place_in(CORBA::ValueBase& value, const Shape::Member& member) {
  return static_cast<Byte*>(value._callis_state(*member.level)) + member.offset;
}

// A new value of that type, with the defaults of its members and a count for the caller; nullptr: there can be none.
CORBA::ValueBase* new_described(Values& values, const CORBA::TypeCode& type) {
  const value::ValueLink* const link = typecode::described_link(type);
  CORBA::ValueBase_var made(link ? values.graph.make(*link, counted(type)) : nullptr);
  if (!made.in()) return nullptr;
  for (const Shape::Member& m : shape_of(values, *link).members) set_default(*m.type.in(), place_in(*made.in(), m));
  return made._retn();
}

CORBA::ValueBase* must_make(Values& values, const CORBA::TypeCode& type) {
  CORBA::ValueBase* const made = new_described(values, type);
  if (!made)
    orb::raise<CORBA::NO_IMPLEMENT>(0, CORBA::COMPLETED_NO,
                                    "a custom or abstract valuetype, of which no value can be made");
  return made;
}

// What both kinds have. Keys of components count on over all shapes that values here have had.
class CommonNode : public Node, public virtual DynamicAny::DynValueCommon {
 public:
  CommonNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index) {}
  CORBA::Boolean is_null() override { return value_at() == nullptr; }
  void set_to_null() override { put_value(nullptr); }
  void set_to_value() override {
    if (!value_at()) set_to_value_of(real());
  }
  void set_to_value_of(const CORBA::TypeCode& type) { put_value(must_make(tree_.values(), type)); }
  // nullptr for null and for opaque values.
  const value::ValueLink* link() { return value::described_link(value_at()); }

 protected:
  bool has_components() const override {
    auto* const self = const_cast<CommonNode*>(this);
    CORBA::ValueBase* const value = self->value_at();
    return !value || value::described_link(value);
  }
  CORBA::ULong count() override {
    const Shape* const s = shape();
    return s ? static_cast<CORBA::ULong>(s->members.size()) : 0;
  }
  Node* component(CORBA::ULong i) override {
    const Shape& s = *shape();
    return child(first_key(s) + i, s.members[i].type.in());
  }
  void* place_of(CORBA::ULong key, void* own) override {
    CORBA::ValueBase* const value = *static_cast<CORBA::ValueBase**>(own);
    const value::ValueLink* const link = value::described_link(value);
    if (!link) return nullptr;
    const Shape& s = shape_of(tree_.values(), *link);
    const CORBA::ULong first = first_key(s);
    if (key < first || key - first >= s.members.size()) return nullptr;
    return place_in(*value, s.members[key - first]);
  }
  const Shape* shape() {
    const value::ValueLink* const l = link();
    return l ? &shape_of(tree_.values(), *l) : nullptr;
  }
  const Shape& must_have_shape() {
    const Shape* const s = shape();
    if (!s) invalid_value();
    return *s;
  }
  // While a value is filled: one that was null is null again when that fails.
  template <class Fill>
  void fill(Fill fill) {
    const bool was_null = is_null();
    if (was_null) set_to_value();
    else (void)must_have_shape();
    try {
      fill();
    } catch (...) {
      if (was_null) set_to_null();
      throw;
    }
  }

 private:
  CORBA::ULong first_key(const Shape& s) {
    CORBA::ULong first = 0;
    for (const Shape* known : shapes_) {
      if (known == &s) return first;
      first += static_cast<CORBA::ULong>(known->members.size());
    }
    shapes_.push_back(&s);
    return first;
  }
  std::vector<const Shape*> shapes_;
};

class ValueNode final : public CommonNode, public virtual DynamicAny::DynValue {
  static auto names(const Shape& s) {
    return [&s](CORBA::ULong i) { return s.members[i].name.c_str(); };
  }
  auto components() {
    return [this](CORBA::ULong i) { return component(i); };
  }

 public:
  ValueNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : CommonNode(tree, type, parent, index) {}

  char* current_member_name() override { return CORBA::string_dup(current().name.c_str()); }
  CORBA::TCKind current_member_kind() override { return typecode::type_behind(*current().type.in())->kind(); }
  DynamicAny::NameValuePairSeq* get_members() override {
    return members_as_anys(count(), names(must_have_shape()), components());
  }
  DynamicAny::NameDynAnyPairSeq* get_members_as_dyn_any() override {
    return members_as_dyn_anys(count(), names(must_have_shape()), components());
  }
  void set_members(const DynamicAny::NameValuePairSeq& value) override { set(value); }
  void set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& value) override { set(value); }

 private:
  const Shape::Member& current() {
    const Shape* const s = shape();
    if (!s || s->members.empty()) type_mismatch();
    if (position_ < 0 || static_cast<CORBA::ULong>(position_) >= count()) invalid_value();
    return s->members[static_cast<std::size_t>(position_)];
  }
  template <class List>
  void set(const List& list) {
    fill([&] {
      dynamic::set_members(list, count(), names(must_have_shape()), components());
      set_position(count());
    });
  }
};

class BoxNode final : public CommonNode, public virtual DynamicAny::DynValueBox {
 public:
  BoxNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : CommonNode(tree, type, parent, index) {}

  CORBA::Any* get_boxed_value() override {
    (void)must_have_shape();
    return component(0)->to_any();
  }
  void set_boxed_value(const CORBA::Any& boxed) override {
    fill([&] {
      try {
        component(0)->from_any(boxed);
      } catch (const DynamicAny::DynAny::InvalidValue&) {
        type_mismatch();
      }
      set_position(count());
    });
  }
  DynAny_ptr get_boxed_value_as_dyn_any() override {
    (void)must_have_shape();
    return DynamicAny::DynAny::_duplicate(component(0));
  }
  void set_boxed_value_as_dyn_any(DynAny_ptr boxed) override {
    fill([&] {
      component(0)->assign(boxed);
      set_position(count());
    });
  }
};

struct Replacing {
  CORBA::ValueBase *old, *by;
  CORBA::AbstractBase* by_base;  // by, behind abstract interfaces
  std::size_t replaced = 0;
};

void replace(void* context, void* slot, const marshal::SlotHandlers& handlers, const void*) {
  auto& r = *static_cast<Replacing*>(context);
  if (&handlers == marshal::slot_handlers(marshal::Kind::Abstract)) {
    auto*& base = *static_cast<CORBA::AbstractBase**>(slot);
    if (!base || base->_callis_value() != r.old) return;
    base = r.by_base;
    if (base) CORBA::add_ref(r.by);
    ++r.replaced;
    return;
  }
  if (&handlers != marshal::slot_handlers(marshal::Kind::Value) || *static_cast<CORBA::ValueBase**>(slot) != r.old)
    return;
  CORBA::add_ref(r.by);
  *static_cast<CORBA::ValueBase**>(slot) = r.by;
  ++r.replaced;
}

CommonNode& common(DynAny_ptr dyn_any) {
  auto* const node = dynamic_cast<CommonNode*>(dyn_any);
  if (!node) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "no DynValueCommon of callis");
  return *node;
}

}  // namespace

// One that occurs in several places is one DynAny.
void Node::put_value(CORBA::ValueBase* value) {
  const CORBA::ValueBase_var taken(value);
  auto** const slot = static_cast<CORBA::ValueBase**>(memory());
  CORBA::ValueBase* const old = *slot;
  Values& values = tree_.values();
  if (old != value) {
    Replacing r{old, value, nullptr};
    constexpr CORBA::ULong kOnePlace = 2;  // and the graph
    if (old && values.graph.has(old) && old->_refcount_value() > kOnePlace) {
      if (value) r.by_base = orb::to_abstract(*value);
      for (Tree* const t : values.trees)
        if (t->memory) marshal::each_slot(*t->plan, t->memory, &replace, &r);
      values.graph.each_slot(&replace, &r);
      values.nodes.erase(old);
    } else if (auto* const abstract = dynamic_cast<AbstractNode*>(parent_)) {
      abstract->put_behind(value);
    } else {
      CORBA::add_ref(value);
      *slot = value;
      r.replaced = old ? 1 : 0;
    }
    tree_.changed();
    for (; r.replaced != 0; --r.replaced) old->_remove_ref();
  }
  if (!memory_or_null()) return;  // it was behind an abstract interface, where there is nil or another type now
  if (value && values.graph.has(value)) values.nodes.try_emplace(value, this);
  rewind();
}

bool same_members(CORBA::ValueBase& a, CORBA::ValueBase& b,
                  bool (*same)(void* context, const CORBA::TypeCode& type, const void* a, const void* b),
                  void* context) {
  const value::ValueLink *const x = value::described_link(&a), *const y = value::described_link(&b);
  if (std::strcmp(x->repository_id, y->repository_id) != 0) return false;
  const Shape s(*x), t(*y);
  if (s.members.size() != t.members.size()) return false;
  for (std::size_t i = 0; i < s.members.size(); ++i) {
    const Shape::Member &m = s.members[i], &n = t.members[i];
    // Of different TypeCodes the layout may differ, whatever they are called.
    if (x != y && &plan_of(*m.type.in()) != &plan_of(*n.type.in()) && !m.type->equal(n.type.in())) return false;
    if (!same(context, *m.type.in(), place_in(a, m), place_in(b, n))) return false;
  }
  return true;
}

void check_is_a(const value::ValueLink& link, const CORBA::TypeCode& declared) {
  if (declared.kind() == CORBA::tk_value_box) {
    if (std::strcmp(link.repository_id, declared.id()) != 0) type_mismatch();
    return;
  }
  // Whether a value supports an abstract valuetype no TypeCode says.
  if (declared.type_modifier() == CORBA::VM_ABSTRACT || declared.equal(CORBA::_tc_ValueBase)) return;
  for (const value::ValueLink* l = &link; l; l = l->base)
    if (std::strcmp(l->repository_id, declared.id()) == 0) return;
  type_mismatch();
}

#define CALLIS_DYN_NODE(name, Class)                                                                         \
  Node* new_##name(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index) {                 \
    return new Class(tree, type, parent, index);                                                             \
  }
CALLIS_DYN_NODE(value, ValueNode)
CALLIS_DYN_NODE(box, BoxNode)
#undef CALLIS_DYN_NODE

CORBA::TypeCode_ptr actual_type(DynAny_ptr value) {
  const value::ValueLink* const link = common(value).link();
  return link ? CORBA::TypeCode::_duplicate(const_cast<CORBA::TypeCode_ptr>(&typecode::type_of(*link))) : nullptr;
}

void set_to_value_of(DynAny_ptr value, CORBA::TypeCode_ptr type) {
  if (!type) orb::raise<CORBA::BAD_PARAM>(orb::omg(13), CORBA::COMPLETED_NO, "a nil TypeCode");
  const CORBA::TypeCode& real = *typecode::type_behind(*type);
  if (!Node::is_value(real.kind())) type_mismatch();
  if (auto* const abstract = dynamic_cast<AbstractNode*>(value)) {
    const CORBA::ValueBase_var made(must_make(abstract->tree().values(), real));
    return abstract->put_behind(made.in());
  }
  CommonNode& node = common(value);
  if (const value::ValueLink* const link = typecode::described_link(real)) check_is_a(*link, node.real());
  node.set_to_value_of(real);
}

void share_value(DynAny_ptr to, DynAny_ptr from) {
  auto* const abstract = dynamic_cast<AbstractNode*>(to);
  Node& a = abstract ? static_cast<Node&>(*abstract) : common(to);
  CommonNode& b = common(from);
  const value::ValueLink* const link = b.link();
  if (!link || !a.tree().values().graph.has(b.value_at()))
    orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "not a value of the same DynAny");
  if (abstract) return abstract->put_behind(b.value_at());
  check_is_a(*link, a.real());
  CORBA::add_ref(b.value_at());
  a.put_value(b.value_at());
}

}  // namespace callis::dynamic
