// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/wire.h>
#include <algorithm>

namespace callis::idl::backends::classic {

using ast::TypeKind;

std::uint32_t wire_alignment(const ast::Type& t) { return std::min(wire_size(t), 8u); }
std::size_t enumerators(const ast::Type& t) { return ast::as<ast::Enum>(&ast::strip_aliases(t))->enumerators.size(); }

namespace {

constexpr std::size_t kMostLeaves = 48;
constexpr std::uint64_t kLargestArray = 256;

bool flatten(const ast::Type& type, const std::string& value, std::vector<Leaf>& leaves) {
  const ast::Type& t = ast::strip_aliases(type);
  if (leaves.size() >= kMostLeaves) return false;
  if (ast::least_bytes(t) == 0) return t.type_kind == TypeKind::Struct;  // nothing in it, however it is nested
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
  if (wire_size(*element) == 0 || k == TypeKind::Boolean || k == TypeKind::Enum || k == TypeKind::LongDouble)
    return false;
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
