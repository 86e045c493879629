// SPDX-License-Identifier: Apache-2.0
// DynAnyFactory (CORBA 3.3 part 1, 9.2.2).
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/initial.h>

namespace callis::dynamic {
namespace {

class Factory final : public DynamicAny::DynAnyFactory {
 public:
  DynamicAny::DynAny_ptr create_dyn_any(const CORBA::Any& value) override {
    DynamicAny::DynAny_var made = new_tree(type_in(value), false);
    try {
      made->from_any(value);
    } catch (const DynamicAny::DynAny::InvalidValue&) {  // a peer's, that is no value of its type
      orb::raise<DynamicAny::DynAnyFactory::InconsistentTypeCode>();
    }
    return made._retn();
  }
  DynamicAny::DynAny_ptr create_dyn_any_from_type_code(CORBA::TypeCode_ptr type) override {
    return new_tree(type, true);
  }
  // A value whose type is not known to the program is refused by either; nothing is cut off.
  DynamicAny::DynAny_ptr create_dyn_any_without_truncation(const CORBA::Any& value) override {
    return create_dyn_any(value);
  }
  DynamicAny::DynAnySeq* create_multiple_dyn_anys(const DynamicAny::AnySeq& values, CORBA::Boolean) override {
    auto list = std::make_unique<DynamicAny::DynAnySeq>();
    list->length(values.length());
    for (CORBA::ULong i = 0; i < values.length(); ++i) (*list)[i] = create_dyn_any(values[i]);
    return list.release();
  }
  DynamicAny::AnySeq* create_multiple_anys(const DynamicAny::DynAnySeq& values) override {
    auto list = std::make_unique<DynamicAny::AnySeq>();
    list->length(values.length());
    for (CORBA::ULong i = 0; i < values.length(); ++i) {
      if (!values[i]) orb::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "a nil DynAny");
      const CORBA::Any_var any = values[i]->to_any();
      (*list)[i] = any.in();
    }
    return list.release();
  }
};

CORBA::Object_ptr make_factory(orb::Core&) { return new Factory; }

}  // namespace

bool use_any() {
  static const bool registered = orb::register_initial_factory("DynAnyFactory", &make_factory);
  return registered;
}

}  // namespace callis::dynamic
