// SPDX-License-Identifier: Apache-2.0
// Nodes: what a DynAny is.
//
//   Tree ── memory: the whole value, laid out by the plan of its TypeCode
//    ├── Node, top
//    └── Node, component: its place is found in its parent's whenever it is used, as that may move
//
// The Tree has the one count of all its nodes.
#pragma once
#include <callis/dynamic_any.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

namespace callis::dynamic {

class Node;

struct Tree {
  Tree(CORBA::TypeCode_ptr type, const marshal::Plan* plan);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  void free_value() noexcept;

  std::atomic<CORBA::ULong> count{1};
  const CORBA::TypeCode_var type;
  const marshal::Plan* const plan;  // nullptr: of tk_null and tk_void
  void* memory = nullptr;
  bool destroyed = false;
  std::vector<std::unique_ptr<Node>> nodes;
};

// A new tree, which has a count for the caller. Its value is the type's default; not filled: zeros, to be replaced at
// once. Throws InconsistentTypeCode.
Node* new_tree(CORBA::TypeCode_ptr type, bool filled);
// The default of a type, in memory that holds zeros.
void set_default(const CORBA::TypeCode& type, void* memory);
void set_defaults(const CORBA::TypeCode& type, void* memory, std::size_t n);
// Whether values of that type are equal (9.2.3.5): references are by _is_equivalent(), TypeCodes by equal().
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
  // In place of the value: a copy of that one, of the same type.
  void set_value(const void* from);
  // The value in an Any, as this type's; TypeMismatch, InvalidValue. Valid as long as the Any.
  const void* value_for(const CORBA::Any& any) const;
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
  Node& value_slot(bool abstract);
  void replace_slot(void* typed);
};

[[noreturn]] void type_mismatch();
[[noreturn]] void invalid_value();

// Made by Node::make(), by kind.
Node* new_struct(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_union(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_sequence(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_array(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_enum(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);
Node* new_fixed(Tree& tree, CORBA::TypeCode_ptr type, Node* parent, CORBA::ULong index);

}  // namespace callis::dynamic
