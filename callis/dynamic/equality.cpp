// SPDX-License-Identifier: Apache-2.0
// DynAny::equal() (CORBA 3.3 part 1, 9.2.3.5): values of one type are compared member by member, where bytes do not
// decide.
#include <callis/dynamic/dyn_any.h>
#include <callis/dynamic/layout.h>
#include <callis/dynamic/values.h>
#include <callis/marshal/values.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <deque>
#include <set>
#include <utility>

namespace callis::dynamic {

using CORBA::TypeCode;
using typecode::type_behind;

namespace {

CORBA::Object* object_at(const TypeCode& type, const void* slot) {
  void* const typed = *static_cast<void* const*>(slot);
  const auto* const link = static_cast<const orb::InterfaceLink*>(typecode::link_of(type));
  return typed && link ? link->to_object(typed) : static_cast<CORBA::Object*>(typed);
}

// What has been worked out about a type is kept: a peer can make a type large, and values of it many. Values may lead
// in a circle through an any, which is made of its octets anew each time. So only so many anys are looked into that
// stand in values in anys; one more is IMP_LIMIT.
class Equality final {
 public:
  bool all_equal(const TypeCode& type, const void* a, const void* b) {
    if (!equal(type, a, b)) return false;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const auto [x, y, in_any] = waiting_[i];
      in_any_ = in_any;
      if (!same_members(*x, *y, &member, this)) return false;
    }
    return true;
  }

 private:
  bool equal(const TypeCode& alias, const void* a, const void* b) {
    const TypeCode& type = *type_behind(alias);
    if (is_void(type) || marshal::equal(plan_of(type), a, b)) return true;
    switch (type.kind()) {
      case CORBA::tk_struct:
      case CORBA::tk_except: return structs(type, static_cast<const Byte*>(a), static_cast<const Byte*>(b));
      case CORBA::tk_union: return unions(type, static_cast<const Byte*>(a), static_cast<const Byte*>(b));
      case CORBA::tk_array: return rows(type, a, b, type.length());
      case CORBA::tk_sequence: {
        const auto *const x = static_cast<const marshal::SequenceHeader*>(a),
                   *const y = static_cast<const marshal::SequenceHeader*>(b);
        return x->length == y->length && rows(type, x->buffer, y->buffer, x->length);
      }
      case CORBA::tk_any: return anys(*static_cast<const CORBA::Any*>(a), *static_cast<const CORBA::Any*>(b));
      case CORBA::tk_objref: {
        CORBA::Object *const x = object_at(type, a), *const y = object_at(type, b);
        return x == y || (x && y && x->_is_equivalent(y));
      }
      case CORBA::tk_abstract_interface: {
        CORBA::AbstractBase *const x = *static_cast<CORBA::AbstractBase* const*>(a),
                            *const y = *static_cast<CORBA::AbstractBase* const*>(b);
        if (!x || !y) return x == y;
        if (CORBA::Object* const o = y->_callis_object())
          return x->_callis_object() && x->_callis_object()->_is_equivalent(o);
        return later(x->_callis_value(), y->_callis_value());
      }
      case CORBA::tk_value:
      case CORBA::tk_value_box:
      case CORBA::tk_event:
        return later(*static_cast<CORBA::ValueBase* const*>(a), *static_cast<CORBA::ValueBase* const*>(b));
      case CORBA::tk_TypeCode: {
        const CORBA::TypeCode_ptr x = *static_cast<CORBA::TypeCode_ptr const*>(a),
                                  y = *static_cast<CORBA::TypeCode_ptr const*>(b);
        return x == y || (x ? x : CORBA::_tc_null)->equal(y ? y : CORBA::_tc_null);
      }
      default: return false;
    }
  }
  bool structs(const TypeCode& type, const Byte* a, const Byte* b) {
    auto known = structs_.find(&type);
    if (known == structs_.end()) known = structs_.emplace(&type, parts_of(type)).first;
    for (const Part& part : known->second)
      if (!equal(*part.type.in(), a + part.offset, b + part.offset)) return false;
    return true;
  }
  bool unions(const TypeCode& type, const Byte* a, const Byte* b) {
    auto known = unions_.find(&type);
    if (known == unions_.end()) known = unions_.emplace(&type, type).first;
    const UnionParts& parts = known->second;
    if (parts.discriminator_at(a) != parts.discriminator_at(b)) return false;
    const CORBA::ULong member = parts.selected(a);
    return member == UnionParts::kNone || equal(*parts.types[member].in(), a + parts.area, b + parts.area);
  }
  bool rows(const TypeCode& type, const void* a, const void* b, std::size_t n) {
    const CORBA::TypeCode_var element = type.content_type();
    const std::size_t size = size_of(*element.in());
    for (std::size_t i = 0; i < n; ++i)
      if (!equal(*element.in(), static_cast<const Byte*>(a) + i * size, static_cast<const Byte*>(b) + i * size))
        return false;
    return true;
  }
  bool anys(const CORBA::Any& a, const CORBA::Any& b) {
    if (!type_in(a)->equivalent(type_in(b))) return false;
    if (is_void(*type_in(a))) return true;
    if (typecode::holds_values(*type_in(a))) {
      Fault fault = Fault::None;
      const void *p, *q;
      if (in_any_ && ++anys_in_values_ > kMostAnysInValues)
        orb::raise<CORBA::IMP_LIMIT>(0, CORBA::COMPLETED_NO, "too many anys in values in anys to be compared");
      kept_.push_back(typecode::describe(a, type_in(a), true, nullptr, p, fault));
      kept_.push_back(typecode::describe(b, type_in(a), true, nullptr, q, fault));
      const bool outside = std::exchange(in_any_, true);
      const bool same = p && q && equal(*type_in(a), p, q);
      in_any_ = outside;
      return same;
    }
    const void *const p = a.value(), *const q = typecode::extract(b, type_in(a));
    return p && q && equal(*type_in(a), p, q);
  }
  // Values are compared in a loop, each pair once, and supposed to be equal meanwhile.
  bool later(CORBA::ValueBase* a, CORBA::ValueBase* b) {
    if (a == b) return true;
    if (!a || !b || !value::described_link(a) || !value::described_link(b)) return false;
    if (pairs_.emplace(a, b).second) waiting_.push_back({a, b, in_any_});
    return true;
  }
  static bool member(void* equality, const TypeCode& type, const void* a, const void* b) {
    return static_cast<Equality*>(equality)->equal(type, a, b);
  }

  struct Waiting {
    CORBA::ValueBase *a, *b;
    bool in_any;
  };
  static constexpr std::size_t kMostAnysInValues = 1000;

  std::map<const TypeCode*, std::vector<Part>> structs_;
  std::map<const TypeCode*, UnionParts> unions_;
  std::deque<CORBA::Any> kept_;  // whose values wait
  std::size_t anys_in_values_ = 0;
  bool in_any_ = false;  // what is compared now is in a value in an any
  std::set<std::pair<CORBA::ValueBase*, CORBA::ValueBase*>> pairs_;
  std::vector<Waiting> waiting_;
};

}  // namespace

bool equal_values(const TypeCode& type, const void* a, const void* b) { return Equality().all_equal(type, a, b); }

}  // namespace callis::dynamic
