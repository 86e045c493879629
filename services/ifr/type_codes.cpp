// SPDX-License-Identifier: Apache-2.0
// A type that leads to itself is found among those that are being made, and stands there as a recursive TypeCode.
// What contains such a one is good within the outer type only, and is not kept.
#include <callis/base/limits.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/create.h>
#include <callis/value/wire.h>
#include <services/ifr/refuse.h>
#include <services/ifr/type_codes.h>
#include <algorithm>
#include <utility>

namespace callis::ifr {

using CORBA::TypeCode;
using CORBA::TypeCode_var;

namespace {

constexpr std::size_t kMostLevels = 200;
constexpr std::size_t kMostParts = 1'000'000;

TypeCode_var counted(CORBA::TypeCode_ptr constant) { return TypeCode::_duplicate(constant); }

}  // namespace

TypeCode_var primitive_type_code(std::uint32_t kind) {
  const CORBA::TypeCode_ptr all[kPrimitives] = {
      CORBA::_tc_null,    CORBA::_tc_void,     CORBA::_tc_short,     CORBA::_tc_long,       CORBA::_tc_ushort,
      CORBA::_tc_ulong,   CORBA::_tc_float,    CORBA::_tc_double,    CORBA::_tc_boolean,    CORBA::_tc_char,
      CORBA::_tc_octet,   CORBA::_tc_any,      CORBA::_tc_TypeCode,  CORBA::_tc_null,       CORBA::_tc_string,
      CORBA::_tc_Object,  CORBA::_tc_longlong, CORBA::_tc_ulonglong, CORBA::_tc_longdouble, CORBA::_tc_wchar,
      CORBA::_tc_wstring, CORBA::_tc_ValueBase};
  return counted(kind < kPrimitives ? all[kind] : CORBA::_tc_null);
}

TypeCode_var TypeCodes::of(Number number) {
  if (generation_ != model_.generation()) {
    made_.clear();
    generation_ = model_.generation();
  }
  if (levels_ == 0) {
    steps_ = 0;
    outermost_used_ = ~std::size_t{0};
  }
  if (++steps_ > kMostParts) refuse<CORBA::IMP_LIMIT>(0, "a type with more parts than may be");
  if (const auto known = made_.find(number); known != made_.end()) return counted(known->second.in());
  const Definition& d = model_.at(number);
  if (const auto at = std::find(open_.begin(), open_.end(), number); at != open_.end()) {
    outermost_used_ = std::min(outermost_used_, static_cast<std::size_t>(at - open_.begin()));
    return typecode::create_recursive_tc(d.id.c_str());
  }
  if (levels_ == kMostLevels) refuse<CORBA::IMP_LIMIT>(0, "types lie in each other deeper than may be");
  const std::size_t outside = std::exchange(outermost_used_, ~std::size_t{0});
  // What a recursive TypeCode can stand for.
  const bool may_recur = d.kind == Kind::Struct || d.kind == Kind::Union || d.kind == Kind::Value;
  if (may_recur) open_.push_back(number);
  ++levels_;
  struct Close {
    TypeCodes& types;
    bool pop;
    ~Close() {
      --types.levels_;
      if (pop) types.open_.pop_back();
    }
  };
  TypeCode_var out;
  {
    const Close close{*this, may_recur};
    out = make(d);
  }
  if (outermost_used_ >= open_.size()) {
    made_[number] = counted(out.in());
    // What stood for this type itself is settled.
    outermost_used_ = ~std::size_t{0};
  }
  outermost_used_ = std::min(outermost_used_, outside);
  return out;
}

CORBA::StructMemberSeq TypeCodes::members(const Definition& d) {
  CORBA::StructMemberSeq list;
  list.length(static_cast<CORBA::ULong>(d.members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    list[i].name = CORBA::string_dup(d.members[i].name.c_str());
    list[i].type = of(d.members[i].type);
  }
  return list;
}

TypeCode_var TypeCodes::make(const Definition& d) {
  const char *id = d.id.c_str(), *name = d.name.c_str();
  switch (d.kind) {
    case Kind::Primitive: return primitive_type_code(d.bound);
    case Kind::String: return typecode::create_string_tc(d.bound);
    case Kind::Wstring: return typecode::create_wstring_tc(d.bound);
    case Kind::Fixed:
      return typecode::create_fixed_tc(static_cast<CORBA::UShort>(d.bound), static_cast<CORBA::Short>(d.scale));
    case Kind::Sequence: {
      const TypeCode_var element = of(d.type);
      return typecode::create_sequence_tc(d.bound, element.in());
    }
    case Kind::Array: {
      const TypeCode_var element = of(d.type);
      return typecode::create_array_tc(d.bound, element.in());
    }
    case Kind::Alias: {
      const TypeCode_var original = of(d.type);
      return typecode::create_alias_tc(id, name, original.in());
    }
    case Kind::ValueBox: {
      const TypeCode_var boxed = of(d.type);
      return typecode::create_value_box_tc(id, name, boxed.in());
    }
    case Kind::Struct: return typecode::create_struct_tc(id, name, members(d));
    case Kind::Exception: return typecode::create_exception_tc(id, name, members(d));
    case Kind::Union: return union_type(d);
    case Kind::Enum: {
      CORBA::EnumMemberSeq words;
      words.length(static_cast<CORBA::ULong>(d.words.size()));
      for (CORBA::ULong i = 0; i < words.length(); ++i) words[i] = CORBA::string_dup(d.words[i].c_str());
      return typecode::create_enum_tc(id, name, words);
    }
    case Kind::Interface: return typecode::create_named_tc(CORBA::tk_objref, id, name);
    case Kind::AbstractInterface: return typecode::create_named_tc(CORBA::tk_abstract_interface, id, name);
    case Kind::LocalInterface: return typecode::create_named_tc(CORBA::tk_local_interface, id, name);
    case Kind::Native: return typecode::create_named_tc(CORBA::tk_native, id, name);
    case Kind::Value: return value(d);
    default: refuse<CORBA::BAD_PARAM>(kIncompleteType, "a " + std::string(kind_word(d.kind)) + " is no type");
  }
}

TypeCode_var TypeCodes::union_type(const Definition& d) {
  const TypeCode_var discriminator = of(d.type);
  CORBA::UnionMemberSeq list;
  list.length(static_cast<CORBA::ULong>(d.members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    list[i].name = CORBA::string_dup(d.members[i].name.c_str());
    list[i].type = of(d.members[i].type);
    if (!any_from_bytes(d.members[i].label, list[i].label))
      refuse<CORBA::BAD_PARAM>(19, "a label of a union cannot be read");
  }
  return typecode::create_union_tc(d.id.c_str(), d.name.c_str(), discriminator.in(), list);
}

TypeCode_var TypeCodes::value(const Definition& d) {
  CORBA::ValueMemberSeq list;
  for (const Number n : d.contents) {
    const Definition& m = model_.at(n);
    if (m.kind != Kind::ValueMember) continue;
    const CORBA::ULong i = list.length();
    list.length(i + 1);
    list[i].name = CORBA::string_dup(m.name.c_str());
    list[i].type = of(m.type);
    list[i].access = static_cast<CORBA::Visibility>(m.mode);
  }
  TypeCode_var base;
  if (d.base != kNone) base = of(d.base);
  const CORBA::ValueModifier modifier = d.mode & kIsAbstract      ? CORBA::VM_ABSTRACT
                                        : d.mode & kIsCustom      ? CORBA::VM_CUSTOM
                                        : d.mode & kIsTruncatable ? CORBA::VM_TRUNCATABLE
                                                                  : CORBA::VM_NONE;
  return typecode::create_value_tc(d.id.c_str(), d.name.c_str(), modifier, base.in(), list);
}

std::string any_to_bytes(const CORBA::Any& any) {
  Buffer buffer;
  cdr::Encoder e(buffer);
  e.put_octet(static_cast<Byte>(kNativeOrder));
  {
    const value::EncodeScope scope(e);
    typecode::put_any(e, any);
  }
  e.finish();
  if (e.fault() != Fault::None) refuse<CORBA::BAD_PARAM>(0, "the value cannot be kept");
  return {reinterpret_cast<const char*>(buffer.view().data()), buffer.size()};
}

bool any_from_bytes(std::string_view text, CORBA::Any& any) {
  const ByteView bytes(reinterpret_cast<const Byte*>(text.data()), text.size());
  if (bytes.empty() || static_cast<unsigned>(bytes[0]) > 1) return false;
  cdr::Budget budget = cdr::Budget::of(Limits{}, bytes.size());
  cdr::Decoder d(bytes, static_cast<ByteOrder>(bytes[0]), budget);
  (void)d.get_octet();
  {
    const value::DecodeScope scope(d);
    typecode::get_any(d, any);
  }
  const CORBA::TypeCode_var type = any.type();
  return d.ok() && (any.value() || type->kind() == CORBA::tk_null || type->kind() == CORBA::tk_void);
}

}  // namespace callis::ifr
