// SPDX-License-Identifier: Apache-2.0
// DynAnyFactory (CORBA 3.3 part 1, 9.2.2).
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>

namespace callis::dynamic {
namespace {

[[noreturn]] void inconsistent() { orb::raise<DynamicAny::DynAnyFactory::InconsistentTypeCode>(); }

bool has_values(const CORBA::Any& any) { return !is_void(*type_in(any)) && typecode::holds_values(*type_in(any)); }

// Anys whose valuetypes are described, in place. What a part would have to be cut off of is told from what is wrong.
void describe_all(std::vector<CORBA::Any>& anys, bool truncates, void* context) {
  const std::vector<CORBA::Any> before(anys);
  const Fault fault = typecode::describe_all(anys, truncates, context);
  if (fault == Fault::None) return;
  if (fault == Fault::OutOfMemory) classic::throw_no_memory();
  anys = before;
  if (!truncates && typecode::describe_all(anys, true, context) == Fault::None)
    orb::raise<DynamicAny::MustTruncate>();
  inconsistent();
}

// Trees of Anys, which share the values that the Anys share.
std::vector<DynamicAny::DynAny_var> trees_of(std::vector<CORBA::Any> anys, bool truncates, void* context) try {
  std::vector<DynamicAny::DynAny_var> made;
  for (const CORBA::Any& any : anys) made.emplace_back(new_tree(type_in(any), false, context));
  describe_all(anys, truncates, context);
  std::shared_ptr<Values> values;
  std::unique_ptr<value::DescribedCopy> copy;
  for (std::size_t i = 0; i < anys.size(); ++i) {
    if (!has_values(anys[i])) {
      made[i]->from_any(anys[i]);
      continue;
    }
    if (!values) {
      values = std::make_shared<Values>();
      copy = std::make_unique<value::DescribedCopy>(values->graph, typecode::anys_within);
    }
    auto& node = dynamic_cast<Node&>(*made[i].in());
    node.tree().share(values);
    Fault fault = Fault::None;
    const void* memory;
    const CORBA::Any kept = typecode::describe(anys[i], type_in(anys[i]), truncates, context, memory, fault);
    if (!memory) inconsistent();
    if (!copy->copy(*node.tree().plan, memory, node.tree().memory)) classic::throw_no_memory();
    node.rewind();
  }
  return made;
} catch (const DynamicAny::DynAny::InvalidValue&) {  // a peer's, that is no value of its type
  inconsistent();
} catch (const CORBA::BAD_TYPECODE&) {  // of a part, which may need more than the whole
  inconsistent();
} catch (const std::bad_alloc&) {
  classic::throw_no_memory();
}

class Factory final : public DynamicAny::DynAnyFactory {
 public:
  explicit Factory(void* context) : context_(context) { marshal::reference_handlers().keep_context(context); }

  DynamicAny::DynAny_ptr create_dyn_any(const CORBA::Any& value) override { return tree_of(value, true, context_); }
  DynamicAny::DynAny_ptr create_dyn_any_from_type_code(CORBA::TypeCode_ptr type) override {
    return new_tree(type, true, context_);
  }
  DynamicAny::DynAny_ptr create_dyn_any_without_truncation(const CORBA::Any& value) override {
    return tree_of(value, false, context_);
  }
  DynamicAny::DynAnySeq* create_multiple_dyn_anys(const DynamicAny::AnySeq& values,
                                                  CORBA::Boolean allow_truncate) override {
    std::vector<CORBA::Any> anys;
    for (CORBA::ULong i = 0; i < values.length(); ++i) anys.push_back(values[i]);
    std::vector<DynamicAny::DynAny_var> made = trees_of(std::move(anys), allow_truncate, context_);
    auto list = std::make_unique<DynamicAny::DynAnySeq>();
    list->length(values.length());
    for (CORBA::ULong i = 0; i < values.length(); ++i) (*list)[i] = made[i]._retn();
    return list.release();
  }
  DynamicAny::AnySeq* create_multiple_anys(const DynamicAny::DynAnySeq& values) override {
    auto list = std::make_unique<DynamicAny::AnySeq>();
    list->length(values.length());
    value::DescribedGraph graph;
    value::DescribedCopy copy(graph, typecode::anys_within);
    for (CORBA::ULong i = 0; i < values.length(); ++i) {
      if (!values[i]) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "a nil DynAny");
      auto* const node = dynamic_cast<Node*>(DynamicAny::DynAny_ptr(values[i]));
      if (node && node->memory()) {
        node->put_into((*list)[i], node->own_type(), node->memory(), graph, copy);
      } else {
        const CORBA::Any_var any = values[i]->to_any();
        (*list)[i] = any.in();
      }
    }
    return list.release();
  }

 private:
  ~Factory() override { marshal::reference_handlers().drop_context(context_); }
  void* const context_;
};

CORBA::Object_ptr make_factory(orb::Core& core) { return new Factory(core.own_source()); }

}  // namespace

Node* tree_of(const CORBA::Any& any, bool truncates, void* context) {
  DynamicAny::DynAny_var made = trees_of({any}, truncates, context)[0];
  return dynamic_cast<Node*>(made._retn());
}

bool use_any() {
  static const bool registered = orb::register_initial_factory("DynAnyFactory", &make_factory);
  return registered;
}

}  // namespace callis::dynamic
