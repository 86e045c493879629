// SPDX-License-Identifier: Apache-2.0
// Declarations of the generated header, in the order of the IDL.
#include <idl/backends/classic/bits.h>
#include <idl/backends/classic/constants.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/member_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/typecodes.h>
#include <idl/backends/classic/unions.h>

namespace callis::idl::backends::classic {

void print_enum(Text& to, const ast::Enum& e) {
  to.open("enum ", name(e), " : ::CORBA::ULong {");
  for (const ast::Enumerator* x : e.enumerators) to.line(name(*x), ",");
  to.close("};");
  to.line("typedef ", name(e), "& ", name(e), "_out;");
}

namespace {

void print_member(Text& to, const std::string& stem, const ast::Member& m, const char* initializer) {
  print_member_typedefs(to, stem, *m.type);
  to.line(is_anonymous(*m.type) ? cat(spelled(stem, *m.type), " ", name(m)) : member_declarator(*m.type, name(m)),
          initializer, ";");
}

void print_nested(Text& to, const ast::Declarations& nested) {
  for (const ast::Declaration* d : nested) print_type_declaration(to, *d, true);
}

}  // namespace

void print_struct(Text& to, const ast::Struct& s) {
  const std::string id = name(s);
  const bool variable = ast::is_variable_length(s);
  to.line("struct ", id, ";");
  if (variable) {
    to.line("typedef ::callis::classic::VariableVar<", id, "> ", id, "_var;");
    to.line("typedef ::callis::classic::VariableOut<", id, "> ", id, "_out;");
  } else {
    to.line("typedef ::callis::classic::FixedVar<", id, "> ", id, "_var;");
    to.line("typedef ", id, "& ", id, "_out;");
  }
  to.open("struct ", id, " {");
  // Not by their names alone: a member may be called S_var.
  to.line("typedef ", absolute(s, "_var"), " _var_type;");
  to.line("typedef ", absolute(s, "_out"), " _out_type;");
  print_nested(to, s.nested);
  const MemberStems stems(s, s.members, s.nested);
  for (const ast::Member* m : s.members) print_member(to, stems.of(m->name), *m, "");
  to.close("};");
}

namespace {

std::string constructor_argument(const ast::Member& m) { return "_callis_p_" + m.name; }
// How the constructor of an exception takes a member.
std::string constructor_parameter(const ast::Member& m, const MemberStems& stems) {
  const std::string type = spelled(stems.of(m.name), *m.type);
  const char* reference = m.type->type_kind == ast::TypeKind::Sequence ? "&" : "";
  return cat(is_anonymous(*m.type) ? cat("const ", type, reference) : in_type(*m.type), " ", constructor_argument(m));
}

std::string constructor_parameters(const ast::Exception& e) {
  const MemberStems stems(e, e.members, e.nested);
  std::string s;
  for (const ast::Member* m : e.members) s += (s.empty() ? "" : ", ") + constructor_parameter(*m, stems);
  return s;
}

// A fixed-length member has no constructor of its own that would give it a value.
const char* member_initializer(const ast::Type& t) {
  switch (shape(t)) {
    case Shape::Primitive:
    case Shape::Enum:
    case Shape::FixedStruct:
    case Shape::FixedArray: return "{}";
    default: return "";
  }
}

}  // namespace

void print_exception(Text& to, const ast::Exception& e) {
  const std::string id = name(e);
  to.open("class ", id, " : public ::CORBA::UserException {");
  to.label("public:");
  print_nested(to, e.nested);
  const MemberStems stems(e, e.members, e.nested);
  for (const ast::Member* m : e.members) print_member(to, stems.of(m->name), *m, member_initializer(*m->type));
  if (!e.members.empty()) {
    to.line(id, "() = default;");
    to.line(e.members.size() == 1 ? "explicit " : "", id, "(", constructor_parameters(e), ");");
  }
  to.line("void _raise() const override;");
  to.line("const char* _name() const noexcept override;");
  to.line("const char* _rep_id() const noexcept override;");
  to.line("::CORBA::Exception* _duplicate() const override;");
  to.line("static ", id, "* _downcast(::CORBA::Exception* _callis_e) { return dynamic_cast<", id, "*>(_callis_e); }");
  to.line("static const ", id, "* _downcast(const ::CORBA::Exception* _callis_e) { return dynamic_cast<const ", id,
          "*>(_callis_e); }");
  to.line("static ", id, "* _narrow(::CORBA::Exception* _callis_e) { return _downcast(_callis_e); }");
  to.close("};");
}

void print_exception_functions(Text& to, const ast::Exception& e) {
  const std::string id = scoped(e), own = name(e);
  if (!e.members.empty()) {
    std::string init, copies;
    for (const ast::Member* m : e.members) {
      const bool by_copy = is_array(shape(*m->type));
      if (!by_copy) {
        const bool counted = shape(*m->type) == Shape::Reference;
        init += cat(init.empty() ? " : " : ", ", name(*m), counted ? "(::callis::classic::duplicate_reference(" : "(",
                    constructor_argument(*m), counted ? "))" : ")");
      } else {
        copies += cat("  ::callis::classic::array_copy<decltype(", name(*m), ")>(", name(*m), ", ",
                      constructor_argument(*m), ");\n");
      }
    }
    to.line(id, "::", own, "(", constructor_parameters(e), ")", init, copies.empty() ? " {}" : " {");
    if (!copies.empty()) {
      to.raw(copies);
      to.line("}");
    }
  }
  to.line("void ", id, "::_raise() const { throw *this; }");
  to.line("const char* ", id, "::_name() const noexcept { return ", quoted(e.name), "; }");
  to.line("const char* ", id, "::_rep_id() const noexcept { return ", quoted(e.repository_id), "; }");
  to.line("::CORBA::Exception* ", id, "::_duplicate() const { return new ", own, "(*this); }");
}

namespace {

void print_layout_check(Text& to, const std::string& type, const std::vector<const ast::Member*>& members,
                        bool exception) {
  std::string parts = exception ? "void*" : "";
  for (const ast::Member* m : members)
    parts += cat(parts.empty() ? "" : ", ", "decltype(", type, "::", name(*m), ")");
  to.line("static_assert(sizeof(", type, ") == ::callis::classic::kNaturalSize<", parts, ">);");
  if (!exception) to.line("static_assert(std::is_standard_layout_v<", type, ">);");
}

}  // namespace

void print_layout_check(Text& to, const ast::Struct& s) { print_layout_check(to, absolute(s), s.members, false); }
void print_layout_check(Text& to, const ast::Exception& e) { print_layout_check(to, absolute(e), e.members, true); }

namespace {

void print_array_typedef(Text& to, const ast::Typedef& t, const ast::ArrayType& a, bool in_class) {
  const std::string id = name(t);
  std::string rest;
  for (std::size_t i = 1; i < a.dimensions.size(); ++i) rest += cat('[', a.dimensions[i], ']');
  const std::string element = member_type(*a.element);
  to.line("typedef ", element, " ", id, dimensions(a), ";");
  to.line("typedef ", element, " ", id, "_slice", rest, ";");
  if (ast::is_variable_length(a)) {
    to.line("typedef ::callis::classic::VariableArrayVar<", id, "> ", id, "_var;");
    to.line("typedef ::callis::classic::VariableArrayOut<", id, "> ", id, "_out;");
  } else {
    to.line("typedef ::callis::classic::FixedArrayVar<", id, "> ", id, "_var;");
    to.line("typedef ", id, "_slice* ", id, "_out;");
  }
  if (to.any) {
    to.open("class ", id, "_forany : public ::callis::typecode::ArrayForAny<", id, "> {");
    to.label("public:");
    to.line("using ArrayForAny::ArrayForAny;");
    to.close("};");
  }
  const char* how = in_class ? "static " : "inline ";
  const std::string slice = id + "_slice", with = cat('<', id, '>');
  to.line(how, slice, "* ", id, "_alloc() { return ::callis::classic::array_allocate", with, "(); }");
  to.line(how, slice, "* ", id, "_dup(const ", slice, "* _callis_s) { return ::callis::classic::array_duplicate",
          with, "(_callis_s); }");
  to.line(how, "void ", id, "_copy(", slice, "* _callis_t, const ", slice,
          "* _callis_s) { ::callis::classic::array_copy", with, "(_callis_t, _callis_s); }");
  to.line(how, "void ", id, "_free(", slice, "* _callis_s) { ::callis::classic::array_free", with, "(_callis_s); }");
}

// `typedef Old New`: New goes wherever Old goes.
void print_alias_of(Text& to, const ast::Typedef& t, const ast::Declaration& old, bool in_class) {
  const std::string id = name(t);
  const Shape s = shape(*t.type);
  const auto same = [&](const char* suffix) { to.line("typedef ", absolute(old, suffix), " ", id, suffix, ";"); };
  same("");
  if (s == Shape::Reference) same("_ptr");
  if (is_array(s)) same("_slice");
  if (is_array(s) && to.any) same("_forany");
  if (s != Shape::Primitive && s != Shape::Enum) same("_var");
  same("_out");
  if (!is_array(s)) return;
  const char* how = in_class ? "static " : "inline ";
  const std::string slice = id + "_slice";
  to.line(how, slice, "* ", id, "_alloc() { return ", absolute(old, "_alloc"), "(); }");
  to.line(how, slice, "* ", id, "_dup(const ", slice, "* _callis_s) { return ", absolute(old, "_dup"),
          "(_callis_s); }");
  to.line(how, "void ", id, "_copy(", slice, "* _callis_t, const ", slice, "* _callis_s) { ", absolute(old, "_copy"),
          "(_callis_t, _callis_s); }");
  to.line(how, "void ", id, "_free(", slice, "* _callis_s) { ", absolute(old, "_free"), "(_callis_s); }");
}

void print_sequence_typedef(Text& to, const ast::Typedef& t, const ast::SequenceType& s) {
  const std::string id = name(t);
  to.line("class ", id, ";");
  to.line("typedef ::callis::classic::SequenceVar<", id, "> ", id, "_var;");
  to.line("typedef ::callis::classic::VariableOut<", id, ", ", id, "_var> ", id, "_out;");
  to.open("class ", id, " : public ", sequence_template(s), " {");
  to.label("public:");
  to.line("typedef ", id, "_var _var_type;");
  to.line("typedef ", id, "_out _out_type;");
  to.line("using SequenceOf::SequenceOf;");
  to.close("};");
}

}  // namespace

void print_typedef(Text& to, const ast::Typedef& t, bool in_class) {
  if (const ast::Declaration* old = ast::declaration(*t.type)) return print_alias_of(to, t, *old, in_class);
  const std::string id = name(t);
  switch (t.type->type_kind) {
    case ast::TypeKind::String:
    case ast::TypeKind::WString:
      to.line("typedef ", value_type(*t.type), " ", id, ";");
      for (const char* suffix : {"_var", "_out"})
        to.line("typedef ::CORBA::", string_name(shape(*t.type)), suffix, " ", id, suffix, ";");
      break;
    case ast::TypeKind::Fixed:
      to.line("typedef ", value_type(*t.type), " ", id, ";");
      to.line("typedef ::callis::classic::FixedVar<", id, "> ", id, "_var;");
      to.line("typedef ", id, "& ", id, "_out;");
      break;
    case ast::TypeKind::Sequence: print_sequence_typedef(to, t, *ast::as<ast::SequenceType>(t.type)); break;
    case ast::TypeKind::Array: print_array_typedef(to, t, *ast::as<ast::ArrayType>(t.type), in_class); break;
    case ast::TypeKind::Any:
      for (const char* suffix : {"", "_var", "_out"}) to.line("typedef ::CORBA::Any", suffix, " ", id, suffix, ";");
      break;
    case ast::TypeKind::Object:
    case ast::TypeKind::ValueBase:
    case ast::TypeKind::AbstractBase:
    case ast::TypeKind::TypeCode:
      for (const char* suffix : {"", "_ptr", "_var", "_out"})
        to.line("typedef ", interface_type(*t.type), suffix, " ", id, suffix, ";");
      break;
    default:
      to.line("typedef ", value_type(*t.type), " ", id, ";");
      to.line("typedef ", value_type(*t.type), "_out ", id, "_out;");
  }
}

namespace {

void print_plain(Text& to, const ast::Declaration& d, bool in_class) {
  using ast::DeclarationKind;
  switch (d.kind) {
    case DeclarationKind::Enum: return print_enum(to, *ast::as<ast::Enum>(&d));
    case DeclarationKind::Bitset: return print_bitset(to, *ast::as<ast::Bitset>(&d));
    case DeclarationKind::Bitmask: return print_bitmask(to, *ast::as<ast::Bitmask>(&d));
    case DeclarationKind::Struct: return print_struct(to, *ast::as<ast::Struct>(&d));
    case DeclarationKind::Union: return print_union(to, *ast::as<ast::Union>(&d));
    case DeclarationKind::Exception: return print_exception(to, *ast::as<ast::Exception>(&d));
    case DeclarationKind::Typedef: return print_typedef(to, *ast::as<ast::Typedef>(&d), in_class);
    case DeclarationKind::Const: return print_constant(to, *ast::as<ast::Const>(&d), in_class);
    // A class that the program defines; passed by pointer, which nothing here owns.
    case DeclarationKind::Native:
      to.line("class ", name(d), ";");
      to.line("typedef ", name(d), "*& ", name(d), "_out;");
      return;
    case DeclarationKind::Forward:
      if (const auto* s = ast::as<ast::Struct>(ast::as<ast::Forward>(&d)->target)) to.line("struct ", name(*s), ";");
      if (const auto* u = ast::as<ast::Union>(ast::as<ast::Forward>(&d)->target)) to.line("class ", name(*u), ";");
      return;
    default: return;
  }
}

}  // namespace

void print_type_declaration(Text& to, const ast::Declaration& d, bool in_class) {
  print_plain(to, d, in_class);
  if (to.any && has_type_code(d)) print_type_code_declaration(to, d, in_class);
}

}  // namespace callis::idl::backends::classic
