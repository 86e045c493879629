// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/wire.h>
#include <algorithm>
#include <set>

namespace callis::idl::backends::classic {

using ast::TypeKind;

std::uint32_t wire_size(const ast::Type& type) {
  switch (ast::strip_aliases(type).type_kind) {
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

std::uint32_t wire_alignment(const ast::Type& t) { return std::min(wire_size(t), 8u); }

std::uint64_t minimum_wire(const ast::Type& type) {
  const ast::Type& t = ast::strip_aliases(type);
  switch (t.type_kind) {
    case TypeKind::WChar: return 2;
    case TypeKind::String: return 5;      // length and NUL
    case TypeKind::WString: return 4;
    case TypeKind::Fixed: return ast::as<ast::FixedType>(&t)->digits / 2u + 1;
    case TypeKind::Union: return minimum_wire(*ast::as<ast::Union>(&t)->discriminator);  // when it selects no member
    case TypeKind::Object: return 9;   // an empty type id and no profiles, padding aside
    case TypeKind::Interface: return ast::as<ast::Interface>(&t)->flavor == ast::Interface::Flavor::Abstract ? 5 : 9;
    case TypeKind::AbstractBase: return 5;  // a boolean and a null value
    case TypeKind::Value:
    case TypeKind::ValueBox:
    case TypeKind::ValueBase: return 4;
    case TypeKind::Any:
    case TypeKind::TypeCode:
    case TypeKind::Sequence: return 4;
    case TypeKind::Array: {
      const auto& a = *ast::as<ast::ArrayType>(&t);
      std::uint64_t n = minimum_wire(*a.element);
      for (std::uint32_t d : a.dimensions) n *= d;
      return n;
    }
    case TypeKind::Struct: {
      std::uint64_t n = 0;
      for (const ast::Member* m : ast::as<ast::Struct>(&t)->members) n += minimum_wire(*m->type);
      return n;
    }
    default: return std::max(wire_size(t), 1u);
  }
}

namespace {

bool is_counted(const ast::Type& t) { return shape(t) == Shape::Reference || t.type_kind == TypeKind::Any; }

bool is_value(const ast::Type& t) {
  const auto* i = ast::as<ast::Interface>(&t);
  return i ? i->flavor == ast::Interface::Flavor::Abstract : is_counted(t) && t.type_kind != TypeKind::Object && t.type_kind != TypeKind::TypeCode;
}

// Whether the type is such a one, or has one in it; what a value has in it does not count.
using Is = bool (*)(const ast::Type&);
bool holds(const ast::Type& alias, Is is, std::set<const ast::Type*>& seen) {
  const ast::Type& t = ast::strip_aliases(alias);
  if (is(t)) return true;
  if (const auto* s = ast::as<ast::SequenceType>(&t)) return holds(*s->element, is, seen);
  if (const auto* a = ast::as<ast::ArrayType>(&t)) return holds(*a->element, is, seen);
  const auto any = [&](const auto& members) {
    return std::any_of(members.begin(), members.end(), [&](const auto* m) { return holds(*m->type, is, seen); });
  };
  const auto* s = ast::as<ast::Struct>(&t);
  const auto* u = ast::as<ast::Union>(&t);
  if ((!s && !u) || !seen.insert(&t).second) return false;
  return s ? any(s->members) : any(u->members);
}

}  // namespace

bool holds_references(const ast::Type& t) {
  std::set<const ast::Type*> seen;
  return holds(t, &is_counted, seen);
}

bool holds_values(const ast::Type& t) {
  std::set<const ast::Type*> seen;
  return holds(t, &is_value, seen);
}

namespace {

constexpr std::size_t kMostLeaves = 48;
constexpr std::uint64_t kLargestArray = 256;

bool flatten(const ast::Type& type, const std::string& value, std::vector<Leaf>& leaves) {
  const ast::Type& t = ast::strip_aliases(type);
  if (leaves.size() >= kMostLeaves) return false;
  if (const auto* s = ast::as<ast::Struct>(&t)) {
    for (const ast::Member* m : s->members)
      if (!flatten(*m->type, value + "." + name(*m), leaves)) return false;
    return true;
  }
  if (wire_size(t) != 0) {
    leaves.push_back({value, &t, 1, false});
    return true;
  }
  if (t.type_kind != TypeKind::Array) return false;
  std::uint64_t count = 1;
  const ast::Type* element = &t;
  while (const auto* a = ast::as<ast::ArrayType>(element)) {
    for (std::uint32_t d : a->dimensions) count *= d;
    element = &ast::strip_aliases(*a->element);
    if (count > kLargestArray) return false;
  }
  const TypeKind k = element->type_kind;
  if (wire_size(*element) == 0 || k == TypeKind::Boolean || k == TypeKind::Enum || k == TypeKind::LongDouble) return false;
  leaves.push_back({value, element, count, true});
  return true;
}

}  // namespace

std::optional<std::vector<Leaf>> flatten(const ast::Struct& s) {
  std::vector<Leaf> leaves;
  if (!flatten(s, "_v", leaves) || leaves.size() < 2) return std::nullopt;
  return leaves;
}

Placement place(const std::vector<Leaf>& leaves, std::uint32_t phase) {
  Placement p{phase, {}, 0, 0};
  std::uint32_t at = phase;
  for (const Leaf& l : leaves) {
    const std::uint32_t align = wire_alignment(*l.type);
    at = (at + align - 1) / align * align;
    p.offsets.push_back(at - phase);
    at += static_cast<std::uint32_t>(wire_size(*l.type) * l.count);
  }
  p.bytes = at - phase;
  p.end_phase = at & 7;
  return p;
}

std::uint32_t largest_alignment(const std::vector<Leaf>& leaves) {
  std::uint32_t most = 1;
  for (const Leaf& l : leaves) most = std::max(most, wire_alignment(*l.type));
  return most;
}

std::uint32_t steady_phase(const std::vector<Leaf>& leaves) {
  const std::uint32_t first = wire_alignment(*leaves.front().type), mask = largest_alignment(leaves) - 1;
  return (place(leaves, 0).end_phase + first - 1) / first * first & mask;
}

std::uint32_t steady_stride(const std::vector<Leaf>& leaves) {
  const std::uint32_t first = wire_alignment(*leaves.front().type);
  const std::uint32_t phase = steady_phase(leaves), end = phase + place(leaves, phase).bytes;
  return (end + first - 1) / first * first - phase;
}

}  // namespace callis::idl::backends::classic
