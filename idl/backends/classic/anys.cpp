// SPDX-License-Identifier: Apache-2.0
// The operators of Any for each type, local ones too: such a value cannot leave the process. Natives have no values
// in an Any, nor has what holds them: inserting raises BAD_TYPECODE.
#include <idl/backends/classic/anys.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/typecodes.h>

namespace callis::idl::backends::classic {

namespace {

class Operators {
 public:
  Operators(Text& to, const ast::Declaration& d) : to_(to), type_(absolute(d)), code_(type_code(d)) {}

  // Structs, unions, sequences.
  void of_class() {
    into("const " + type_ + "&", "insert", "&_v");
    // A template, so that an array is refused (callis/typecode/any.h).
    to_.line("template <class = void>");
    into(type_ + "*", "adopt", "_v");
    out_of("const " + type_ + "*&", "extract_pointer");
    to_.open("inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ", type_, "*& _v) {");
    to_.line("const ", type_, "* _c;");
    to_.line("const bool _ok = ::callis::typecode::extract_pointer(_a, ", code_, ", _c);");
    to_.line("_v = const_cast<", type_, "*>(_c);");
    to_.line("return _ok;");
    to_.close("}");
  }
  void of_exception() {
    into("const " + type_ + "&", "insert_exception", "_v");
    into(type_ + "*", "adopt_exception", "_v");
    out_of("const " + type_ + "*&", "extract_exception");
  }
  void of_enum() {
    into(type_, "insert", "&_v");
    out_of(type_ + "&", "extract_value");
  }
  // Interfaces, values: with a pointer a count of its own, with a pointer to it that is taken over.
  void of_counted() {
    into(type_ + "*", "insert", "&_v");
    into(type_ + "**", "adopt_slot", "_v");
    out_of(type_ + "*&", "extract_value");
  }
  void of_array() {
    into("const " + type_ + "_forany&", "insert_array", "_v");
    out_of(type_ + "_forany&", "extract_array");
  }

 private:
  void into(const std::string& parameter, const char* how, const char* argument) {
    to_.line("inline void operator<<=(::CORBA::Any& _a, ", parameter, " _v) { ::callis::typecode::", how, "(_a, ",
             code_, ", ", argument, "); }");
  }
  void out_of(const std::string& parameter, const char* how) {
    to_.line("inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& _a, ", parameter,
             " _v) { return ::callis::typecode::", how, "(_a, ", code_, ", _v); }");
  }

  Text& to_;
  const std::string type_, code_;
};

void print_all(Text& to, const ast::Declarations& list) {
  for (const ast::Declaration* d : list) print_any_operators(to, *d);
}

}  // namespace

void print_any_operators(Text& to, const ast::Declaration& d) {
  Operators operators(to, d);
  if (const auto* s = ast::as<ast::Struct>(&d)) {
    print_all(to, s->nested);
    operators.of_class();
  } else if (const auto* u = ast::as<ast::Union>(&d)) {
    print_all(to, u->nested);
    operators.of_class();
  } else if (const auto* e = ast::as<ast::Exception>(&d)) {
    print_all(to, e->nested);
    operators.of_exception();
  } else if (ast::as<ast::Bitset>(&d)) {
    operators.of_class();
  } else if (ast::as<ast::Enum>(&d)) {
    operators.of_enum();
  } else if (const auto* i = ast::as<ast::Interface>(&d)) {
    print_all(to, i->contents);
    operators.of_counted();
  } else if (const auto* v = ast::as<ast::ValueType>(&d)) {
    print_all(to, v->contents);
    operators.of_counted();
  } else if (const auto* b = ast::as<ast::ValueBox>(&d)) {
    print_all(to, b->nested);
    operators.of_counted();
  } else if (const auto* t = ast::as<ast::Typedef>(&d)) {
    // Other typedefs name types that have operators already, or none of their own.
    if (t->type->type_kind == ast::TypeKind::Sequence) operators.of_class();
    if (t->type->type_kind == ast::TypeKind::Array) operators.of_array();
  }
}

}  // namespace callis::idl::backends::classic
