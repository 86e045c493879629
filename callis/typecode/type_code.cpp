// SPDX-License-Identifier: Apache-2.0
// The operations of CORBA::TypeCode.
#include <callis/typecode/any.h>
#include <callis/typecode/internal/builder.h>
#include <callis/typecode/internal/cache.h>
#include <cstring>

namespace callis::typecode {

const char* View::member_name(Word i) const {
  if (kind() != CORBA::tk_enum) return text(member(i)[0]);
  const char* s = text(e_[4]);
  for (; i != 0; --i) s += std::strlen(s) + 1;
  return s;
}

const TypeCode& behind_aliases(const TypeCode& alias) noexcept {
  const TypeCode* p = &alias;
  while (View(*p).kind() == CORBA::tk_alias) p = &View(*p).content();
  return *p;
}

bool is_discriminator(Word kind) noexcept {
  return (kind >= CORBA::tk_short && kind <= CORBA::tk_ulong) ||
         (kind >= CORBA::tk_boolean && kind <= CORBA::tk_octet) || kind == CORBA::tk_enum ||
         kind == CORBA::tk_longlong || kind == CORBA::tk_ulonglong || kind == CORBA::tk_wchar;
}

namespace {

void free_table(Table& table) noexcept {
  auto* const cells = reinterpret_cast<TypeCode*>(&table + 1);
  for (Word i = 0; i < table.cells; ++i) delete cells[i].callis_cache().load(std::memory_order_relaxed);
  // The counts that it holds stand between its cells and their own addresses (Builder::finish()).
  auto* const others = reinterpret_cast<TypeCode_ptr*>(cells + table.cells);
  const auto* const end = static_cast<const TypeCode_ptr*>(static_cast<const void*>(table.others));
  for (TypeCode_ptr* t = others; t != end; ++t) CORBA::release(*t);
  ::operator delete(static_cast<void*>(&table));
}

// The entry of a TypeCode on which an operation is called.
View asked(const TypeCode& t) {
  const View v(t);
  if (v.kind() == kRecursive) [[unlikely]]
    classic::raise<CORBA::BAD_TYPECODE>(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO,
                                        "a recursive TypeCode outside of its type");
  return v;
}

View asked(const TypeCode& t, bool (*has)(Word)) {
  const View v = asked(t);
  if (!has(v.kind())) [[unlikely]] classic::raise<TypeCode::BadKind>();
  return v;
}

View asked(const TypeCode& t, bool (*has)(Word), Word index) {
  const View v = asked(t, has);
  if (index >= v.count()) [[unlikely]] classic::raise<TypeCode::Bounds>();
  return v;
}

template <CORBA::TCKind... Kinds>
bool one_of(Word kind) {
  return ((kind == Kinds) || ...);
}

bool has_member_types(Word kind) { return has_members(kind) && kind != CORBA::tk_enum; }
bool has_id_and_name(Word kind) { return has_id(kind); }
bool with_members(Word kind) { return has_members(kind); }
bool with_content(Word kind) { return has_content(kind); }
bool of_value(Word kind) { return is_value_kind(kind); }

}  // namespace

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

using callis::typecode::asked;
using callis::typecode::counted;
using callis::typecode::one_of;
using callis::typecode::Table;
using callis::typecode::View;

void TypeCode::Bounds::_raise() const { throw *this; }
const char* TypeCode::Bounds::_name() const noexcept { return "Bounds"; }
const char* TypeCode::Bounds::_rep_id() const noexcept { return "IDL:omg.org/CORBA/TypeCode/Bounds:1.0"; }
Exception* TypeCode::Bounds::_duplicate() const { return new Bounds(*this); }
void TypeCode::BadKind::_raise() const { throw *this; }
const char* TypeCode::BadKind::_name() const noexcept { return "BadKind"; }
const char* TypeCode::BadKind::_rep_id() const noexcept { return "IDL:omg.org/CORBA/TypeCode/BadKind:1.0"; }
Exception* TypeCode::BadKind::_duplicate() const { return new BadKind(*this); }

const Table& TypeCode::callis_table() const noexcept { return callis::typecode::table_of(*this); }

TypeCode_ptr TypeCode::_duplicate(TypeCode_ptr t) noexcept {
  if (!t) return nullptr;
  auto& count = const_cast<Table&>(callis::typecode::table_of(*t)).count;
  if (count.load(std::memory_order_relaxed) != Table::kStatic) count.fetch_add(1, std::memory_order_relaxed);
  return t;
}

void release(TypeCode_ptr t) noexcept {
  if (!t) return;
  auto& table = const_cast<Table&>(callis::typecode::table_of(*t));
  if (table.count.load(std::memory_order_relaxed) == Table::kStatic) return;
  if (table.count.fetch_sub(1, std::memory_order_acq_rel) == 1) callis::typecode::free_table(table);
}

TCKind TypeCode::kind() const { return static_cast<TCKind>(asked(*this).kind()); }

TypeCode_ptr TypeCode::get_compact_typecode() const {
  callis::typecode::Builder to;
  callis::typecode::Copier copy(to, true);
  const TypeCode_ptr t = to.finish(copy(*this));
  if (!t) callis::classic::throw_no_memory();
  return t;
}

const char* TypeCode::id() const { return asked(*this, callis::typecode::has_id_and_name).id(); }
const char* TypeCode::name() const { return asked(*this, callis::typecode::has_id_and_name).name(); }

ULong TypeCode::member_count() const { return asked(*this, callis::typecode::with_members).count(); }
const char* TypeCode::member_name(ULong index) const {
  return asked(*this, callis::typecode::with_members, index).member_name(index);
}
TypeCode_ptr TypeCode::member_type(ULong index) const {
  return counted(asked(*this, callis::typecode::has_member_types, index).member_type(index));
}
TypeCode_ptr TypeCode::discriminator_type() const { return counted(asked(*this, one_of<tk_union>).discriminator()); }
Long TypeCode::default_index() const { return static_cast<Long>(asked(*this, one_of<tk_union>).default_index()); }

ULong TypeCode::length() const { return asked(*this, one_of<tk_string, tk_wstring, tk_sequence, tk_array>).length(); }
TypeCode_ptr TypeCode::content_type() const {
  return counted(asked(*this, callis::typecode::with_content).content());
}

UShort TypeCode::fixed_digits() const { return static_cast<UShort>(asked(*this, one_of<tk_fixed>).digits()); }
Short TypeCode::fixed_scale() const { return static_cast<Short>(asked(*this, one_of<tk_fixed>).scale()); }

Visibility TypeCode::member_visibility(ULong index) const {
  return static_cast<Visibility>(asked(*this, callis::typecode::of_value, index).visibility(index));
}
ValueModifier TypeCode::type_modifier() const {
  return static_cast<ValueModifier>(asked(*this, callis::typecode::of_value).modifier());
}
TypeCode_ptr TypeCode::concrete_base_type() const {
  const TypeCode* base = asked(*this, callis::typecode::of_value).base();
  return base ? counted(*base) : nullptr;
}

Any* TypeCode::member_label(ULong index) const {
  const View v = asked(*this, one_of<tk_union>, index);
  if (index == v.default_index()) return callis::typecode::new_scalar_any(*_tc_octet, 0);
  return callis::typecode::new_scalar_any(v.discriminator(), v.label(index));
}

}  // namespace CORBA::inline callis_orb
