// SPDX-License-Identifier: Apache-2.0
// Values to JSON. What comes from peers is bounded by the message that it came in; TypeCodes may share parts, so what
// is printed of one is counted.
#include <callis/typecode/described_any.h>
#include <tools/call/mapping.h>
#include <tools/call/texts.h>
#include <algorithm>

namespace callis::tools {

using CORBA::TypeCode_var;
using DynamicAny::DynAny_ptr;
using DynamicAny::DynAny_var;

namespace {

constexpr std::size_t kMostTypeSteps = 20'000;
constexpr std::size_t kMostSteps = 20'000'000;

template<class T>
Json integer(T value) {
  return Json::number(std::to_string(value));
}

// A string, or where it is none of UTF-8 its bytes.
Json text(std::string_view bytes) {
  if (is_utf8(bytes)) return Json::string(std::string(bytes));
  Json out = Json::object();
  out.add("base64", Json::string(to_base64(bytes)));
  return out;
}

Json wide(std::wstring_view characters) {
  std::string out;
  for (const wchar_t c : characters) {
    if (append_utf8(out, static_cast<char32_t>(c))) continue;
    Json codes = Json::array();
    for (const wchar_t code : characters) codes.add(integer(static_cast<std::uint32_t>(code)));
    Json object = Json::object();
    object.add("codes", std::move(codes));
    return object;
  }
  return Json::string(std::move(out));
}

}  // namespace

Json Mapping::to_json(const CORBA::Any& any) {
  const TypeCode_var type = any.type();
  const CORBA::TCKind kind = typecode::type_behind(*type.in())->kind();
  if (kind == CORBA::tk_null || kind == CORBA::tk_void) return {};
  // Values may lead in circles through anys.
  struct Level {
    std::size_t& level;
    explicit Level(std::size_t& l) : level(++l) {}
    ~Level() { --level; }
  } const here(anys_);
  if (anys_ > json::kMostJsonLevels) throw CannotShow{"anys in each other without end, or nearly so"};
  try {
    const DynAny_var from = factory_->create_dyn_any(any);
    auto around = std::exchange(seen_, {});
    const std::size_t numbers = std::exchange(numbers_, 0);
    if (typecode::holds_values(*type.in())) count_values(from.in());
    Json out = read(from.in());
    from->destroy();
    seen_ = std::move(around);
    numbers_ = numbers;
    return out;
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
    if (typecode::may_hold_values(*type.in()))
      throw CannotShow{"it holds a custom value, or one of a type that the declared one does not have, or is broken"};
    throw CannotShow{"it is malformed"};
  }
}

Json Mapping::read(DynAny_ptr from) {
  if (++steps_ > kMostSteps) throw CannotShow{"the result has more than 20000000 parts"};
  const TypeCode_var own = from->type();
  auto* const type = const_cast<CORBA::TypeCode_ptr>(typecode::type_behind(*own.in()));
  switch (type->kind()) {
    case CORBA::tk_boolean: return Json::boolean(from->get_boolean());
    case CORBA::tk_octet: return integer(from->get_octet());
    case CORBA::tk_short: return integer(from->get_short());
    case CORBA::tk_ushort: return integer(from->get_ushort());
    case CORBA::tk_long: return integer(from->get_long());
    case CORBA::tk_ulong: return integer(from->get_ulong());
    case CORBA::tk_longlong: return integer(from->get_longlong());
    case CORBA::tk_ulonglong: return integer(from->get_ulonglong());
    case CORBA::tk_float: return floating(from->get_float());
    case CORBA::tk_double: return floating(from->get_double());
    case CORBA::tk_longdouble: return floating(static_cast<long double>(from->get_longdouble()));
    case CORBA::tk_char: {
      const char c = from->get_char();
      return text({&c, 1});
    }
    case CORBA::tk_wchar: {
      const wchar_t c = from->get_wchar();
      return wide({&c, 1});
    }
    case CORBA::tk_string: {
      const CORBA::String_var s = from->get_string();
      return text(s.in());
    }
    case CORBA::tk_wstring: {
      const CORBA::WString_var s = from->get_wstring();
      return wide(s.in());
    }
    case CORBA::tk_enum: {
      const DynamicAny::DynEnum_var e = DynamicAny::DynEnum::_narrow(from);
      const CORBA::String_var name = e->get_as_string();
      return Json::string(name.in());
    }
    case CORBA::tk_fixed: {
      const DynamicAny::DynFixed_var f = DynamicAny::DynFixed::_narrow(from);
      const CORBA::String_var digits = f->get_value();
      return Json::string(digits.in());
    }
    case CORBA::tk_struct:
    case CORBA::tk_except: return read_struct(from, type);
    case CORBA::tk_union: {
      Json out = Json::object();
      from->seek(0);
      const DynAny_var discriminator = from->current_component();
      out.add("discriminator", read(discriminator.in()));
      if (from->component_count() > 1) {
        from->seek(1);
        const DynAny_var value = from->current_component();
        out.add("value", read(value.in()));
      }
      return out;
    }
    case CORBA::tk_sequence:
    case CORBA::tk_array: return read_elements(from, type);
    case CORBA::tk_any: {
      const CORBA::Any_var any = from->get_any();
      const TypeCode_var inner = any->type();
      if (inner->kind() == CORBA::tk_null) return {};
      Json out = Json::object();
      out.add("type", type_to_json(inner.in()));
      out.add("value", to_json(any.in()));
      return out;
    }
    case CORBA::tk_TypeCode: {
      const TypeCode_var value = from->get_typecode();
      return type_to_json(value.in());
    }
    case CORBA::tk_objref: {
      const CORBA::Object_var o = from->get_reference();
      if (CORBA::is_nil(o.in())) return {};
      const CORBA::String_var ior = orb_->object_to_string(o.in());
      return Json::string(ior.in());
    }
    case CORBA::tk_value:
    case CORBA::tk_value_box: return read_value(from);
    default: return read_abstract(from, type);
  }
}

Json Mapping::read_struct(DynAny_ptr from, CORBA::TypeCode_ptr type) {
  Json out = Json::object();
  for (CORBA::ULong i = 0; i < type->member_count(); ++i) {
    from->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = from->current_component();
    out.add(type->member_name(i), read(at.in()));
  }
  return out;
}

Json Mapping::read_elements(DynAny_ptr from, CORBA::TypeCode_ptr type) {
  const TypeCode_var element = type->content_type();
  if (typecode::type_behind(*element.in())->kind() == CORBA::tk_octet) {
    const CORBA::OctetSeq_var all = from->get_octet_seq();
    std::string bytes;
    for (CORBA::ULong i = 0; i < all->length(); ++i) bytes += static_cast<char>(all[i]);
    return Json::string(to_base64(bytes));
  }
  Json out = Json::array();
  const CORBA::ULong n = from->component_count();
  for (CORBA::ULong i = 0; i < n; ++i) {
    from->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = from->current_component();
    out.add(read(at.in()));
  }
  return out;
}

void Mapping::count_values(DynAny_ptr from) {
  if (++steps_ > kMostSteps) throw CannotShow{"the result has more than 20000000 parts"};
  const TypeCode_var type = from->type();
  if (!typecode::holds_values(*type.in())) return;
  const CORBA::TCKind kind = typecode::type_behind(*type.in())->kind();
  if (kind == CORBA::tk_abstract_interface) {
    const DynAny_var behind = dynamic::value_behind(from);
    if (!CORBA::is_nil(behind.in())) count_values(behind.in());
    return;
  }
  const bool value = kind == CORBA::tk_value || kind == CORBA::tk_value_box;
  const CORBA::ULong n = from->component_count();
  if (value && n != 0 && ++seen_[from].times != 1) return;
  for (CORBA::ULong i = 0; i < n; ++i) {
    from->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = from->current_component();
    count_values(at.in());
  }
}

Json Mapping::read_value(DynAny_ptr from, bool with_type) {
  const DynamicAny::DynValueCommon_var common = DynamicAny::DynValueCommon::_narrow(from);
  if (common->is_null()) return {};
  const TypeCode_var declared = from->type(), type = dynamic::actual_type(from);
  if (!type.in()) throw CannotShow{"it holds a custom value"};
  Json out = Json::object();
  Seen& seen = seen_[from];
  if (seen.number != 0) {
    out.add("same", integer(seen.number));
    return out;
  }
  if (with_type || !typecode::type_behind(*declared.in())->equal(type.in())) out.add("type", type_to_json(type.in()));
  if (seen.times > 1) {
    seen.number = ++numbers_;
    out.add("id", integer(seen.number));
  }
  const DynamicAny::DynValue_var value = DynamicAny::DynValue::_narrow(from);
  if (CORBA::is_nil(value.in())) {
    from->rewind();
    const DynAny_var boxed = from->current_component();
    out.add("boxed", read(boxed.in()));
    return out;
  }
  Json members = Json::object();
  for (CORBA::ULong i = 0; i < from->component_count(); ++i) {
    from->seek(static_cast<CORBA::Long>(i));
    const CORBA::String_var name = value->current_member_name();
    const DynAny_var at = from->current_component();
    members.add(name.in(), read(at.in()));
  }
  out.add("members", std::move(members));
  return out;
}

Json Mapping::read_abstract(DynAny_ptr from, CORBA::TypeCode_ptr type) {
  const auto left_out = [&](const std::string& what) {
    left_out_.push_back(what + " is not shown");
    Json out = Json::object();
    out.add("unsupported", Json::string(what));
    return out;
  };
  switch (type->kind()) {
    case CORBA::tk_abstract_interface: {
      const DynAny_var behind = dynamic::value_behind(from);
      if (!CORBA::is_nil(behind.in())) return read_value(behind.in(), true);
      const CORBA::AbstractBase_var base = from->get_abstract();
      if (!base.in()) return {};
      const CORBA::Object_var o = base->_to_object();
      if (CORBA::is_nil(o.in())) return left_out(std::string("a value behind the abstract interface ") + type->id());
      const CORBA::String_var ior = orb_->object_to_string(o.in());
      return Json::string(ior.in());
    }
    default: throw CannotShow{"a value of a type that callis call cannot show"};
  }
}

// ---- types ----

Json Mapping::type_to_json(CORBA::TypeCode_ptr type) {
  steps_ = std::min(steps_, kMostSteps);
  const std::size_t before = std::exchange(steps_, 0);
  Json out = describe_type(type);
  steps_ = before;
  return out;
}

namespace {

// Of a type that has a name and no parameters; nullptr: it has parameters, or a declaration.
const char* basic_name(const CORBA::TypeCode& type) {
  switch (type.kind()) {
    case CORBA::tk_null: return "null";
    case CORBA::tk_void: return "void";
    case CORBA::tk_short: return "short";
    case CORBA::tk_long: return "long";
    case CORBA::tk_longlong: return "long long";
    case CORBA::tk_ushort: return "unsigned short";
    case CORBA::tk_ulong: return "unsigned long";
    case CORBA::tk_ulonglong: return "unsigned long long";
    case CORBA::tk_float: return "float";
    case CORBA::tk_double: return "double";
    case CORBA::tk_longdouble: return "long double";
    case CORBA::tk_boolean: return "boolean";
    case CORBA::tk_char: return "char";
    case CORBA::tk_wchar: return "wchar";
    case CORBA::tk_octet: return "octet";
    case CORBA::tk_any: return "any";
    case CORBA::tk_TypeCode: return "TypeCode";
    case CORBA::tk_string: return type.length() == 0 ? "string" : nullptr;
    case CORBA::tk_wstring: return type.length() == 0 ? "wstring" : nullptr;
    default: break;
  }
  static const std::pair<const char*, CORBA::TypeCode_ptr> kOthers[] = {
      {"Object", CORBA::_tc_Object}, {"ValueBase", CORBA::_tc_ValueBase}, {"AbstractBase", CORBA::_tc_AbstractBase}};
  for (const auto& [name, constant] : kOthers) {
    if (type.kind() == constant->kind() && type.equal(constant)) return name;
  }
  return nullptr;
}

const char* kind_name(CORBA::TCKind kind) {
  switch (kind) {
    case CORBA::tk_string: return "string";
    case CORBA::tk_wstring: return "wstring";
    case CORBA::tk_fixed: return "fixed";
    case CORBA::tk_sequence: return "sequence";
    case CORBA::tk_array: return "array";
    case CORBA::tk_struct: return "struct";
    case CORBA::tk_except: return "exception";
    case CORBA::tk_union: return "union";
    case CORBA::tk_enum: return "enum";
    case CORBA::tk_alias: return "alias";
    case CORBA::tk_objref: return "interface";
    case CORBA::tk_abstract_interface: return "abstract interface";
    case CORBA::tk_local_interface: return "local interface";
    case CORBA::tk_native: return "native";
    case CORBA::tk_value: return "valuetype";
    case CORBA::tk_value_box: return "valuebox";
    default: throw CannotShow{"a TypeCode of a kind that callis call does not know"};
  }
}

}  // namespace

Json Mapping::describe_type(CORBA::TypeCode_ptr type) {
  if (++steps_ > kMostTypeSteps) throw CannotShow{"a TypeCode with more than 20000 parts"};
  if (const char* name = basic_name(*type)) return Json::string(name);
  const CORBA::TCKind kind = type->kind();
  Json out = Json::object();
  const bool named = kind != CORBA::tk_string && kind != CORBA::tk_wstring && kind != CORBA::tk_fixed &&
                     kind != CORBA::tk_sequence && kind != CORBA::tk_array;
  const std::string id = named ? type->id() : "";
  if (named && !id.empty() && std::find(open_.begin(), open_.end(), id) != open_.end()) {
    out.add("kind", Json::string("recursive"));
    out.add("id", Json::string(id));
    return out;
  }
  if (named && !id.empty()) {
    if (const idl::ast::Declaration* d = types_.find(id); d && d->repository_id == id) {
      try {
        const TypeCode_var own = types_.declared(*d);
        if (own->equal(type)) return Json::string(id);
      } catch (const NoSuchType&) {}
    }
  }
  out.add("kind", Json::string(kind_name(kind)));
  if (named) {
    out.add("id", text(id));
    out.add("name", text(type->name()));
  }
  const auto inner = [&](const char* name, CORBA::TypeCode_ptr of) {
    const TypeCode_var owned = of;
    out.add(name, describe_type(owned.in()));
  };
  const auto each_member = [&](auto more) {
    Json list = Json::array();
    for (CORBA::ULong i = 0; i < type->member_count(); ++i) {
      Json m = Json::object();
      m.add("name", text(type->member_name(i)));
      const TypeCode_var of = type->member_type(i);
      m.add("type", describe_type(of.in()));
      more(m, i);
      list.add(std::move(m));
    }
    out.add("members", std::move(list));
  };
  struct Open {
    std::vector<std::string>& open;
    Open(std::vector<std::string>& o, const std::string& id) : open(o) { open.push_back(id); }
    ~Open() { open.pop_back(); }
  } const open{open_, kind == CORBA::tk_alias ? std::string() : id};
  switch (kind) {
    case CORBA::tk_string:
    case CORBA::tk_wstring: out.add("bound", integer(type->length())); break;
    case CORBA::tk_fixed:
      out.add("digits", integer(type->fixed_digits()));
      out.add("scale", integer(type->fixed_scale()));
      break;
    case CORBA::tk_sequence:
      inner("element", type->content_type());
      if (type->length() != 0) out.add("bound", integer(type->length()));
      break;
    case CORBA::tk_array:
      inner("element", type->content_type());
      out.add("length", integer(type->length()));
      break;
    case CORBA::tk_alias:
    case CORBA::tk_value_box: inner("type", type->content_type()); break;
    case CORBA::tk_enum: {
      Json list = Json::array();
      for (CORBA::ULong i = 0; i < type->member_count(); ++i) list.add(text(type->member_name(i)));
      out.add("members", std::move(list));
      break;
    }
    case CORBA::tk_struct:
    case CORBA::tk_except: each_member([](Json&, CORBA::ULong) {}); break;
    case CORBA::tk_union: {
      inner("discriminator", type->discriminator_type());
      const CORBA::Long otherwise = type->default_index();
      each_member([&](Json& m, CORBA::ULong i) {
        if (static_cast<CORBA::Long>(i) == otherwise) return;
        const CORBA::Any_var label = type->member_label(i);
        m.add("label", to_json(label.in()));
      });
      break;
    }
    case CORBA::tk_value: {
      out.add("modifier", integer(type->type_modifier()));
      const TypeCode_var base = type->concrete_base_type();
      if (base.in() && base->kind() != CORBA::tk_null) out.add("base", describe_type(base.in()));
      each_member([&](Json& m, CORBA::ULong i) {
        m.add("public", Json::boolean(type->member_visibility(i) == CORBA::PUBLIC_MEMBER));
      });
      break;
    }
    default: break;
  }
  return out;
}

}  // namespace callis::tools
