// SPDX-License-Identifier: Apache-2.0
// Values are walked by DynAny; parts whose types cannot hold references are passed over.
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/errors.h>
#include <callis/typecode/plan_of.h>
#include <tools/bridge/translation.h>

namespace callis::tools {

using CORBA::TypeCode_var;
using DynamicAny::DynAny_ptr;
using DynamicAny::DynAny_var;

namespace {

constexpr int kMostAnys = 64;
constexpr int kMostLevels = 100;
constexpr int kMostSteps = 100'000;

// `open`: types that are being looked at further out; one that leads to itself adds nothing.
bool may_hold(const CORBA::TypeCode& named, std::set<std::string>& open, int level, int& steps) {
  if (level > kMostLevels || ++steps > kMostSteps) return true;
  const CORBA::TypeCode& type = *typecode::type_behind(named);
  const auto content = [&] {
    const TypeCode_var of = type.content_type();
    return may_hold(*of.in(), open, level + 1, steps);
  };
  switch (type.kind()) {
    case CORBA::tk_objref:
    case CORBA::tk_any:
    case CORBA::tk_value:  // of any derived type
    case CORBA::tk_event:
    case CORBA::tk_abstract_interface: return true;
    case CORBA::tk_sequence:
    case CORBA::tk_array:
    case CORBA::tk_value_box: return content();
    case CORBA::tk_struct:
    case CORBA::tk_except:
    case CORBA::tk_union: {
      const std::string id = type.id();  // none: it leads to itself nowhere
      if (!id.empty() && !open.insert(id).second) return false;
      bool found = false;
      for (CORBA::ULong i = 0; !found && i < type.member_count(); ++i) {
        const TypeCode_var member = type.member_type(i);
        found = may_hold(*member.in(), open, level + 1, steps);
      }
      if (!id.empty()) open.erase(id);
      return found;
    }
    default: return false;
  }
}

}  // namespace

bool may_hold_references(const CORBA::TypeCode& type) {
  std::set<std::string> open;
  int steps = 0;
  return may_hold(type, open, 0, steps);
}

bool Translation::may_hold(CORBA::TypeCode_ptr type) {
  const auto known = known_.find(type);
  if (known != known_.end()) return known->second.may;
  const bool may = may_hold_references(*type);
  known_[type] = {CORBA::TypeCode::_duplicate(type), may};
  return may;
}

void Translation::translate(CORBA::Any& value) {
  const TypeCode_var type = value.type();
  if (!may_hold(type.in())) return;
  struct Level {
    int& level;
    explicit Level(int& l) : level(++l) {}
    ~Level() { --level; }
  } const here(anys_);
  if (anys_ > kMostAnys) orb::raise<CORBA::IMP_LIMIT>(0, CORBA::COMPLETED_NO, "more than 64 anys in each other");
  try {
    const DynAny_var all = factory_->create_dyn_any(value);
    std::set<const DynamicAny::DynAny*> around;
    around.swap(seen_);
    if (walk(all.in())) {
      const CORBA::Any_var changed = all->to_any();
      value = changed.in();
    }
    around.swap(seen_);
    all->destroy();
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
    orb::raise<CORBA::MARSHAL>(0, CORBA::COMPLETED_NO, "a custom value, or what is no value of its type");
  }
}

bool Translation::walk(DynAny_ptr at) {
  const TypeCode_var own = at->type();
  if (!may_hold(own.in())) return false;
  switch (typecode::type_behind(*own.in())->kind()) {
    case CORBA::tk_objref: {
      const CORBA::Object_var there = at->get_reference();
      if (CORBA::is_nil(there.in())) return false;
      const CORBA::Object_var instead = replace_(there.in());
      at->insert_reference(instead.in());
      return true;
    }
    case CORBA::tk_abstract_interface: {
      const DynAny_var value = dynamic::value_behind(at);
      if (!CORBA::is_nil(value.in())) return walk(value.in());
      const CORBA::AbstractBase_var base = at->get_abstract();
      const CORBA::Object_var there = base.in() ? base->_to_object() : CORBA::Object::_nil();
      if (CORBA::is_nil(there.in())) return false;
      const CORBA::Object_var instead = replace_(there.in());
      const CORBA::AbstractBase_var as_base = orb::to_abstract(instead.in());
      at->insert_abstract(as_base.in());
      return true;
    }
    case CORBA::tk_any: {
      CORBA::Any_var inner = at->get_any();
      translate(inner.inout());
      at->insert_any(inner.in());
      return true;
    }
    case CORBA::tk_value:
    case CORBA::tk_value_box:
    case CORBA::tk_event: {
      const DynamicAny::DynValueCommon_var common = DynamicAny::DynValueCommon::_narrow(at);
      if (common->is_null() || !seen_.insert(at).second) return false;
      return walk_components(at);
    }
    default: return walk_components(at);
  }
}

bool Translation::walk_components(DynAny_ptr at) {
  bool changed = false;
  const CORBA::ULong n = at->component_count();
  for (CORBA::ULong i = 0; i < n; ++i) {
    at->seek(static_cast<CORBA::Long>(i));
    const DynAny_var component = at->current_component();
    if (walk(component.in())) changed = true;
  }
  return changed;
}

}  // namespace callis::tools
