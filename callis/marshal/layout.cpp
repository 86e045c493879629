// SPDX-License-Identifier: Apache-2.0
// Size and alignment of types in memory, and their least bytes on the wire.
#include <callis/base/bytes.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/memory.h>

namespace callis::marshal {

bool is_scalar(Kind k) { return k >= Kind::Boolean && k <= Kind::WChar; }

std::size_t run_size(Kind k) {
  switch (k) {
    case Kind::Boolean: case Kind::Octet: case Kind::Char: return 1;
    case Kind::Short: case Kind::UShort: return 2;
    case Kind::Long: case Kind::ULong: case Kind::Float: case Kind::Enum: return 4;
    case Kind::LongLong: case Kind::ULongLong: case Kind::Double: return 8;
    default: return 0;
  }
}

Resolved resolve(const Unit& unit, Word type) {
  if (kind_of(type) != Kind::Ref) return {kind_of(type), 0, payload_of(type)};
  const Word entry = payload_of(type);
  return {kind_of(unit.words[entry]), entry, payload_of(unit.words[entry])};
}

namespace {

// The first multiplies a size, the second adds two sizes. A peer's types cannot wrap around 64 bits.
constexpr bool kMayWrap = sizeof(std::size_t) < sizeof(std::uint64_t);
std::size_t times(std::size_t size, Word n) {
  return kMayWrap && n != 0 && size > kLargestSize / n ? kLargestSize : size * n;
}
std::size_t plus(std::size_t a, std::size_t b) { return kMayWrap && b > kLargestSize - a ? kLargestSize : a + b; }

}  // namespace

std::size_t StructLayout::add(Layout member) {
  const std::size_t at = align_up(end_, member.alignment);
  end_ = plus(at, member.size);
  if (member.alignment > alignment_) alignment_ = member.alignment;
  return at;
}

Layout StructLayout::finish() const {
  const std::size_t size = align_up(end_, alignment_);
  return {size ? size : 1, alignment_};
}

Layout member_area(const Unit& unit, const UnionView& view, FactsMemo* memo) {
  Layout area{0, 1};
  for (Word i = 0; i < view.member_count(); ++i) {
    const Layout m = facts_of(unit, view.member(i), memo).layout;
    if (m.size > area.size) area.size = m.size;
    if (m.alignment > area.alignment) area.alignment = m.alignment;
  }
  area.size = align_up(area.size, area.alignment);
  return area;
}

namespace {

// The entries are in the order of Kind. Void counts as a byte as an element, which it never is. The size of a fixed
// depends on its digits. The least object reference is an empty type id and no profiles, the least abstract interface
// a boolean and a null value.
template <class T>
constexpr Abi::Leaf leaf(std::size_t minimum_wire, bool variable = false) {
  return {sizeof(T), alignof(T), static_cast<std::uint8_t>(minimum_wire), variable};
}
constexpr Abi::Leaf kPointerOf4 = leaf<void*>(4, true), kPointerOf5 = leaf<void*>(5, true);

}  // namespace

constinit const Abi kOwnAbi = {{{0, 1, 1, false},
                                leaf<bool>(1),
                                leaf<Byte>(1),
                                leaf<char>(1),
                                leaf<std::int16_t>(2),
                                leaf<std::int16_t>(2),
                                leaf<std::int32_t>(4),
                                leaf<std::int32_t>(4),
                                leaf<std::int64_t>(8),
                                leaf<std::int64_t>(8),
                                leaf<float>(4),
                                leaf<double>(8),
                                leaf<long double>(16),
                                leaf<std::uint32_t>(4),
                                leaf<wchar_t>(2),
                                kPointerOf5,
                                kPointerOf4,
                                leaf<FixedValue>(1),
                                leaf<AnySlot>(4, true),
                                kPointerOf4,
                                leaf<void*>(9, true),
                                kPointerOf5,
                                kPointerOf4,
                                {},
                                {},
                                {},
                                leaf<SequenceHeader>(4, true)},
                               {sizeof(void*), alignof(void*)},
                               kHasVectors};

namespace {

TypeFacts of_array(const Unit& unit, const Word* entry, FactsMemo* memo) {
  TypeFacts f = facts_of(unit, entry[2], memo);
  const Word n = entry[1];
  f.layout.size = times(f.layout.size, n);
  f.minimum_wire = times(f.minimum_wire, n);
  ++f.weight;
  // Primitives side by side are one item, however many.
  if (run_size(kind_of(entry[2])) == 0 && f.items != 0)
    f.items = n > kMaxRunItems || n * f.items > kMaxRunItems ? kNotOneRun : static_cast<std::uint32_t>(n * f.items);
  return f;
}

TypeFacts of_members(const Unit& unit, const Word* members, Word count, StructLayout layout, FactsMemo* memo) {
  TypeFacts f{{}, 0, 1, 0, false};
  for (Word i = 0; i < count; ++i) {
    const TypeFacts m = facts_of(unit, members[i], memo);
    layout.add(m.layout);
    f.minimum_wire = plus(f.minimum_wire, m.minimum_wire);
    f.weight += m.weight;
    f.items = f.items + m.items > kMaxRunItems ? kNotOneRun : f.items + m.items;
    f.variable = f.variable || m.variable;
  }
  f.layout = layout.finish();
  return f;
}

TypeFacts of_union(const Unit& unit, const UnionView& view, FactsMemo* memo) {
  const TypeFacts tag = facts_of(unit, view.discriminator(), memo);
  // When the discriminator selects no member, there is no more on the wire.
  TypeFacts f{{}, tag.minimum_wire, 1 + std::size_t{view.label_count()}, kNotOneRun, false};
  for (Word i = 0; i < view.member_count(); ++i) {
    const TypeFacts m = facts_of(unit, view.member(i), memo);
    f.weight += m.weight;
    f.variable = f.variable || m.variable;
  }
  StructLayout layout;
  layout.add(tag.layout);
  layout.add(member_area(unit, view, memo));
  f.layout = layout.finish();
  return f;
}

}  // namespace

TypeFacts facts_of_entry(const Unit& unit, const Resolved& r, FactsMemo* memo) {
  const Word* const entry = unit.words + r.entry;
  if (r.kind == Kind::Array) return of_array(unit, entry, memo);
  if (r.kind == Kind::Struct) return of_members(unit, entry + 1, r.payload, {}, memo);
  if (r.kind == Kind::Union) return of_union(unit, {entry}, memo);
  StructLayout object;  // an exception
  object.add(abi_of(unit).pointer);
  TypeFacts f = of_members(unit, entry + 2, r.payload, object, memo);
  f.items = kNotOneRun;
  return f;
}

TypeFacts facts_of(const Unit& unit, Word type, FactsMemo* memo) {
  const Resolved r = resolve(unit, type);
  if (r.kind == Kind::Array || r.kind == Kind::Struct || r.kind == Kind::Union || r.kind == Kind::Exception)
    return memo && unit.extension ? unit.extension->facts(unit, r, *memo) : facts_of_entry(unit, r, memo);
  const Abi::Leaf& l = abi_of(unit).leaves[static_cast<std::size_t>(r.kind)];
  const std::size_t minimum = r.kind == Kind::Fixed ? (r.payload & 0xff) / 2 + 1 : l.minimum_wire;
  return {{l.size, l.alignment}, minimum, 1, run_size(r.kind) ? 1 : kNotOneRun, l.variable};
}

}  // namespace callis::marshal
