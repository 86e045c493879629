// SPDX-License-Identifier: Apache-2.0
// The constants of CORBA 3.3 part 1, 8.11.1 that describe types.
#pragma once
#include <callis/classic/types.h>

namespace CORBA::inline callis_orb {

enum TCKind : ULong {
  tk_null, tk_void, tk_short, tk_long, tk_ushort, tk_ulong, tk_float, tk_double, tk_boolean, tk_char, tk_octet,
  tk_any, tk_TypeCode, tk_Principal, tk_objref, tk_struct, tk_union, tk_enum, tk_string, tk_sequence, tk_array,
  tk_alias, tk_except, tk_longlong, tk_ulonglong, tk_longdouble, tk_wchar, tk_wstring, tk_fixed, tk_value,
  tk_value_box, tk_native, tk_abstract_interface, tk_local_interface, tk_component, tk_home, tk_event,
};
using TCKind_out = TCKind&;

using Visibility = Short;
inline constexpr Visibility PRIVATE_MEMBER = 0;
inline constexpr Visibility PUBLIC_MEMBER = 1;

using ValueModifier = Short;
inline constexpr ValueModifier VM_NONE = 0;
inline constexpr ValueModifier VM_CUSTOM = 1;
inline constexpr ValueModifier VM_ABSTRACT = 2;
inline constexpr ValueModifier VM_TRUNCATABLE = 3;

}  // namespace CORBA::inline callis_orb
