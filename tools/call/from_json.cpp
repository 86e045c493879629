// SPDX-License-Identifier: Apache-2.0
// JSON to values. Each function knows the path of the JSON that it reads, and says what it expected there.
#include <callis/orb/base/abstract.h>
#include <callis/typecode/plan_of.h>
#include <tools/call/expected.h>
#include <tools/call/texts.h>

namespace callis::tools {

using CORBA::TypeCode_var;
using DynamicAny::DynAny_ptr;
using DynamicAny::DynAny_var;
using Kind = Json::Kind;

namespace {

template<class T>
T real(const Json& json, const std::string& path, const char* name) {
  T value{};
  if ((json.kind == Kind::Number || json.kind == Kind::String) && read_floating(json.text, value)) return value;
  wrong(path, std::string("a number of type ") + name + " (or \"NaN\", \"Infinity\", \"-Infinity\")", json);
}

// The bytes of {"base64": ...}.
bool bytes_of(const Json& json, const std::string& path, std::string& bytes) {
  if (json.kind != Kind::Object) return false;
  if (json.names.size() != 1 || json.names[0].text != "base64") return false;
  if (json.items[0].kind != Kind::String || !from_base64(json.items[0].text, bytes))
    wrong(path + ".base64", "base64", json.items[0]);
  return true;
}

// The numbers of {"codes": [...]}.
bool codes_of(const Json& json, const std::string& path, std::u32string& codes) {
  if (json.kind != Kind::Object || json.names.size() != 1 || json.names[0].text != "codes") return false;
  if (json.items[0].kind != Kind::Array) wrong(path + ".codes", "an array of numbers", json.items[0]);
  for (const Json& item : json.items[0].items)
    codes += static_cast<char32_t>(integer<CORBA::ULong>(item, path + ".codes"));
  return true;
}

}  // namespace

Mapping::Mapping(CORBA::ORB_ptr orb, Types& types) : orb_(orb), types_(types) {
  const CORBA::Object_var o = orb->resolve_initial_references("DynAnyFactory");
  factory_ = DynamicAny::DynAnyFactory::_narrow(o.in());
}

CORBA::Any Mapping::from_json(CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const CORBA::TypeCode* const real_type = typecode::type_behind(*type);
  if (real_type->kind() == CORBA::tk_null || real_type->kind() == CORBA::tk_void) {
    if (json.kind != Kind::Null) wrong(path, "null", json);
    CORBA::Any out;
    out.replace(type, nullptr);
    return out;
  }
  try {
    const DynAny_var made = factory_->create_dyn_any_from_type_code(type);
    struct Around {
      std::map<std::string, DynAny_var>& ids;
      std::map<std::string, DynAny_var> before;
      explicit Around(std::map<std::string, DynAny_var>& i) : ids(i), before(std::exchange(i, {})) {}
      ~Around() { ids = std::move(before); }
    } const around(by_id_);
    fill(made.in(), json, path);
    const CORBA::Any_var any = made->to_any();
    made->destroy();
    return any.in();
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
    throw WrongJson{path, "no value of this type can be sent"};
  }
}

void Mapping::fill(DynAny_ptr to, const Json& json, const std::string& path) {
  const TypeCode_var own = to->type();
  auto* const type = const_cast<CORBA::TypeCode_ptr>(typecode::type_behind(*own.in()));
  switch (type->kind()) {
    case CORBA::tk_boolean:
      if (json.kind != Kind::Boolean) wrong(path, "true or false", json);
      return to->insert_boolean(json.truth);
    case CORBA::tk_octet: return to->insert_octet(integer<CORBA::Octet>(json, path));
    case CORBA::tk_short: return to->insert_short(integer<CORBA::Short>(json, path));
    case CORBA::tk_ushort: return to->insert_ushort(integer<CORBA::UShort>(json, path));
    case CORBA::tk_long: return to->insert_long(integer<CORBA::Long>(json, path));
    case CORBA::tk_ulong: return to->insert_ulong(integer<CORBA::ULong>(json, path));
    case CORBA::tk_longlong: return to->insert_longlong(integer<CORBA::LongLong>(json, path));
    case CORBA::tk_ulonglong: return to->insert_ulonglong(integer<CORBA::ULongLong>(json, path));
    case CORBA::tk_float: return to->insert_float(real<float>(json, path, "float"));
    case CORBA::tk_double: return to->insert_double(real<double>(json, path, "double"));
    case CORBA::tk_longdouble: return to->insert_longdouble(real<long double>(json, path, "long double"));
    case CORBA::tk_char: {
      std::string bytes = json.text;
      if ((json.kind != Kind::String && !bytes_of(json, path, bytes)) || bytes.size() != 1)
        wrong(path, "a string of one character of ASCII, or {\"base64\": ...} of one byte", json);
      return to->insert_char(bytes[0]);
    }
    case CORBA::tk_wchar: {
      std::u32string codes;
      if (json.kind == Kind::String)
        codes = from_utf8(json.text);
      else if (!codes_of(json, path, codes))
        wrong(path, "a string of one character", json);
      if (codes.size() != 1) wrong(path, "a string of one character", json);
      return to->insert_wchar(static_cast<CORBA::WChar>(codes[0]));
    }
    case CORBA::tk_string: return fill_string(to, type->length(), json, path);
    case CORBA::tk_wstring: return fill_wstring(to, type->length(), json, path);
    case CORBA::tk_struct:
    case CORBA::tk_except: return fill_struct(to, type, json, path);
    case CORBA::tk_union: return fill_union(to, json, path);
    case CORBA::tk_sequence:
    case CORBA::tk_array: return fill_elements(to, type, json, path);
    case CORBA::tk_enum: return fill_enum(to, type, json, path);
    case CORBA::tk_fixed: return fill_fixed(to, type, json, path);
    case CORBA::tk_any: return fill_any(to, json, path);
    case CORBA::tk_TypeCode: {
      const TypeCode_var value = type_from_json(json, path);
      return to->insert_typecode(value.in());
    }
    case CORBA::tk_objref: {
      const CORBA::Object_var value = object(json, path);
      return to->insert_reference(value.in());
    }
    default: return fill_value(to, type, json, path);
  }
}

void Mapping::fill_string(DynAny_ptr to, CORBA::ULong bound, const Json& json, const std::string& path) {
  std::string text = json.text;
  if (json.kind != Kind::String && !bytes_of(json, path, text)) wrong(path, "a string", json);
  if (text.find('\0') != std::string::npos) wrong(path, "a string without the character 0", json);
  if (bound != 0 && text.size() > bound)
    wrong(path,
          "a string of at most " + std::to_string(bound) + " bytes, found one of " + std::to_string(text.size()),
          json);
  to->insert_string(text.c_str());
}

void Mapping::fill_wstring(DynAny_ptr to, CORBA::ULong bound, const Json& json, const std::string& path) {
  std::u32string codes;
  if (json.kind == Kind::String)
    codes = from_utf8(json.text);
  else if (!codes_of(json, path, codes))
    wrong(path, "a string", json);
  if (codes.find(U'\0') != std::u32string::npos) wrong(path, "a string without the character 0", json);
  if (bound != 0 && codes.size() > bound)
    wrong(
        path,
        "a string of at most " + std::to_string(bound) + " characters, found one of " + std::to_string(codes.size()),
        json);
  const std::wstring text(codes.begin(), codes.end());
  to->insert_wstring(text.c_str());
}

void Mapping::fill_struct(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  if (json.kind != Kind::Object) wrong(path, std::string("an object with the members of ") + type->name(), json);
  std::vector<std::string> names;
  for (CORBA::ULong i = 0; i < type->member_count(); ++i) names.emplace_back(type->member_name(i));
  check_names(json, names, path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    to->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = to->current_component();
    fill(at.in(), member(json, names[i], path), path + "." + names[i]);
  }
}

void Mapping::fill_union(DynAny_ptr to, const Json& json, const std::string& path) {
  if (json.kind != Kind::Object) wrong(path, "an object with \"discriminator\" and \"value\"", json);
  check_names(json, {"discriminator", "value"}, path);
  to->seek(0);
  const DynAny_var discriminator = to->current_component();
  fill(discriminator.in(), member(json, "discriminator", path), path + ".discriminator");
  if (to->component_count() < 2) {
    if (json.find("value"))
      throw WrongJson{path + ".value", "this discriminator selects no member, so there is no value"};
    return;
  }
  to->seek(1);
  const DynAny_var value = to->current_component();
  fill(value.in(), member(json, "value", path), path + ".value");
}

void Mapping::fill_elements(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const bool is_array = type->kind() == CORBA::tk_array;
  const CORBA::ULong length = type->length();
  const TypeCode_var element = type->content_type();
  const bool octets = typecode::type_behind(*element.in())->kind() == CORBA::tk_octet;
  const auto check = [&](std::size_t n) {
    const char* const what = octets ? " bytes" : " elements";
    if (is_array && n != length) wrong(path, std::to_string(length) + what + ", found " + std::to_string(n), json);
    if (!is_array && length != 0 && n > length)
      wrong(path, "at most " + std::to_string(length) + what + ", found " + std::to_string(n), json);
  };
  if (octets && json.kind == Kind::String) {
    std::string bytes;
    if (!from_base64(json.text, bytes)) wrong(path, "base64", json);
    check(bytes.size());
    CORBA::OctetSeq all;
    all.length(static_cast<CORBA::ULong>(bytes.size()));
    for (CORBA::ULong i = 0; i < all.length(); ++i) all[i] = static_cast<CORBA::Octet>(bytes[i]);
    return to->insert_octet_seq(all);
  }
  if (json.kind != Kind::Array) wrong(path, octets ? "base64, or an array of numbers" : "an array", json);
  check(json.items.size());
  if (!is_array) {
    const DynamicAny::DynSequence_var sequence = DynamicAny::DynSequence::_narrow(to);
    sequence->set_length(static_cast<CORBA::ULong>(json.items.size()));
  }
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    to->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = to->current_component();
    fill(at.in(), json.items[i], path + "[" + std::to_string(i) + "]");
  }
}

void Mapping::fill_enum(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  std::vector<std::string> names;
  std::string list;
  for (CORBA::ULong i = 0; i < type->member_count(); ++i) {
    names.emplace_back(type->member_name(i));
    if (i < 20) list += (i == 0 ? "" : ", ") + names.back();
  }
  if (names.size() > 20) list += " ...";
  if (json.kind != Kind::String || std::find(names.begin(), names.end(), json.text) == names.end())
    wrong(path, std::string("one of ") + type->name() + " (" + list + ")", json);
  const DynamicAny::DynEnum_var e = DynamicAny::DynEnum::_narrow(to);
  e->set_as_string(json.text.c_str());
}

void Mapping::fill_fixed(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const std::string expected = "a decimal number of at most " + std::to_string(type->fixed_digits()) + " digits, " +
                               std::to_string(type->fixed_scale()) + " of them behind the point";
  if ((json.kind != Kind::String && json.kind != Kind::Number) || json.text.empty() ||
      json.text.find_first_not_of("0123456789.-+") != std::string::npos)
    wrong(path, expected, json);
  const DynamicAny::DynFixed_var f = DynamicAny::DynFixed::_narrow(to);
  try {
    if (f->set_value(json.text.c_str())) return;
  } catch (const DynamicAny::DynAny::TypeMismatch&) {
  } catch (const DynamicAny::DynAny::InvalidValue&) {}
  wrong(path, expected, json);
}

void Mapping::fill_any(DynAny_ptr to, const Json& json, const std::string& path) {
  CORBA::Any value;
  if (json.kind != Kind::Null) {
    if (json.kind != Kind::Object) wrong(path, "an object with \"type\" and \"value\", or null", json);
    check_names(json, {"type", "value"}, path);
    const TypeCode_var type = type_from_json(member(json, "type", path), path + ".type");
    value = from_json(type.in(), member(json, "value", path), path + ".value");
  }
  to->insert_any(value);
}

// What holds the parts of a value in JSON.
static const char* content_of(CORBA::TypeCode_ptr type) {
  return type->kind() == CORBA::tk_value_box ? "boxed" : "members";
}

void Mapping::fill_value(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  switch (type->kind()) {
    case CORBA::tk_value:
    case CORBA::tk_value_box: return set_value(to, type, json, path);
    case CORBA::tk_abstract_interface: return fill_abstract(to, type, json, path);
    default: throw WrongJson{path, "callis call cannot send values of this type"};
  }
}

// No TypeCode says which valuetypes support the interface; the server does.
void Mapping::fill_abstract(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  switch (json.kind) {
    case Kind::Null: return to->insert_abstract(nullptr);
    case Kind::String: {
      const CORBA::Object_var there = object(json, path);
      const CORBA::AbstractBase_var base = orb::to_abstract(there.in());
      return to->insert_abstract(base.in());
    }
    case Kind::Object:
      if (json.find("same")) return share(to, type, json, path);
      if (json.find("type")) {
        const TypeCode_var actual = set_actual(to, type, json, path);
        const DynAny_var value = dynamic::value_behind(to);
        return fill_members(value.in(), actual.in(), json, path);
      }
      [[fallthrough]];
    default:
      wrong(path, std::string("null, a reference, or an object with \"type\" and \"members\" for the abstract "
                              "interface ") + type->name(), json);
  }
}

void Mapping::set_value(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const DynamicAny::DynValueCommon_var common = DynamicAny::DynValueCommon::_narrow(to);
  if (json.kind == Kind::Null) return common->set_to_null();
  if (json.kind != Kind::Object)
    wrong(path, std::string("null, or an object with \"") + content_of(type) + "\" for a " + type->name(), json);
  if (json.find("same")) return share(to, type, json, path);
  const TypeCode_var actual = set_actual(to, type, json, path);
  fill_members(to, actual.in(), json, path);
}

std::string Mapping::id_in(const Json& json, const char* name, const std::string& path) {
  const Json* const id = json.find(name);
  if (id && id->kind != Kind::Number && id->kind != Kind::String) wrong(path + "." + name, "a number", *id);
  return id ? id->text : "";
}

void Mapping::share(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const std::string same = id_in(json, "same", path);
  check_names(json, {"same"}, path);
  const auto known = by_id_.find(same);
  if (known == by_id_.end()) throw WrongJson{path + ".same", "no value before this one has the \"id\" " + part(same)};
  try {
    dynamic::share_value(to, known->second.in());
  } catch (const DynamicAny::DynAny::TypeMismatch&) {
    throw WrongJson{path + ".same", std::string("that value is no ") + type->name()};
  }
}

TypeCode_var Mapping::set_actual(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path) {
  const Json* const other = json.find("type");
  TypeCode_var actual = CORBA::TypeCode::_duplicate(type);
  if (other) {
    const TypeCode_var named = type_from_json(*other, path + ".type");
    actual = CORBA::TypeCode::_duplicate(const_cast<CORBA::TypeCode_ptr>(typecode::type_behind(*named.in())));
  }
  try {
    dynamic::set_to_value_of(to, actual.in());
  } catch (const DynamicAny::DynAny::TypeMismatch&) {
    throw WrongJson{path + ".type", type->kind() == CORBA::tk_abstract_interface
                                        ? std::string("this is no valuetype")
                                        : std::string("this type is not derived from ") + type->name()};
  } catch (const CORBA::NO_IMPLEMENT&) {
    throw WrongJson{path, std::string(actual->name()) + " is a custom or abstract valuetype, of which callis call "
                          "can send null alone" + (other ? "" : "; \"type\" may say a type that is derived from it")};
  }
  return actual;
}

void Mapping::fill_members(DynAny_ptr to, CORBA::TypeCode_ptr actual, const Json& json, const std::string& path) {
  check_names(json, {"type", "id", content_of(actual)}, path);
  if (const std::string id = id_in(json, "id", path); !id.empty()) {
    if (!by_id_.emplace(id, DynAny_var(DynamicAny::DynAny::_duplicate(to))).second)
      throw WrongJson{path + ".id", "two values have the \"id\" " + part(id)};
  }
  const Json& inner = member(json, content_of(actual), path);
  to->rewind();
  if (actual->kind() == CORBA::tk_value_box) {
    const DynAny_var at = to->current_component();
    return fill(at.in(), inner, path + ".boxed");
  }
  if (inner.kind != Kind::Object)
    wrong(path + ".members", std::string("an object with the members of ") + actual->name(), inner);
  const DynamicAny::DynValue_var value = DynamicAny::DynValue::_narrow(to);
  std::vector<std::string> names;
  for (CORBA::ULong i = 0; i < to->component_count(); ++i) {
    to->seek(static_cast<CORBA::Long>(i));
    const CORBA::String_var name = value->current_member_name();
    names.emplace_back(name.in());
  }
  check_names(inner, names, path + ".members");
  for (std::size_t i = 0; i < names.size(); ++i) {
    to->seek(static_cast<CORBA::Long>(i));
    const DynAny_var at = to->current_component();
    fill(at.in(), member(inner, names[i], path + ".members"), path + ".members." + names[i]);
  }
}

CORBA::Object_var Mapping::object(const Json& json, const std::string& path) {
  if (json.kind == Kind::Null) return {};
  if (json.kind != Kind::String) wrong(path, "a reference (IOR:, corbaloc:, corbaname:), or null", json);
  try {
    return orb_->string_to_object(json.text.c_str());
  } catch (const CORBA::SystemException& e) {
    throw WrongJson{path, std::string("no reference: ") + std::string(e.detail().empty() ? e.what() : e.detail())};
  }
}

}  // namespace callis::tools
