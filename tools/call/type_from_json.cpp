// SPDX-License-Identifier: Apache-2.0
// JSON to TypeCodes: the name of a type, or an object that describes one.
#include <callis/typecode/plan_of.h>
#include <tools/call/expected.h>

namespace callis::tools {

using CORBA::TypeCode_var;
using Kind = Json::Kind;

namespace {

struct BasicName {
  const char* name;
  CORBA::TypeCode_ptr type;
};
std::vector<BasicName> basic_names() {
  return {{"null", CORBA::_tc_null},
          {"void", CORBA::_tc_void},
          {"short", CORBA::_tc_short},
          {"long", CORBA::_tc_long},
          {"long long", CORBA::_tc_longlong},
          {"unsigned short", CORBA::_tc_ushort},
          {"unsigned long", CORBA::_tc_ulong},
          {"unsigned long long", CORBA::_tc_ulonglong},
          {"float", CORBA::_tc_float},
          {"double", CORBA::_tc_double},
          {"long double", CORBA::_tc_longdouble},
          {"boolean", CORBA::_tc_boolean},
          {"char", CORBA::_tc_char},
          {"wchar", CORBA::_tc_wchar},
          {"octet", CORBA::_tc_octet},
          {"any", CORBA::_tc_any},
          {"TypeCode", CORBA::_tc_TypeCode},
          {"Object", CORBA::_tc_Object},
          {"string", CORBA::_tc_string},
          {"wstring", CORBA::_tc_wstring},
          {"ValueBase", CORBA::_tc_ValueBase},
          {"AbstractBase", CORBA::_tc_AbstractBase}};
}

std::string text_member(const Json& json, const char* name, const std::string& path) {
  const Json& found = member(json, name, path);
  if (found.kind != Kind::String) wrong(path + "." + name, "a string", found);
  return found.text;
}

CORBA::ULong bound_member(const Json& json, const char* name, const std::string& path) {
  const Json* const found = json.find(name);
  return found ? integer<CORBA::ULong>(*found, path + "." + name) : 0;
}

const std::vector<Json>& members_of(const Json& json, const std::string& path) {
  const Json& found = member(json, "members", path);
  if (found.kind != Kind::Array) wrong(path + ".members", "an array", found);
  return found.items;
}

std::string at(const std::string& path, std::size_t i) { return path + ".members[" + std::to_string(i) + "]"; }

}  // namespace

TypeCode_var Mapping::type_from_json(const Json& json, const std::string& path) {
  if (json.kind == Kind::String) {
    for (const BasicName& b : basic_names()) {
      if (json.text == b.name) return CORBA::TypeCode::_duplicate(b.type);
    }
    try {
      if (const idl::ast::Declaration* d = types_.find(json.text)) return types_.declared(*d);
    } catch (const NoSuchType& e) {
      throw WrongJson{path, e.text};
    }
    wrong(path, "a basic type, or a name or repository id of the IDL files", json);
  }
  if (json.kind != Kind::Object) wrong(path, "the name of a type, or an object that describes one", json);
  try {
    return described(json, path);
  } catch (const CORBA::SystemException& e) {
    throw WrongJson{path, "no type: " + std::string(e.detail().empty() ? e.what() : e.detail())};
  }
}

TypeCode_var Mapping::described(const Json& json, const std::string& path) {
  const std::string kind = text_member(json, "kind", path);
  const auto inner = [&](const char* name) { return type_from_json(member(json, name, path), path + "." + name); };
  const auto names = [&](std::vector<std::string> known) {
    known.push_back("kind");
    check_names(json, known, path);
  };
  if (kind == "string" || kind == "wstring") {
    names({"bound"});
    const CORBA::ULong bound = bound_member(json, "bound", path);
    return kind == "string" ? typecode::create_string_tc(bound) : typecode::create_wstring_tc(bound);
  }
  if (kind == "fixed") {
    names({"digits", "scale"});
    return typecode::create_fixed_tc(integer<CORBA::UShort>(member(json, "digits", path), path + ".digits"),
                                     integer<CORBA::Short>(member(json, "scale", path), path + ".scale"));
  }
  if (kind == "sequence") {
    names({"element", "bound"});
    const TypeCode_var element = inner("element");
    return typecode::create_sequence_tc(bound_member(json, "bound", path), element.in());
  }
  if (kind == "array") {
    names({"element", "length"});
    const TypeCode_var element = inner("element");
    return typecode::create_array_tc(integer<CORBA::ULong>(member(json, "length", path), path + ".length"),
                                     element.in());
  }
  if (kind == "union") return described_union(json, path);
  if (kind == "valuetype") return described_value(json, path);
  const std::string id = text_member(json, "id", path);
  if (kind == "recursive") {
    names({"id"});
    return typecode::create_recursive_tc(id.c_str());
  }
  const std::string name = text_member(json, "name", path);
  static constexpr std::pair<std::string_view, CORBA::TCKind> kNamed[] = {
      {"interface", CORBA::tk_objref},
      {"abstract interface", CORBA::tk_abstract_interface},
      {"local interface", CORBA::tk_local_interface},
      {"native", CORBA::tk_native}};
  for (const auto& [word, named] : kNamed) {
    if (kind == word) {
      names({"id", "name"});
      return typecode::create_named_tc(named, id.c_str(), name.c_str());
    }
  }
  if (kind == "alias" || kind == "valuebox") {
    names({"id", "name", "type"});
    const TypeCode_var of = inner("type");
    return kind == "alias" ? typecode::create_alias_tc(id.c_str(), name.c_str(), of.in())
                           : typecode::create_value_box_tc(id.c_str(), name.c_str(), of.in());
  }
  names({"id", "name", "members"});
  const std::vector<Json>& members = members_of(json, path);
  if (kind == "enum") {
    CORBA::EnumMemberSeq list;
    list.length(static_cast<CORBA::ULong>(members.size()));
    for (CORBA::ULong i = 0; i < list.length(); ++i) {
      if (members[i].kind != Kind::String) wrong(at(path, i), "a string", members[i]);
      list[i] = CORBA::string_dup(members[i].text.c_str());
    }
    return typecode::create_enum_tc(id.c_str(), name.c_str(), list);
  }
  if (kind != "struct" && kind != "exception")
    throw WrongJson{path + ".kind", "there is no such kind of type: '" + part(kind) + "'"};
  CORBA::StructMemberSeq list;
  list.length(static_cast<CORBA::ULong>(members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    const std::string place = at(path, i);
    check_names(members[i], {"name", "type"}, place);
    list[i].name = CORBA::string_dup(text_member(members[i], "name", place).c_str());
    list[i].type = type_from_json(member(members[i], "type", place), place + ".type");
  }
  return (kind == "struct" ? typecode::create_struct_tc : typecode::create_exception_tc)(id.c_str(), name.c_str(),
                                                                                         list);
}

TypeCode_var Mapping::described_union(const Json& json, const std::string& path) {
  check_names(json, {"kind", "id", "name", "discriminator", "members"}, path);
  const TypeCode_var discriminator = type_from_json(member(json, "discriminator", path), path + ".discriminator");
  const std::vector<Json>& members = members_of(json, path);
  CORBA::UnionMemberSeq list;
  list.length(static_cast<CORBA::ULong>(members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    const std::string place = at(path, i);
    check_names(members[i], {"name", "type", "label"}, place);
    list[i].name = CORBA::string_dup(text_member(members[i], "name", place).c_str());
    list[i].type = type_from_json(member(members[i], "type", place), place + ".type");
    if (const Json* label = members[i].find("label")) {
      list[i].label = from_json(discriminator.in(), *label, place + ".label");
    } else {
      list[i].label <<= CORBA::Any::from_octet(0);
    }
  }
  return typecode::create_union_tc(text_member(json, "id", path).c_str(), text_member(json, "name", path).c_str(),
                                   discriminator.in(), list);
}

TypeCode_var Mapping::described_value(const Json& json, const std::string& path) {
  check_names(json, {"kind", "id", "name", "modifier", "base", "members"}, path);
  const std::vector<Json>& members = members_of(json, path);
  CORBA::ValueMemberSeq list;
  list.length(static_cast<CORBA::ULong>(members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    const std::string place = at(path, i);
    check_names(members[i], {"name", "type", "public"}, place);
    const Json& open = member(members[i], "public", place);
    if (open.kind != Kind::Boolean) wrong(place + ".public", "true or false", open);
    list[i].name = CORBA::string_dup(text_member(members[i], "name", place).c_str());
    list[i].type = type_from_json(member(members[i], "type", place), place + ".type");
    list[i].access = open.truth ? CORBA::PUBLIC_MEMBER : CORBA::PRIVATE_MEMBER;
  }
  TypeCode_var base;
  if (json.find("base")) base = type_from_json(*json.find("base"), path + ".base");
  const auto modifier = integer<CORBA::Short>(member(json, "modifier", path), path + ".modifier");
  return typecode::create_value_tc(text_member(json, "id", path).c_str(), text_member(json, "name", path).c_str(),
                                   modifier, base.in(), list);
}

}  // namespace callis::tools
