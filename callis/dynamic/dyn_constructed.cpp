// SPDX-License-Identifier: Apache-2.0
// DynStruct, DynUnion, DynSequence, DynArray, DynEnum and DynFixed (CORBA 3.3 part 1, 9.2.4 to 9.2.10).
#include <callis/classic/fixed.h>
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/members.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/errors.h>
#include <optional>
#include <string_view>

namespace callis::dynamic {
namespace {

using DynamicAny::DynAny_ptr;
using marshal::SequenceHeader;

CORBA::ULong length_of(std::size_t n) { return static_cast<CORBA::ULong>(n); }

// --- structs and exceptions ---

class StructNode final : public Node, public virtual DynamicAny::DynStruct {
  auto names() {
    return [this](CORBA::ULong i) { return real().member_name(i); };
  }
  auto components() {
    return [this](CORBA::ULong i) { return component(i); };
  }

 public:
  StructNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index), parts_(parts_of(real())) {}

  char* current_member_name() override { return CORBA::string_dup(real().member_name(current())); }
  CORBA::TCKind current_member_kind() override { return typecode::type_behind(*parts_[current()].type.in())->kind(); }

  DynamicAny::NameValuePairSeq* get_members() override {
    (void)memory();
    return members_as_anys(count(), names(), components());
  }
  DynamicAny::NameDynAnyPairSeq* get_members_as_dyn_any() override {
    (void)memory();
    return members_as_dyn_anys(count(), names(), components());
  }
  void set_members(const DynamicAny::NameValuePairSeq& value) override { set(value); }
  void set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& value) override { set(value); }

 private:
  bool has_components() const override { return !parts_.empty() || kind() != CORBA::tk_except; }
  CORBA::ULong count() override { return length_of(parts_.size()); }
  Node* component(CORBA::ULong i) override { return child(i, parts_[i].type.in()); }
  void* place_of(CORBA::ULong i, void* own) override { return static_cast<Byte*>(own) + parts_[i].offset; }

  CORBA::ULong current() {
    (void)memory();
    if (parts_.empty()) type_mismatch();
    if (position_ < 0) invalid_value();
    return static_cast<CORBA::ULong>(position_);
  }
  template <class List>
  void set(const List& list) {
    (void)memory();
    dynamic::set_members(list, count(), names(), components());
    set_position(count());
  }

  const std::vector<Part> parts_;
};

// --- unions ---

class UnionNode final : public Node, public virtual DynamicAny::DynUnion {
 public:
  UnionNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index), parts_(real()) {}

  DynAny_ptr get_discriminator() override {
    (void)memory();
    return DynamicAny::DynAny::_duplicate(component(0));
  }
  void set_discriminator(DynAny_ptr d) override {
    (void)memory();
    std::unique_ptr<CORBA::Any> kept;
    select(component(0)->value_of(d, kept));
    position_ = active() == UnionParts::kNone ? 0 : 1;
  }
  void set_to_default_member() override {
    (void)memory();
    std::uint64_t value = 0;
    if (parts_.otherwise < 0 || !parts_.value_without_label(value)) type_mismatch();
    select_number(value);
    position_ = 0;
  }
  void set_to_no_active_member() override {
    (void)memory();
    std::uint64_t value = 0;
    if (parts_.otherwise >= 0 || !parts_.value_without_label(value)) type_mismatch();
    select_number(value);
    position_ = 0;
  }
  CORBA::Boolean has_no_active_member() override { return active() == UnionParts::kNone; }
  CORBA::TCKind discriminator_kind() override {
    (void)memory();
    return typecode::type_behind(*parts_.discriminator.in())->kind();
  }
  DynAny_ptr member() override {
    (void)must_be_active();
    return DynamicAny::DynAny::_duplicate(component(1));
  }
  char* member_name() override { return CORBA::string_dup(real().member_name(must_be_active())); }
  CORBA::TCKind member_kind() override {
    return typecode::type_behind(*parts_.types[must_be_active()].in())->kind();
  }

 private:
  bool has_components() const override { return true; }
  CORBA::ULong count() override { return active() == UnionParts::kNone ? 1 : 2; }
  // Members are known by 1 + their number.
  Node* component(CORBA::ULong i) override {
    if (i == 0) return child(0, parts_.discriminator.in());
    const CORBA::ULong m = active();
    return child(1 + m, parts_.types[m].in());
  }
  void* place_of(CORBA::ULong key, void* own) override {
    Byte* const at = static_cast<Byte*>(own);
    if (key == 0) return at;
    return key == 1 + parts_.selected(at) ? at + parts_.area : nullptr;
  }
  bool stores(CORBA::ULong key, const void* raw) override {
    if (key == 0) select(raw);
    return key == 0;
  }

  CORBA::ULong active() { return parts_.selected(memory()); }
  CORBA::ULong must_be_active() {
    const CORBA::ULong m = active();
    if (m == UnionParts::kNone) invalid_value();
    return m;
  }
  void select_number(std::uint64_t value) {
    if constexpr (kNativeOrder == ByteOrder::Big) value <<= 8 * (8 - parts_.discriminator_size);
    select(&value);
  }
  // By that discriminator in memory. Another member than before begins with the default of its type.
  void select(const void* raw) {
    std::uint64_t value = 0;
    std::memcpy(&value, raw, parts_.discriminator_size);
    Byte* const at = static_cast<Byte*>(memory());
    const CORBA::ULong before = active(), next = parts_.selected(&value);
    if (before != next) {
      // Made before what there was is given up.
      std::optional<Tree> made;
      if (next != UnionParts::kNone) {
        const CORBA::TypeCode_ptr type = parts_.types[next].in();
        made.emplace(type, &plan_of(*type), nullptr);
        set_default(*type, made->memory);
      }
      if (before != UnionParts::kNone)
        marshal::destroy(plan_of(*parts_.types[before].in()), at + parts_.area);
      std::memset(at + parts_.area, 0, parts_.area_size);
      if (made) {
        const std::size_t size = size_of(*parts_.types[next].in());
        std::memcpy(at + parts_.area, made->memory, size);
        std::memset(made->memory, 0, size);
      }
    }
    std::memcpy(at, &value, parts_.discriminator_size);
    tree_.changed();
    if (position_ >= static_cast<CORBA::Long>(count())) position_ = 0;
    if (before != next && next != UnionParts::kNone) component(1)->rewind();
  }

  const UnionParts parts_;
};

// --- sequences and arrays ---

class RowNode : public Node {
 public:
  RowNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index), element_(real().content_type()), size_(size_of(*element_.in())) {}

 protected:
  bool has_components() const override { return true; }
  Node* component(CORBA::ULong i) override { return child(i, element_.in()); }
  virtual Byte* elements() = 0;

  DynamicAny::AnySeq* anys() {
    (void)memory();
    auto list = std::make_unique<DynamicAny::AnySeq>();
    const CORBA::ULong n = count();
    list->length(n);
    for (CORBA::ULong i = 0; i < n; ++i) put_into((*list)[i], element_.in(), elements() + i * size_);
    return list.release();
  }
  DynamicAny::DynAnySeq* dyn_anys() {
    (void)memory();
    auto list = std::make_unique<DynamicAny::DynAnySeq>();
    const CORBA::ULong n = count();
    list->length(n);
    for (CORBA::ULong i = 0; i < n; ++i) (*list)[i] = DynamicAny::DynAny::_duplicate(component(i));
    return list.release();
  }
  // Elements of this type out of Anys; of which each is checked before any is set.
  using Kept = std::vector<std::unique_ptr<CORBA::Any>>;
  std::vector<const void*> found_in(const DynamicAny::AnySeq& list, Kept& kept) {
    std::vector<const void*> found;
    for (CORBA::ULong i = 0; i < list.length(); ++i)
      found.push_back(value_for(list[i], element_.in(), kept.emplace_back()));
    return found;
  }
  std::vector<const void*> found_in(const DynamicAny::DynAnySeq& list, Kept& kept) {
    std::vector<const void*> found;
    for (CORBA::ULong i = 0; i < list.length(); ++i) {
      if (!list[i]) classic::throw_bad_param("a nil DynAny");
      kept.emplace_back(list[i]->to_any());
      const CORBA::Any& whole = *kept.back();
      found.push_back(value_for(whole, element_.in(), kept.emplace_back()));
    }
    return found;
  }
  // Copies in new memory of a sequence's; not yet anybody's.
  SequenceHeader copied(const std::vector<const void*>& from) {
    const CORBA::ULong n = length_of(from.size());
    const marshal::Plan& plan = plan_of(*element_.in());
    SequenceHeader made{n, n, marshal::buffer_allocate(n, size_), true};
    if (!made.buffer) classic::throw_no_memory();
    Byte* const to = static_cast<Byte*>(made.buffer);
    std::memset(to, 0, n * size_);
    const bool values = typecode::holds_values(*element_.in());
    std::optional<value::DescribedCopy> together;
    if (values) together.emplace(tree_.values().graph, typecode::anys_within);
    for (CORBA::ULong i = 0; i < n; ++i) {
      if (values ? together->copy(plan, from[i], to + i * size_) : marshal::copy(plan, from[i], to + i * size_)) {
        if (!values && typecode::may_hold_values(*element_.in()))
          typecode::make_standalone(*element_.in(), to + i * size_);
        continue;
      }
      for (CORBA::ULong k = 0; k <= i; ++k) marshal::destroy(plan, to + k * size_);
      marshal::buffer_free(made.buffer);
      classic::throw_no_memory();
    }
    return made;
  }
  void drop(SequenceHeader& header, CORBA::ULong from) {
    const marshal::Plan& plan = plan_of(*element_.in());
    for (CORBA::ULong i = from; header.buffer && i < header.length; ++i)
      marshal::destroy(plan, static_cast<Byte*>(header.buffer) + i * size_);
  }

  const CORBA::TypeCode_var element_;
  const std::size_t size_;
};

class SequenceNode final : public RowNode, public virtual DynamicAny::DynSequence {
 public:
  using RowNode::RowNode;

  CORBA::ULong get_length() override { return header().length; }
  void set_length(CORBA::ULong len) override {
    SequenceHeader& h = header();
    check_bound(len);
    const CORBA::ULong before = h.length;
    if (len > before) grow(h, len);
    else drop(h, len);
    h.length = len;
    tree_.changed();
    for (CORBA::ULong i = before; i < len; ++i) {
      const auto known = children_.find(i);
      if (known != children_.end()) known->second->rewind();
    }
    if (position_ < 0 && len > before) position_ = static_cast<CORBA::Long>(before);
    else if (position_ >= static_cast<CORBA::Long>(len)) position_ = -1;
  }
  DynamicAny::AnySeq* get_elements() override { return anys(); }
  void set_elements(const DynamicAny::AnySeq& value) override {
    (void)memory();
    check_bound(value.length());
    Kept kept;
    replace(copied(found_in(value, kept)));
  }
  DynamicAny::DynAnySeq* get_elements_as_dyn_any() override { return dyn_anys(); }
  void set_elements_as_dyn_any(const DynamicAny::DynAnySeq& value) override {
    (void)memory();
    check_bound(value.length());
    Kept kept;
    replace(copied(found_in(value, kept)));
  }

 private:
  CORBA::ULong count() override { return header().length; }
  Byte* elements() override { return static_cast<Byte*>(header().buffer); }
  SequenceHeader& header() { return *static_cast<SequenceHeader*>(memory()); }
  void* place_of(CORBA::ULong i, void* own) override {
    const SequenceHeader& h = *static_cast<SequenceHeader*>(own);
    return i < h.length ? static_cast<Byte*>(h.buffer) + i * size_ : nullptr;
  }
  void check_bound(CORBA::ULong n) const {
    const CORBA::ULong bound = real().length();
    if (bound != 0 && n > bound) invalid_value();
  }
  void grow(SequenceHeader& h, CORBA::ULong len) {
    if (len > h.maximum || !h.release || !h.buffer) {
      void* const buffer = marshal::buffer_allocate(len, size_);
      if (!buffer) classic::throw_no_memory();
      if (h.length != 0) std::memcpy(buffer, h.buffer, h.length * size_);
      if (h.release) marshal::buffer_free(h.buffer);
      h.buffer = buffer;
      h.maximum = len;
      h.release = true;
    }
    Byte* const at = static_cast<Byte*>(h.buffer);
    std::memset(at + h.length * size_, 0, (len - h.length) * size_);
    set_defaults(*element_.in(), at + h.length * size_, len - h.length);
  }
  void replace(SequenceHeader made) {
    SequenceHeader& h = header();
    drop(h, 0);
    if (h.release) marshal::buffer_free(h.buffer);
    h = made;
    tree_.changed();
    set_position(h.length);
  }
};

class ArrayNode final : public RowNode, public virtual DynamicAny::DynArray {
 public:
  using RowNode::RowNode;

  DynamicAny::AnySeq* get_elements() override { return anys(); }
  void set_elements(const DynamicAny::AnySeq& value) override {
    check_length(value.length());
    Kept kept;
    replace(copied(found_in(value, kept)));
  }
  DynamicAny::DynAnySeq* get_elements_as_dyn_any() override { return dyn_anys(); }
  void set_elements_as_dyn_any(const DynamicAny::DynAnySeq& value) override {
    check_length(value.length());
    Kept kept;
    replace(copied(found_in(value, kept)));
  }

 private:
  CORBA::ULong count() override { return real().length(); }
  Byte* elements() override { return static_cast<Byte*>(memory()); }
  void* place_of(CORBA::ULong i, void* own) override {
    return i < real().length() ? static_cast<Byte*>(own) + i * size_ : nullptr;
  }
  void check_length(CORBA::ULong n) {
    (void)memory();
    if (n != count()) invalid_value();
  }
  void replace(SequenceHeader made) {
    const marshal::Plan& plan = plan_of(*element_.in());
    for (CORBA::ULong i = 0; i < count(); ++i) marshal::destroy(plan, elements() + i * size_);
    std::memcpy(elements(), made.buffer, count() * size_);
    marshal::buffer_free(made.buffer);
    tree_.changed();
    set_position(count());
  }
};

// --- enums ---

class EnumNode final : public Node, public virtual DynamicAny::DynEnum {
 public:
  EnumNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index) {}

  char* get_as_string() override { return CORBA::string_dup(real().member_name(get_as_ulong())); }
  void set_as_string(const char* value) override {
    (void)memory();
    for (CORBA::ULong i = 0; value && i < real().member_count(); ++i)
      if (std::string_view(value) == real().member_name(i)) return store(&i, sizeof i);
    invalid_value();
  }
  CORBA::ULong get_as_ulong() override { return *static_cast<const CORBA::ULong*>(memory()); }
  void set_as_ulong(CORBA::ULong value) override {
    (void)memory();
    if (value >= real().member_count()) invalid_value();
    store(&value, sizeof value);
  }
};

// --- fixed ---

class FixedNode final : public Node, public virtual DynamicAny::DynFixed {
 public:
  FixedNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index)
      : Node(tree, type, parent, index) {}

  char* get_value() override {
    return CORBA::string_dup(CORBA::Fixed(*static_cast<const marshal::FixedValue*>(memory())).to_string().c_str());
  }
  // False: places were cut off.
  CORBA::Boolean set_value(const char* val) override {
    auto& to = *static_cast<marshal::FixedValue*>(memory());
    const auto scale = static_cast<CORBA::UShort>(real().fixed_scale());
    CORBA::Fixed given, fitted;
    std::string_view text = val ? val : "";
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.empty()) type_mismatch();
    try {
      given = CORBA::Fixed(std::string(text).c_str());
    } catch (const CORBA::DATA_CONVERSION&) {
      type_mismatch();
    }
    try {
      fitted = given.fitted(real().fixed_digits(), scale);
    } catch (const CORBA::DATA_CONVERSION&) {
      invalid_value();
    }
    to = fitted.callis_value();
    return given == fitted;
  }
};

}  // namespace

#define CALLIS_DYN_NODE(name, Class)                                                                         \
  Node* new_##name(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index) {                 \
    return new Class(tree, type, parent, index);                                                             \
  }
CALLIS_DYN_NODE(struct, StructNode)
CALLIS_DYN_NODE(union, UnionNode)
CALLIS_DYN_NODE(sequence, SequenceNode)
CALLIS_DYN_NODE(array, ArrayNode)
CALLIS_DYN_NODE(enum, EnumNode)
CALLIS_DYN_NODE(fixed, FixedNode)
#undef CALLIS_DYN_NODE

}  // namespace callis::dynamic
