// SPDX-License-Identifier: Apache-2.0
// C++ types of parameters, results, members and elements.
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

using ast::TypeKind;
using Mode = ast::Parameter::Mode;

Shape shape(const ast::Type& type) {
  const ast::Type& t = ast::strip_aliases(type);
  switch (t.type_kind) {
    case TypeKind::Void: return Shape::Void;
    case TypeKind::String: return Shape::String;
    case TypeKind::WString: return Shape::WString;
    case TypeKind::Object:
    case TypeKind::ValueBase:
    case TypeKind::AbstractBase:
    case TypeKind::Value:
    case TypeKind::ValueBox:
    case TypeKind::TypeCode:
    case TypeKind::Interface: return Shape::Reference;
    case TypeKind::Any: return Shape::VariableStruct;
    case TypeKind::Fixed: return Shape::FixedStruct;
    case TypeKind::Union:
    case TypeKind::Struct: return ast::is_variable_length(t) ? Shape::VariableStruct : Shape::FixedStruct;
    case TypeKind::Enum: return Shape::Enum;
    case TypeKind::Sequence: return Shape::Sequence;
    case TypeKind::Array: return ast::is_variable_length(t) ? Shape::VariableArray : Shape::FixedArray;
    default: return Shape::Primitive;
  }
}

bool is_array(Shape s) { return s == Shape::FixedArray || s == Shape::VariableArray; }

bool is_scalar(Shape s) { return s == Shape::Primitive || s == Shape::Enum; }
bool is_string(Shape s) { return s == Shape::String || s == Shape::WString; }
bool is_wide(const ast::Type& t) { return shape(t) == Shape::WString; }
std::string string_name(Shape s) { return s == Shape::WString ? "WString" : "String"; }
bool is_class(Shape s) { return s == Shape::FixedStruct || s == Shape::VariableStruct || s == Shape::Sequence; }

std::string primitive_name(TypeKind k) {
  switch (k) {
    case TypeKind::Boolean: return "Boolean";
    case TypeKind::Octet: return "Octet";
    case TypeKind::Int8: return "Int8";
    case TypeKind::UInt8: return "UInt8";
    case TypeKind::Char: return "Char";
    case TypeKind::WChar: return "WChar";
    case TypeKind::Short: return "Short";
    case TypeKind::UShort: return "UShort";
    case TypeKind::Long: return "Long";
    case TypeKind::ULong: return "ULong";
    case TypeKind::LongLong: return "LongLong";
    case TypeKind::ULongLong: return "ULongLong";
    case TypeKind::Float: return "Float";
    case TypeKind::Double: return "Double";
    case TypeKind::LongDouble: return "LongDouble";
    case TypeKind::Any: return "Any";
    case TypeKind::TypeCode: return "TypeCode";
    case TypeKind::Object: return "Object";
    case TypeKind::ValueBase: return "ValueBase";
    case TypeKind::AbstractBase: return "AbstractBase";
    default: return {};
  }
}

std::string interface_type(const ast::Type& type) {
  const ast::Type& t = ast::strip_aliases(type);
  if (const ast::Declaration* d = ast::declaration(t)) return absolute(*d);
  return "::CORBA::" + primitive_name(t.type_kind);
}

std::string sequence_template(const ast::SequenceType& s) {
  const std::string bound = s.bound ? cat(s.bound, "u") : "";
  switch (shape(*s.element)) {
    case Shape::String: return cat("::callis::classic::StringSequence<", bound, ">");
    case Shape::WString: return cat("::callis::classic::WideStringSequence<", bound, ">");
    case Shape::Reference:
      return cat("::callis::classic::ReferenceSequence<", interface_type(*s.element), s.bound ? ", " : "", bound,
                 ">");
    default:
      return cat("::callis::classic::Sequence<", value_type(*s.element), s.bound ? ", " : "", bound, ">");
  }
}

std::string value_type(const ast::Type& t) {
  switch (shape(t)) {
    case Shape::Void: return "void";
    case Shape::String: return "char*";
    case Shape::WString: return "::CORBA::WChar*";
    case Shape::Reference: return interface_type(t) + "*";
    default: break;
  }
  const auto* entry = ast::as<ast::Struct>(&t);
  if (entry && entry->origin == ast::Struct::Origin::MapEntry)
    return cat("::callis::classic::MapEntry<", member_type(*entry->members[0]->type), ", ",
               member_type(*entry->members[1]->type), ">");
  if (const auto* n = ast::as<ast::Native>(&ast::strip_aliases(t))) return absolute(*n) + (n->built_in ? "" : "*");
  if (const ast::Declaration* d = ast::declaration(t)) return absolute(*d);
  if (const auto* s = ast::as<ast::SequenceType>(&t)) return sequence_template(*s);
  if (const auto* a = ast::as<ast::ArrayType>(&t)) return member_type(*a->element) + dimensions(t);
  if (const auto* f = ast::as<ast::FixedType>(&t))
    return cat("::callis::classic::FixedPoint<", f->digits, ", ", f->scale, ">");
  return "::CORBA::" + primitive_name(t.type_kind);
}

std::string member_type(const ast::Type& t) {
  switch (shape(t)) {
    case Shape::String:
    case Shape::WString: return cat("::CORBA::", string_name(shape(t)), "_member");
    case Shape::Reference: return cat("::callis::classic::ReferenceVar<", interface_type(t), ">");
    default: return value_type(t);
  }
}

std::string slice_type(const ast::Type& t) {
  return absolute(*ast::declaration(t), "_slice");
}

std::string in_type(const ast::Type& t) {
  switch (shape(t)) {
    case Shape::String:
    case Shape::WString: return "const " + value_type(t);
    case Shape::Reference: return interface_type(t) + "*";
    case Shape::FixedStruct:
    case Shape::VariableStruct:
    case Shape::Sequence: return cat("const ", value_type(t), "&");
    case Shape::FixedArray:
    case Shape::VariableArray: return "const " + value_type(t);
    default: return value_type(t);
  }
}

std::string inout_type(const ast::Type& t) {
  return is_array(shape(t)) ? slice_type(t) + "*" : value_type(t) + "&";
}

std::string out_type(const ast::Type& t) {
  if (const ast::Declaration* d = ast::declaration(t)) return absolute(*d, "_out");
  if (is_string(shape(t))) return cat("::CORBA::", string_name(shape(t)), "_out");
  if (t.type_kind == TypeKind::Fixed) return value_type(t) + "&";
  return cat("::CORBA::", primitive_name(t.type_kind), "_out");
}

std::string parameter_type(const ast::Type& t, Mode mode) {
  switch (mode) {
    case Mode::In: return in_type(t);
    case Mode::InOut: return inout_type(t);
    case Mode::Out: return out_type(t);
  }
  return {};
}

std::string result_type(const ast::Type& t) {
  switch (shape(t)) {
    case Shape::VariableStruct:
    case Shape::Sequence: return value_type(t) + "*";
    case Shape::FixedArray:
    case Shape::VariableArray: return slice_type(t) + "*";
    default: return value_type(t);
  }
}

std::string dimensions(const ast::Type& t) {
  std::string s;
  if (const auto* a = ast::as<ast::ArrayType>(&t))
    for (std::uint32_t n : a->dimensions) s += cat('[', n, ']');
  return s;
}

std::string member_declarator(const ast::Type& t, const std::string& name) {
  if (const auto* a = ast::as<ast::ArrayType>(&t))
    return cat(member_type(*a->element), " ", name, dimensions(t));
  return cat(member_type(t), " ", name);
}

namespace {

bool is_variable(Shape s) {
  return s == Shape::VariableStruct || s == Shape::Sequence || s == Shape::VariableArray;
}

}  // namespace

std::string client_slot(const ast::Type& t, Mode mode) {
  const Shape s = shape(t);
  const std::string value = is_array(s) ? slice_type(t) : value_type(t);
  if (is_scalar(s)) return value;
  switch (mode) {
    case Mode::In:
      if (s == Shape::Reference) return value;
      return is_string(s) ? "const " + value : cat("const ", value, "*");
    case Mode::InOut: return value + "*";
    case Mode::Out: return value + (is_variable(s) ? "**" : "*");
  }
  return {};
}

std::string client_result_slot(const ast::Type& t) {
  const Shape s = shape(t);
  if (is_scalar(s) || is_string(s) || s == Shape::Reference) return value_type(t);
  return (is_array(s) ? slice_type(t) : value_type(t)) + "*";
}

std::string client_argument(const ast::Type& t, Mode mode, const std::string& parameter) {
  const Shape s = shape(t);
  if (is_scalar(s)) return mode == Mode::Out ? std::string() : parameter;
  if (mode == Mode::In) return is_class(s) ? "&" + parameter : parameter;
  if (mode == Mode::InOut) return is_array(s) ? parameter : "&" + parameter;
  switch (s) {
    case Shape::FixedArray: return parameter;
    case Shape::FixedStruct: return "&" + parameter;
    default: return cat('&', parameter, ".ptr()");
  }
}

std::string server_slot(const ast::Type& t, Mode mode) {
  const Shape s = shape(t);
  if (mode != Mode::Out || !is_variable(s)) return value_type(t);
  return (is_array(s) ? slice_type(t) : value_type(t)) + "*";
}

std::string server_result_slot(const ast::Type& t) { return result_type(t); }

}  // namespace callis::idl::backends::classic
