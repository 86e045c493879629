// SPDX-License-Identifier: Apache-2.0
// CORBA::TypeCode (CORBA 3.3 part 1, 8.11; C++ mapping 1.3, 4.28).
//
// A TypeCode never changes; any thread may use it. It is a small cell of a table that describes all types of one IDL
// file, or of one TypeCode that was received or made at run time (table.h). Tables of IDL files are static: counting
// their TypeCodes does nothing. The cells of another table live as long as somebody holds a count of any of them.
//
// What operations return as const char* lives as long as the TypeCode; what they return as TypeCode_ptr or Any*
// belongs to the caller. An operation that the kind does not have throws BadKind, an index at or beyond
// member_count() Bounds, a recursive TypeCode that is not part of its type yet BAD_TYPECODE, OMG minor 1.
#pragma once
#include <callis/classic/exception.h>
#include <callis/classic/reference.h>
#include <callis/typecode/kinds.h>
#include <atomic>

namespace callis::typecode {
struct Cache;
struct Table;
}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

class Any;
class TypeCode;
using TypeCode_ptr = TypeCode*;

class TypeCode final {
 public:
  using _ptr_type = TypeCode_ptr;
  using _var_type = callis::classic::ReferenceVar<TypeCode>;

  class Bounds final : public UserException {
   public:
    [[noreturn]] void _raise() const override;
    const char* _name() const noexcept override;
    const char* _rep_id() const noexcept override;
    Exception* _duplicate() const override;
    static Bounds* _downcast(Exception* e) { return dynamic_cast<Bounds*>(e); }
    static const Bounds* _downcast(const Exception* e) { return dynamic_cast<const Bounds*>(e); }
    static Bounds* _narrow(Exception* e) { return _downcast(e); }
  };
  class BadKind final : public UserException {
   public:
    [[noreturn]] void _raise() const override;
    const char* _name() const noexcept override;
    const char* _rep_id() const noexcept override;
    Exception* _duplicate() const override;
    static BadKind* _downcast(Exception* e) { return dynamic_cast<BadKind*>(e); }
    static const BadKind* _downcast(const Exception* e) { return dynamic_cast<const BadKind*>(e); }
    static BadKind* _narrow(Exception* e) { return _downcast(e); }
  };

  static TypeCode_ptr _duplicate(TypeCode_ptr t) noexcept;
  static TypeCode_ptr _nil() noexcept { return nullptr; }

  TCKind kind() const;

  // Whether all operations give the same results, those of member types and so on, too. BAD_PARAM, OMG minor 13, for
  // nil.
  Boolean equal(TypeCode_ptr other) const;
  // The same behind aliases and by repository ids, or where these are missing by structure alone; what an Any asks.
  Boolean equivalent(TypeCode_ptr other) const;
  // The same type without the names that may be left out.
  TypeCode_ptr get_compact_typecode() const;

  const char* id() const;    // of interfaces, structs, unions, enums, aliases, exceptions, values, boxes, natives
  const char* name() const;  // the same; perhaps ""

  ULong member_count() const;  // of structs, unions, enums, exceptions, values
  const char* member_name(ULong index) const;
  TypeCode_ptr member_type(ULong index) const;  // not of enums
  Any* member_label(ULong index) const;         // of unions; the default member has an octet 0
  TypeCode_ptr discriminator_type() const;
  Long default_index() const;  // -1: there is none

  ULong length() const;  // of arrays; the bounds of strings, wide strings and sequences, 0 for none
  TypeCode_ptr content_type() const;  // of sequences, arrays (one dimension less), aliases and boxes

  UShort fixed_digits() const;
  Short fixed_scale() const;

  Visibility member_visibility(ULong index) const;
  ValueModifier type_modifier() const;
  TypeCode_ptr concrete_base_type() const;  // of values; nil: there is none

  // For tables: the cell number `index` of its table, whose words are at `at`.
  constexpr TypeCode(ULong at, ULong index) noexcept : at_(at), index_(index) {}
  TypeCode(const TypeCode&) = delete;
  TypeCode& operator=(const TypeCode&) = delete;

  const callis::typecode::Table& callis_table() const noexcept;
  ULong callis_at() const noexcept { return at_; }
  ULong callis_index() const noexcept { return index_; }
  // What has been worked out about it; see internal/cache.h.
  std::atomic<callis::typecode::Cache*>& callis_cache() const noexcept { return cache_; }

 private:
  ULong at_, index_;
  mutable std::atomic<callis::typecode::Cache*> cache_{nullptr};
};

inline Boolean is_nil(TypeCode_ptr t) { return t == nullptr; }
void release(TypeCode_ptr t) noexcept;
// How callis/classic/reference.h counts.
inline TypeCode_ptr callis_duplicate(TypeCode_ptr t) noexcept { return TypeCode::_duplicate(t); }
inline void callis_release(TypeCode_ptr t) noexcept { release(t); }

using TypeCode_var = callis::classic::ReferenceVar<TypeCode>;
using TypeCode_out = callis::classic::ReferenceOut<TypeCode>;

extern const TypeCode_ptr _tc_null, _tc_void, _tc_short, _tc_long, _tc_longlong, _tc_ushort, _tc_ulong, _tc_ulonglong,
    _tc_float, _tc_double, _tc_longdouble, _tc_boolean, _tc_char, _tc_wchar, _tc_octet, _tc_any, _tc_TypeCode,
    _tc_Principal, _tc_Object, _tc_string, _tc_wstring, _tc_ValueBase, _tc_AbstractBase;

}  // namespace CORBA::inline callis_orb
