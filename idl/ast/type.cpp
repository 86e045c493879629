// SPDX-License-Identifier: Apache-2.0
// Types: names, resolution of aliases, equality.
#include <idl/ast/nodes.h>
#include <idl/ast/type.h>
#include <algorithm>
#include <memory>

namespace callis::idl::ast {

namespace {

std::string_view basic_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Octet: return "octet";
    case TypeKind::Int8: return "int8";
    case TypeKind::UInt8: return "uint8";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "unsigned short";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "unsigned long";
    case TypeKind::LongLong: return "long long";
    case TypeKind::ULongLong: return "unsigned long long";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "long double";
    case TypeKind::Any: return "any";
    case TypeKind::TypeCode: return "CORBA::TypeCode";
    case TypeKind::Object: return "Object";
    case TypeKind::ValueBase: return "ValueBase";
    case TypeKind::AbstractBase: return "CORBA::AbstractBase";
    case TypeKind::String: return "string";
    case TypeKind::WString: return "wstring";
    default: return "?";
  }
}

}  // namespace

const BasicType& basic(TypeKind kind) {
  static const auto* all = [] {
    auto* nodes = new std::vector<std::unique_ptr<BasicType>>;
    for (int k = 0; k <= static_cast<int>(TypeKind::AbstractBase); ++k) {
      nodes->push_back(std::make_unique<BasicType>(static_cast<TypeKind>(k)));
    }
    return nodes;
  }();
  return *(*all)[static_cast<std::size_t>(kind)];
}

const Type& strip_typedefs(const Type& t) {
  const Type* type = &t;
  while (const auto* alias = as<Typedef>(type)) {
    type = alias->type;
  }
  return *type;
}

const Type& strip_aliases(const Type& t) {
  const Type& type = strip_typedefs(t);
  if (const auto* mask = as<Bitmask>(&type)) {
    return *mask->holder;
  }
  const auto* set = as<Bitset>(&type);
  return set != nullptr ? *set->holder : type;
}

bool is_variable_length(const Type& t) {
  const Type& type = strip_aliases(t);
  switch (type.type_kind) {
    case TypeKind::Any:
    case TypeKind::TypeCode:
    case TypeKind::String:
    case TypeKind::WString:
    case TypeKind::Object:
    case TypeKind::ValueBase:
    case TypeKind::AbstractBase:
    case TypeKind::Interface:
    case TypeKind::Value:
    case TypeKind::ValueBox:
    case TypeKind::Sequence: return true;
    case TypeKind::Array: return is_variable_length(*as<ArrayType>(&type)->element);
    case TypeKind::Struct: return as<Struct>(&type)->variable_length;
    case TypeKind::Union: return as<Union>(&type)->variable_length;
    default: return false;
  }
}

// CDR (CORBA 3.3 part 2, 9.3).
std::uint32_t wire_size(const Type& type) {
  switch (strip_aliases(type).type_kind) {
    case TypeKind::Boolean:
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8:
    case TypeKind::Char: return 1;
    case TypeKind::Short:
    case TypeKind::UShort: return 2;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::Float:
    case TypeKind::Enum: return 4;
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double: return 8;
    case TypeKind::LongDouble: return 16;
    default: return 0;
  }
}

std::uint64_t least_bytes(const Type& type) {
  const Type& t = strip_aliases(type);
  switch (t.type_kind) {
    case TypeKind::WChar: return 2;
    case TypeKind::String: return 5;  // length and NUL
    case TypeKind::WString: return 4;
    case TypeKind::Fixed: return as<FixedType>(&t)->digits / 2u + 1;
    case TypeKind::Union: {  // when it selects no member
      const Type* discriminator = as<Union>(&t)->discriminator;
      return discriminator != nullptr ? least_bytes(*discriminator) : 1;
    }
    case TypeKind::Object: return 9;  // an empty type id and no profiles, padding aside
    case TypeKind::Interface: return as<Interface>(&t)->flavor == Interface::Flavor::Abstract ? 5 : 9;
    case TypeKind::AbstractBase: return 5;  // a boolean and a null value
    case TypeKind::Value:
    case TypeKind::ValueBox:
    case TypeKind::ValueBase:
    case TypeKind::Any:
    case TypeKind::TypeCode:
    case TypeKind::Sequence: return 4;
    case TypeKind::Array: {
      const auto& a = *as<ArrayType>(&t);
      std::uint64_t n = least_bytes(*a.element);
      for (const std::uint32_t d : a.dimensions) {
        n = d != 0 && n > kMostLeastBytes / d ? kMostLeastBytes : n * d;
      }
      return n;
    }
    case TypeKind::Struct: return as<Struct>(&t)->least_bytes;
    default: return std::max(wire_size(t), 1u);
  }
}

bool is_local(const Type& t) {
  const Type& type = strip_aliases(t);
  switch (type.type_kind) {
    case TypeKind::Native: return true;
    case TypeKind::Interface: return as<Interface>(&type)->flavor == Interface::Flavor::Local;
    case TypeKind::Sequence: return is_local(*as<SequenceType>(&type)->element);
    case TypeKind::Array: return is_local(*as<ArrayType>(&type)->element);
    case TypeKind::ValueBox: return is_local(*as<ValueBox>(&type)->type);
    case TypeKind::Struct: return as<Struct>(&type)->local;
    case TypeKind::Union: return as<Union>(&type)->local;
    default: return false;
  }
}

bool holds_references(const Type& t) {
  const Type& type = strip_aliases(t);
  switch (type.type_kind) {
    case TypeKind::Any:
    case TypeKind::TypeCode:
    case TypeKind::Object:
    case TypeKind::ValueBase:
    case TypeKind::AbstractBase:
    case TypeKind::Interface:
    case TypeKind::Value:
    case TypeKind::ValueBox: return true;
    case TypeKind::Sequence: return holds_references(*as<SequenceType>(&type)->element);
    case TypeKind::Array: return holds_references(*as<ArrayType>(&type)->element);
    case TypeKind::Struct: return as<Struct>(&type)->references;
    case TypeKind::Union: return as<Union>(&type)->references;
    default: return false;
  }
}

bool holds_values(const Type& t) {
  const Type& type = strip_aliases(t);
  switch (type.type_kind) {
    case TypeKind::Any:
    case TypeKind::ValueBase:
    case TypeKind::AbstractBase:
    case TypeKind::Value:
    case TypeKind::ValueBox: return true;
    case TypeKind::Interface: return as<Interface>(&type)->flavor == Interface::Flavor::Abstract;
    case TypeKind::Sequence: return holds_values(*as<SequenceType>(&type)->element);
    case TypeKind::Array: return holds_values(*as<ArrayType>(&type)->element);
    case TypeKind::Struct: return as<Struct>(&type)->values;
    case TypeKind::Union: return as<Union>(&type)->values;
    default: return false;
  }
}

bool is_integer(TypeKind k) {
  return (k >= TypeKind::Octet && k <= TypeKind::UInt8) || (k >= TypeKind::Short && k <= TypeKind::ULongLong);
}

bool is_floating(TypeKind k) { return k >= TypeKind::Float && k <= TypeKind::LongDouble; }

const Declaration* declaration(const Type& t) {
  switch (t.type_kind) {
    case TypeKind::Interface: return as<Interface>(&t);
    case TypeKind::Value: return as<ValueType>(&t);
    case TypeKind::ValueBox: return as<ValueBox>(&t);
    case TypeKind::Native: return as<Native>(&t);
    case TypeKind::Bitset: return as<Bitset>(&t);
    case TypeKind::Bitmask: return as<Bitmask>(&t);
    case TypeKind::Struct: return as<Struct>(&t);
    case TypeKind::Union: return as<Union>(&t);
    case TypeKind::Enum: return as<Enum>(&t);
    case TypeKind::Alias: return as<Typedef>(&t);
    default: return nullptr;
  }
}

std::string idl_name(const Type& t) {
  if (const Declaration* d = declaration(t)) {
    return "::" + scoped_name(*d);
  }
  if (const auto* string = as<StringType>(&t); string != nullptr && string->bound != 0) {
    return std::string(basic_name(t.type_kind)) + "<" + std::to_string(string->bound) + ">";
  }
  const auto* sequence = as<SequenceType>(&t);
  if (sequence != nullptr && sequence->key != nullptr) {
    return "map<" + idl_name(*sequence->key) + ", " + idl_name(*sequence->mapped) +
           (sequence->bound != 0 ? ", " + std::to_string(sequence->bound) : "") + ">";
  }
  if (sequence != nullptr) {
    return "sequence<" + idl_name(*sequence->element) +
           (sequence->bound != 0 ? ", " + std::to_string(sequence->bound) : "") + ">";
  }
  if (const auto* fixed = as<FixedType>(&t)) {
    return fixed->digits == 0 ? "fixed"
                              : "fixed<" + std::to_string(fixed->digits) + ", " + std::to_string(fixed->scale) + ">";
  }
  if (const auto* array = as<ArrayType>(&t)) {
    std::string out = idl_name(*array->element);
    for (const std::uint32_t n : array->dimensions) {
      out += "[" + std::to_string(n) + "]";
    }
    return out;
  }
  return std::string(basic_name(t.type_kind));
}

}  // namespace callis::idl::ast
