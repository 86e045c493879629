// SPDX-License-Identifier: Apache-2.0
// View: a TypeCode's entry, read. No checks: who asks knows the kind. Nothing is counted.
#pragma once
#include <callis/typecode/table.h>

namespace callis::typecode {

using CORBA::TypeCode;
using CORBA::TypeCode_ptr;

// The constant of a kind that basic() can name.
TypeCode_ptr basic_type(Word kind) noexcept;

class View {
 public:
  explicit View(const TypeCode& t) : table_(&table_of(t)), e_(table_->words + t.callis_at()) {}

  Word kind() const { return e_[0] & 0xff; }
  const void* link() const { return e_[0] >> 8 == kNoLink || !table_->links ? nullptr : table_->links[e_[0] >> 8]; }
  const char* id() const { return text(e_[1]); }
  const char* name() const { return text(e_[2]); }
  Word count() const { return e_[3]; }
  Word length() const { return e_[1]; }  // of strings, sequences and arrays
  Word digits() const { return e_[1] & 0xffff; }
  Word scale() const { return e_[1] >> 16; }
  // Of sequences, arrays, aliases and boxes.
  const TypeCode& content() const {
    return type(kind() == CORBA::tk_sequence || kind() == CORBA::tk_array ? e_[2] : e_[3]);
  }
  const TypeCode& discriminator() const { return type(e_[4]); }
  Word default_index() const { return e_[5]; }
  Word modifier() const { return e_[4]; }
  const TypeCode* base() const { return e_[5] == basic(CORBA::tk_null) ? nullptr : &type(e_[5]); }

  const char* member_name(Word i) const;
  const TypeCode& member_type(Word i) const { return type(member(i)[1]); }
  std::uint64_t label(Word i) const { return member(i)[2] | static_cast<std::uint64_t>(member(i)[3]) << 32; }
  Word visibility(Word i) const { return member(i)[2]; }

 private:
  const char* text(Word at) const { return table_->pool + at; }
  const TypeCode& type(Word w) const {
    switch (w & 3) {
      case 0: return *basic_type(w >> 2);
      case 1: return reinterpret_cast<const TypeCode*>(table_ + 1)[w >> 2];
      default: return **table_->others[w >> 2];
    }
  }
  const Word* member(Word i) const {
    if (kind() == CORBA::tk_union) return e_ + 6 + 4 * i;
    return kind() == CORBA::tk_value || kind() == CORBA::tk_event ? e_ + 6 + 3 * i : e_ + 4 + 2 * i;
  }

  const Table* table_;
  const Word* e_;
};

constexpr bool has_id(Word kind) {
  return (kind >= CORBA::tk_objref && kind <= CORBA::tk_enum) || kind == CORBA::tk_alias ||
         kind == CORBA::tk_except || (kind >= CORBA::tk_value && kind <= CORBA::tk_event);
}
constexpr bool has_members(Word kind) {
  return (kind >= CORBA::tk_struct && kind <= CORBA::tk_enum) || kind == CORBA::tk_except ||
         kind == CORBA::tk_value || kind == CORBA::tk_event;
}
constexpr bool is_value_kind(Word kind) { return kind == CORBA::tk_value || kind == CORBA::tk_event; }
constexpr bool has_content(Word kind) {
  return kind == CORBA::tk_sequence || kind == CORBA::tk_array || kind == CORBA::tk_alias ||
         kind == CORBA::tk_value_box;
}
// Interfaces of all sorts and natives: an id and a name, no more.
constexpr bool is_named_only(Word kind) {
  return kind == CORBA::tk_objref || (kind >= CORBA::tk_native && kind <= CORBA::tk_home);
}
// Described by its kind alone, on the wire too.
constexpr bool is_simple(Word kind) {
  return kind <= CORBA::tk_Principal || (kind >= CORBA::tk_longlong && kind <= CORBA::tk_wchar);
}
// What a union may be switched by: kind is that behind aliases.
bool is_discriminator(Word kind) noexcept;

// The size of an integer, floating-point number or octet that an Any keeps in itself. Such numbers are moved to and
// from the wire. 0 for other kinds: their values are checked, converted, or lie elsewhere.
inline constexpr unsigned char kNumberBytes[32] = {
    0, 0, 2, 4, 2, 4, 4, sizeof(void*) >= 8 ? 8 : 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    sizeof(void*) >= 8 ? 8 : 0, sizeof(void*) >= 8 ? 8 : 0};
static_assert(kNumberBytes[CORBA::tk_double] == kNumberBytes[CORBA::tk_ulonglong] &&
              kNumberBytes[CORBA::tk_octet] == 1 && kNumberBytes[CORBA::tk_short] == 2);
constexpr std::size_t number_bytes(Word kind) { return kind < sizeof kNumberBytes ? kNumberBytes[kind] : 0; }

// The type behind all aliases.
const TypeCode& behind_aliases(const TypeCode& alias) noexcept;
inline const TypeCode& strip_aliases(const TypeCode& t) noexcept {
  return View(t).kind() == CORBA::tk_alias ? behind_aliases(t) : t;
}

// A constant of the program's, which nobody counts.
inline bool is_static(const TypeCode& t) noexcept {
  return table_of(t).count.load(std::memory_order_relaxed) == Table::kStatic;
}
inline TypeCode_ptr counted(const TypeCode& t) noexcept { return TypeCode::_duplicate(const_cast<TypeCode_ptr>(&t)); }

}  // namespace callis::typecode
