// SPDX-License-Identifier: Apache-2.0
// CORBA::_tc_long and its kin: one table whose cells are numbered by kind.
#include <callis/typecode/internal/view.h>

namespace callis::typecode {

namespace {

constexpr char kPool[] = "IDL:omg.org/CORBA/Object:1.0\0Object\0IDL:omg.org/CORBA/ValueBase:1.0\0ValueBase\0"
                         "IDL:omg.org/CORBA/AbstractBase:1.0\0AbstractBase";
constexpr Word kObject = 0, kValueBase = 36, kAbstractBase = 78;
static_assert(kPool[kValueBase] == 'I' && kPool[kAbstractBase] == 'I');

constexpr Word kWords[] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 23, 24, 25, 26,                         // their own places
    entry(CORBA::tk_objref), kObject, kObject + 29,                                       // 18
    entry(CORBA::tk_string, 0), 0, entry(CORBA::tk_wstring, 0), 0,                        // 21, 23
    entry(CORBA::tk_value), kValueBase, kValueBase + 32, 0, CORBA::VM_NONE, basic(CORBA::tk_null),  // 25
    entry(CORBA::tk_abstract_interface), kAbstractBase, kAbstractBase + 35,               // 31
};
static_assert(kPool[kObject + 29] == 'O' && kPool[kValueBase + 32] == 'V' && kPool[kAbstractBase + 35] == 'A');

// Kinds that no basic() names have the words of tk_null.
constinit Constants<33> constants = {
    {kWords, kPool, nullptr, nullptr, {}, 33},
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}, {10, 10}, {11, 11}, {12, 12},
     {13, 13}, {18, 14}, {0, 15}, {0, 16}, {0, 17}, {21, 18}, {0, 19}, {0, 20}, {0, 21}, {0, 22}, {14, 23}, {15, 24},
     {16, 25}, {17, 26}, {23, 27}, {0, 28}, {25, 29}, {0, 30}, {0, 31}, {31, 32}}};

}  // namespace

TypeCode_ptr basic_type(Word kind) noexcept { return &constants.cells[kind]; }

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

using callis::typecode::constants;

constinit const TypeCode_ptr _tc_null = &constants.cells[tk_null];
constinit const TypeCode_ptr _tc_void = &constants.cells[tk_void];
constinit const TypeCode_ptr _tc_short = &constants.cells[tk_short];
constinit const TypeCode_ptr _tc_long = &constants.cells[tk_long];
constinit const TypeCode_ptr _tc_longlong = &constants.cells[tk_longlong];
constinit const TypeCode_ptr _tc_ushort = &constants.cells[tk_ushort];
constinit const TypeCode_ptr _tc_ulong = &constants.cells[tk_ulong];
constinit const TypeCode_ptr _tc_ulonglong = &constants.cells[tk_ulonglong];
constinit const TypeCode_ptr _tc_float = &constants.cells[tk_float];
constinit const TypeCode_ptr _tc_double = &constants.cells[tk_double];
constinit const TypeCode_ptr _tc_longdouble = &constants.cells[tk_longdouble];
constinit const TypeCode_ptr _tc_boolean = &constants.cells[tk_boolean];
constinit const TypeCode_ptr _tc_char = &constants.cells[tk_char];
constinit const TypeCode_ptr _tc_wchar = &constants.cells[tk_wchar];
constinit const TypeCode_ptr _tc_octet = &constants.cells[tk_octet];
constinit const TypeCode_ptr _tc_any = &constants.cells[tk_any];
constinit const TypeCode_ptr _tc_TypeCode = &constants.cells[tk_TypeCode];
constinit const TypeCode_ptr _tc_Principal = &constants.cells[tk_Principal];
constinit const TypeCode_ptr _tc_Object = &constants.cells[tk_objref];
constinit const TypeCode_ptr _tc_string = &constants.cells[tk_string];
constinit const TypeCode_ptr _tc_wstring = &constants.cells[tk_wstring];
constinit const TypeCode_ptr _tc_ValueBase = &constants.cells[tk_value];
constinit const TypeCode_ptr _tc_AbstractBase = &constants.cells[tk_abstract_interface];

}  // namespace CORBA::inline callis_orb
