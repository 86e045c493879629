// SPDX-License-Identifier: Apache-2.0
#include <callis/base/bytes.h>
#include <callis/marshal/internal/layout.h>
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

std::size_t StructLayout::add(Layout member) {
  const std::size_t at = align_up(end_, member.alignment);
  end_ = at + member.size;
  if (member.alignment > alignment_) alignment_ = member.alignment;
  return at;
}

Layout StructLayout::finish() const {
  const std::size_t size = align_up(end_, alignment_);
  return {size ? size : 1, alignment_};
}

Layout member_area(const Unit& unit, const UnionView& view) {
  Layout area{0, 1};
  for (Word i = 0; i < view.member_count(); ++i) {
    const Layout m = layout_of(unit, view.member(i));
    if (m.size > area.size) area.size = m.size;
    if (m.alignment > area.alignment) area.alignment = m.alignment;
  }
  area.size = align_up(area.size, area.alignment);
  return area;
}

Layout layout_of(const Unit& unit, Word type) {
  const Resolved r = resolve(unit, type);
  const Word* entry = unit.words + r.entry;
  switch (r.kind) {
    case Kind::LongDouble: return {sizeof(long double), alignof(long double)};
    case Kind::WChar: return {sizeof(wchar_t), alignof(wchar_t)};
    case Kind::String: case Kind::WString: case Kind::ObjRef: case Kind::TypeCode: case Kind::Abstract: case Kind::Value:
      return {sizeof(void*), alignof(void*)};
    case Kind::Fixed: return {sizeof(FixedValue), alignof(FixedValue)};
    case Kind::Any: return {sizeof(AnySlot), alignof(AnySlot)};
    case Kind::Sequence: return {sizeof(SequenceHeader), alignof(SequenceHeader)};
    case Kind::Array: {
      const Layout e = layout_of(unit, entry[2]);
      return {e.size * entry[1], e.alignment};
    }
    case Kind::Struct: {
      StructLayout s;
      for (Word i = 0; i < r.payload; ++i) s.add(layout_of(unit, entry[1 + i]));
      return s.finish();
    }
    case Kind::Union: {
      StructLayout s;
      s.add(layout_of(unit, entry[1]));
      s.add(member_area(unit, {entry}));
      return s.finish();
    }
    case Kind::Exception: {
      StructLayout s;
      s.add({sizeof(void*), alignof(void*)});
      for (Word i = 0; i < r.payload; ++i) s.add(layout_of(unit, entry[2 + i]));
      return s.finish();
    }
    default: {
      const std::size_t n = run_size(r.kind);
      return {n, n ? n : 1};
    }
  }
}

bool is_variable(const Unit& unit, Word type) {
  const Resolved r = resolve(unit, type);
  const Word* entry = unit.words + r.entry;
  switch (r.kind) {
    case Kind::String: case Kind::WString: case Kind::ObjRef: case Kind::Sequence: case Kind::Any: case Kind::TypeCode:
    case Kind::Abstract: case Kind::Value:
      return true;
    case Kind::Array: return is_variable(unit, entry[2]);
    case Kind::Struct: case Kind::Exception: case Kind::Union: {
      const Word first = r.kind == Kind::Struct ? 1 : r.kind == Kind::Union ? 4 : 2;
      for (Word i = 0; i < r.payload; ++i)
        if (is_variable(unit, entry[first + i])) return true;
      return false;
    }
    default: return false;
  }
}

std::size_t minimum_wire(const Unit& unit, Word type) {
  const Resolved r = resolve(unit, type);
  const Word* entry = unit.words + r.entry;
  switch (r.kind) {
    case Kind::LongDouble: return 16;
    case Kind::WChar: return 2;
    case Kind::String: return 5;
    case Kind::WString: case Kind::Any: case Kind::TypeCode: case Kind::Value: return 4;
    case Kind::Abstract: return 5;  // a boolean and a null value
    case Kind::Fixed: return (r.payload & 0xff) / 2 + 1;
    case Kind::ObjRef: return 9;  // an empty type id and no profiles, padding aside
    case Kind::Sequence: return 4;
    case Kind::Union: return minimum_wire(unit, entry[1]);  // when it selects no member
    case Kind::Array: return minimum_wire(unit, entry[2]) * entry[1];
    case Kind::Struct: case Kind::Exception: {
      const Word first = r.kind == Kind::Struct ? 1 : 2;
      std::size_t n = 0;
      for (Word i = 0; i < r.payload; ++i) n += minimum_wire(unit, entry[first + i]);
      return n;
    }
    default: return run_size(r.kind) ? run_size(r.kind) : 1;
  }
}

}  // namespace callis::marshal
