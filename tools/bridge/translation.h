// SPDX-License-Identifier: Apache-2.0
// The object references in a value, of whatever type: found by DynAny, and replaced.
#pragma once
#include <callis/dynamic_any.h>
#include <functional>
#include <map>
#include <set>

namespace callis::tools {

// Whether values of the type may hold object references: also in anys, in values of derived types, behind abstract
// interfaces. True for types whose parts lie in each other more than 100 deep.
bool may_hold_references(const CORBA::TypeCode& type);

// One value at a time, one thread.
class Translation {
 public:
  // replace: what stands in place of a reference that is not nil. What it throws comes out of translate().
  using Replace = std::function<CORBA::Object_var(CORBA::Object_ptr)>;
  Translation(DynamicAny::DynAnyFactory_ptr factory, Replace replace)
      : factory_(DynamicAny::DynAnyFactory::_duplicate(factory)), replace_(std::move(replace)) {}

  // Valuetypes that occur twice, or lead in circles, do so afterwards, also behind abstract interfaces.
  // MARSHAL for what is no value of its type, and for custom values, which nobody can look into; IMP_LIMIT for more
  // than 64 anys in each other.
  void translate(CORBA::Any& value);

 private:
  // Whether something has been replaced.
  bool walk(DynamicAny::DynAny_ptr at);
  bool walk_components(DynamicAny::DynAny_ptr at);
  bool may_hold(CORBA::TypeCode_ptr type);

  DynamicAny::DynAnyFactory_var factory_;
  Replace replace_;
  std::set<const DynamicAny::DynAny*> seen_;  // valuetypes
  struct Known {
    CORBA::TypeCode_var type;
    bool may;
  };
  std::map<const CORBA::TypeCode*, Known> known_;
  int anys_ = 0;  // in each other
};

}  // namespace callis::tools
