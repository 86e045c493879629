// SPDX-License-Identifier: Apache-2.0
// Which C++ type stands for an IDL type in which place (C++ mapping 1.3, table 4.2), and in the frames of
// callis/marshal/plan.h.
#pragma once
#include <idl/ast/nodes.h>
#include <string>

namespace callis::idl::backends::classic {

// Where generated code finds what the mapping needs.
inline constexpr const char* kLibrary = "::callis::classic::";

// What decides how a value is stored and passed. A union is stored and passed like a struct, a fixed like a struct of
// fixed length, an any like one of variable length, a TypeCode like a reference.
enum class Shape {
  Void, Primitive, Enum, String, WString, Reference, FixedStruct, VariableStruct, Sequence, FixedArray, VariableArray,
};
Shape shape(const ast::Type& t);
bool is_array(Shape s);
bool is_scalar(Shape s);  // primitives and enums
bool is_string(Shape s);  // wide or not
bool is_wide(const ast::Type& t);
// "String" or "WString" of such a shape: what the names of its classes begin with.
std::string string_name(Shape s);
// A class, which is passed by reference.
bool is_class(Shape s);

// "CORBA::Long" of a primitive: "Long".
std::string primitive_name(ast::TypeKind k);

// The type of a value: "::CORBA::Long", "::M::S", "char*", "::M::X*", a typedef's name, or for anonymous
// sequences and fixed a template.
std::string value_type(const ast::Type& t);
// As member of a struct, element of an array: String_member for strings, X_var for references.
std::string member_type(const ast::Type& t);
// The class that a sequence's class derives from.
std::string sequence_template(const ast::SequenceType& s);
// "::M::X", "::CORBA::Object" or "::CORBA::TypeCode", of a Reference: an interface, an abstract one, a value, a box
// or a TypeCode.
std::string interface_type(const ast::Type& t);
// Of an array type with a name: "::M::A_slice".
std::string slice_type(const ast::Type& t);

// Parameters and results of operations.
std::string in_type(const ast::Type& t);
std::string inout_type(const ast::Type& t);
std::string out_type(const ast::Type& t);
std::string parameter_type(const ast::Type& t, ast::Parameter::Mode mode);
std::string result_type(const ast::Type& t);

// `T name[2][3]`; with a blank between type and name.
std::string member_declarator(const ast::Type& t, const std::string& name);

// Slots of frames, and what initialises a client's slot from the stub's parameter of that name: empty for nothing.
std::string client_slot(const ast::Type& t, ast::Parameter::Mode mode);
std::string client_result_slot(const ast::Type& t);
std::string client_argument(const ast::Type& t, ast::Parameter::Mode mode, const std::string& parameter);
std::string server_slot(const ast::Type& t, ast::Parameter::Mode mode);
std::string server_result_slot(const ast::Type& t);

// "[2][3]" of an anonymous array; empty for all others.
std::string dimensions(const ast::Type& t);

}  // namespace callis::idl::backends::classic
