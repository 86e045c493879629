// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/nodes.h>
#include <idl/ast/type.h>
#include <algorithm>
#include <memory>
#include <unordered_map>

namespace callis::idl::ast {

namespace {

std::string_view basic_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Octet: return "octet";
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
    case TypeKind::Object: return "Object";
    case TypeKind::String: return "string";
    case TypeKind::WString: return "wstring";
    default: return "?";
  }
}

// Struct by struct, each once: types nest without bound in width and share parts.
bool variable(const Type& t, std::unordered_map<const Type*, bool>& known) {
  const Type& type = strip_aliases(t);
  switch (type.type_kind) {
    case TypeKind::String:
    case TypeKind::WString:
    case TypeKind::Object:
    case TypeKind::Interface:
    case TypeKind::Sequence: return true;
    case TypeKind::Array: return variable(*as<ArrayType>(&type)->element, known);
    case TypeKind::Struct: break;
    default: return false;
  }
  if (const auto found = known.find(&type); found != known.end()) {
    return found->second;
  }
  const Struct& s = *as<Struct>(&type);
  const bool result = std::any_of(s.members.begin(), s.members.end(), [&](const Member* m) {
    return variable(*m->type, known);
  });
  known.emplace(&type, result);
  return result;
}

}  // namespace

const BasicType& basic(TypeKind kind) {
  static const auto* all = [] {
    auto* nodes = new std::vector<std::unique_ptr<BasicType>>;
    for (int k = 0; k <= static_cast<int>(TypeKind::Object); ++k) {
      nodes->push_back(std::make_unique<BasicType>(static_cast<TypeKind>(k)));
    }
    return nodes;
  }();
  return *(*all)[static_cast<std::size_t>(kind)];
}

const Type& strip_aliases(const Type& t) {
  const Type* type = &t;
  while (const auto* alias = as<Typedef>(type)) {
    type = alias->type;
  }
  return *type;
}

bool is_variable_length(const Type& t) {
  std::unordered_map<const Type*, bool> known;
  return variable(t, known);
}

bool is_integer(TypeKind k) {
  return k == TypeKind::Octet || (k >= TypeKind::Short && k <= TypeKind::ULongLong);
}

bool is_floating(TypeKind k) { return k >= TypeKind::Float && k <= TypeKind::LongDouble; }

const Declaration* declaration(const Type& t) {
  switch (t.type_kind) {
    case TypeKind::Interface: return as<Interface>(&t);
    case TypeKind::Struct: return as<Struct>(&t);
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
  if (const auto* sequence = as<SequenceType>(&t)) {
    return "sequence<" + idl_name(*sequence->element) +
           (sequence->bound != 0 ? ", " + std::to_string(sequence->bound) : "") + ">";
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
