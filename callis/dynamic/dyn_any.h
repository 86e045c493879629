// SPDX-License-Identifier: Apache-2.0
// Nodes: what a DynAny is.
//
//   Tree ── memory: the whole value, laid out by the plan of its TypeCode
//    ├── Node, top
//    └── Node, component: its place is found in its parent's whenever it is used, as that may move
//
// The Tree has the one count of all its nodes. Valuetypes in the memory are described values, which belong to the
// tree's Values; trees that were made together share these, and so may share values.
#pragma once
#include <callis/dynamic_any.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <callis/value/described_graph.h>
#include <atomic>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace callis::dynamic {

class Node;
struct Shape;
struct Tree;

// The valuetypes of one tree or several.
struct Values {
  Values();
  ~Values();
  value::DescribedGraph graph;
  std::vector<Tree*> trees;
  std::uint64_t changes = 0;  // as Tree::changes
  std::unordered_map<CORBA::ValueBase*, Node*> nodes;  // perhaps it is elsewhere meanwhile
  std::map<const value::ValueLink*, std::unique_ptr<Shape>> shapes;
};

struct Tree {
  // context: the ORB of references, or nullptr.
  Tree(CORBA::TypeCode_ptr type, const marshal::Plan* plan, void* context);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  void free_value() noexcept;
  // Made by the first who asks.
  Values& values();
  void share(const std::shared_ptr<Values>& values);
  // A copy of a value of that type, from anywhere, into zeroed memory. Its valuetypes are copied, too.
  void copy(const CORBA::TypeCode& type, const void* from, void* to);

  // After what may have moved or replaced parts of the value: places that nodes have found are no more.
  void changed() {
    ++changes;
    if (shared_values) ++shared_values->changes;
  }
  std::uint64_t version() const { return changes + (shared_values ? shared_values->changes : 0); }

  std::atomic<CORBA::ULong> count{1};
  std::uint64_t changes = 1;
  const CORBA::TypeCode_var type;
  const marshal::Plan* const plan;  // nullptr: of tk_null and tk_void
  void* const context;
  std::shared_ptr<Values> shared_values;
  void* memory = nullptr;
  bool destroyed = false;
  std::vector<std::unique_ptr<Node>> nodes;
};

// A new tree, which has a count for the caller. Its value is the type's default; not filled: zeros, to be replaced at
// once. Throws InconsistentTypeCode.
Node* new_tree(CORBA::TypeCode_ptr type, bool filled, void* context);
// The default of a type, in memory that holds zeros.
void set_default(const CORBA::TypeCode& type, void* memory);
void set_defaults(const CORBA::TypeCode& type, void* memory, std::size_t n);
// Whether values of that type are equal (9.2.3.5): references are by _is_equivalent(), TypeCodes by equal(), and
// valuetypes by their members; graphs whose circles differ are when no walk along their members tells them apart.
// Throws IMP_LIMIT where more than 1,000 anys with values stand in values in anys, as in a circle through an any.
bool equal_values(const CORBA::TypeCode& type, const void* a, const void* b);

class Node : public virtual DynamicAny::DynAny {
 public:
  ~Node() override = default;

  // A place for a value of that type in the tree. parent: nullptr for the top.
  static Node* make(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);

  void _add_ref() noexcept override { tree_.count.fetch_add(1, std::memory_order_relaxed); }
  void _remove_ref() noexcept override {
    if (tree_.count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &tree_;
  }

  CORBA::TypeCode_ptr type() override;
  void assign(DynamicAny::DynAny_ptr dyn_any) override;
  void from_any(const CORBA::Any& value) override;
  CORBA::Any* to_any() override;
  CORBA::Boolean equal(DynamicAny::DynAny_ptr dyn_any) override;
  void destroy() override;
  DynamicAny::DynAny_ptr copy() override;

  CORBA::Boolean seek(CORBA::Long index) override;
  void rewind() override { (void)seek(0); }
  CORBA::Boolean next() override;
  CORBA::ULong component_count() override;
  DynamicAny::DynAny_ptr current_component() override;

#define CALLIS_DYN_SCALAR(Type, name)                     \
  void insert_##name(CORBA::Type value) override;         \
  CORBA::Type get_##name() override;                      \
  void insert_##name##_seq(const CORBA::Type##Seq& value) override; \
  CORBA::Type##Seq* get_##name##_seq() override
  CALLIS_DYN_SCALAR(Boolean, boolean);
  CALLIS_DYN_SCALAR(Octet, octet);
  CALLIS_DYN_SCALAR(Char, char);
  CALLIS_DYN_SCALAR(Short, short);
  CALLIS_DYN_SCALAR(UShort, ushort);
  CALLIS_DYN_SCALAR(Long, long);
  CALLIS_DYN_SCALAR(ULong, ulong);
  CALLIS_DYN_SCALAR(Float, float);
  CALLIS_DYN_SCALAR(Double, double);
  CALLIS_DYN_SCALAR(LongLong, longlong);
  CALLIS_DYN_SCALAR(ULongLong, ulonglong);
  CALLIS_DYN_SCALAR(LongDouble, longdouble);
  CALLIS_DYN_SCALAR(WChar, wchar);
#undef CALLIS_DYN_SCALAR
  void insert_string(const char* value) override;
  void insert_reference(CORBA::Object_ptr value) override;
  void insert_typecode(CORBA::TypeCode_ptr value) override;
  void insert_wstring(const CORBA::WChar* value) override;
  void insert_any(const CORBA::Any& value) override;
  void insert_dyn_any(DynamicAny::DynAny_ptr value) override;
  void insert_val(CORBA::ValueBase* value) override;
  void insert_abstract(CORBA::AbstractBase* value) override;
  char* get_string() override;
  CORBA::Object_ptr get_reference() override;
  CORBA::TypeCode_ptr get_typecode() override;
  CORBA::WChar* get_wstring() override;
  CORBA::Any* get_any() override;
  DynamicAny::DynAny_ptr get_dyn_any() override;
  CORBA::ValueBase* get_val() override;
  CORBA::AbstractBase* get_abstract() override;

  // --- for other nodes ---

  // OBJECT_NOT_EXIST when the tree has been destroyed, or the place has gone.
  void* memory();
  const CORBA::TypeCode& real() const { return *real_; }
  CORBA::TypeCode_ptr own_type() const { return type_.in(); }
  CORBA::TCKind kind() const { return kind_; }
  bool is_value() const { return is_value(kind_); }
  static bool is_value(CORBA::TCKind kind) {
    return kind == CORBA::tk_value || kind == CORBA::tk_value_box || kind == CORBA::tk_event;
  }
  Tree& tree() const { return tree_; }
  // As memory(), but nullptr when that is nowhere now.
  void* memory_or_null();
  // Of a valuetype: what is in the slot. Another value is in place of it wherever it was; a count is taken over.
  CORBA::ValueBase* value_at() { return *static_cast<CORBA::ValueBase**>(memory()); }
  void put_value(CORBA::ValueBase* value);
  // In place of the value: a copy of that one, of the same type.
  void set_value(const void* from);
  // The value in an Any, as this type's; TypeMismatch, InvalidValue. Valid as long as the Any and `kept`.
  const void* value_for(const CORBA::Any& any, std::unique_ptr<CORBA::Any>& kept) const {
    return value_for(any, type_.in(), kept);
  }
  const void* value_for(const CORBA::Any& any, CORBA::TypeCode_ptr type, std::unique_ptr<CORBA::Any>& kept) const;
  // A value of that type in this tree's memory, into an Any.
  void put_into(CORBA::Any& any, CORBA::TypeCode_ptr type, const void* value) const;
  // The same where several Anys share values: `copy` makes those of `graph`.
  void put_into(CORBA::Any& any, CORBA::TypeCode_ptr type, const void* value, value::DescribedGraph& graph,
                value::DescribedCopy& copy) const;
  // What a DynAny has, of this type; TypeMismatch. kept: holds what is not another node's.
  const void* value_of(DynamicAny::DynAny_ptr dyn_any, std::unique_ptr<CORBA::Any>& kept) const;

 protected:
  friend struct Tree;
  Node(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);

  // Of constructed types.
  virtual bool has_components() const { return false; }
  virtual CORBA::ULong count() { return 0; }
  virtual Node* component(CORBA::ULong) { return nullptr; }
  // Where a component's value is; nullptr: nowhere now. own: this node's memory(), which is not asked for again: each
  // level would double the time of the one below.
  virtual void* place_of(CORBA::ULong, void* /*own*/) { return nullptr; }
  // A component has been given another value: raw, of the size of a scalar. False: it is to be stored as usual.
  virtual bool stores(CORBA::ULong, const void*) { return false; }

  Node* child(CORBA::ULong key, CORBA::TypeCode_ptr type);
  Node* node_of(CORBA::ValueBase* value);
  void check() const;
  void set_position(CORBA::ULong n) { position_ = n == 0 ? -1 : 0; }
  // The node that insert_ and get_ mean: this, or the current component. TypeMismatch where that has another kind.
  Node& basic(CORBA::TCKind kind);
  Node& meant();
  void store(const void* scalar, std::size_t size);

  Tree& tree_;
  const CORBA::TypeCode_var type_;
  const CORBA::TypeCode* const real_;  // behind aliases
  const CORBA::TCKind kind_;
  Node* const parent_;
  const CORBA::ULong index_;  // in parent_
  CORBA::Long position_ = -1;
  bool begun_ = false;
  void* place_ = nullptr;  // found when the tree had that version
  std::uint64_t place_version_ = 0;
  std::map<CORBA::ULong, Node*> children_;

 private:
  template <class T>
  void put(CORBA::TCKind kind, T value);
  template <class T>
  T get(CORBA::TCKind kind);
  template <class Seq>
  void put_sequence(CORBA::TCKind kind, const Seq& value);
  template <class Seq>
  Seq* get_sequence(CORBA::TCKind kind);
  Node& row(CORBA::TCKind kind);
  Node& value_slot();
  Node& abstract_slot();
};

// Of an abstract interface: it has the value behind it where that is a described one.
class AbstractNode final : public Node {
 public:
  AbstractNode(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
  // nullptr for nil, references and opaque values.
  Node* behind();
  // In place of what is there. The first counts the value (nullptr: nil); TypeMismatch for one that supports no
  // abstract interface. The second takes over the count.
  void put_behind(CORBA::ValueBase* value);
  void put_base(CORBA::AbstractBase* base);

 private:
  void* place_of(CORBA::ULong key, void* own) override;
  CORBA::ULong key_of(const value::ValueLink& link);
  std::vector<const value::ValueLink*> links_;
  CORBA::ValueBase* value_ = nullptr;  // the place of the component: as the slot was when it was asked for
};

[[noreturn]] void type_mismatch();
[[noreturn]] void invalid_value();

// Made by Node::make(), by kind.
Node* new_struct(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_union(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_sequence(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_array(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_abstract(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_enum(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_fixed(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_value(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_box(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);

// Compares the members of two described values by `same`; pairs of valuetypes among them are for the caller.
bool same_members(CORBA::ValueBase& a, CORBA::ValueBase& b,
                  bool (*same)(void* context, const CORBA::TypeCode& type, const void* a, const void* b),
                  void* context);
// TypeMismatch unless a value of that link may be where the type is `declared`, as far as TypeCodes tell.
void check_is_a(const value::ValueLink& link, const CORBA::TypeCode& declared);

// An Any's value as the top of a new tree, with a count for the caller. Throws InconsistentTypeCode, and MustTruncate
// unless it truncates.
Node* tree_of(const CORBA::Any& any, bool truncates, void* context);

}  // namespace callis::dynamic
