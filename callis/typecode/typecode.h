// SPDX-License-Identifier: Apache-2.0
// The typecode library: CORBA::TypeCode and CORBA::Any.
//
//   type_code.h  CORBA::TypeCode, the constants _tc_long ...   any.h     CORBA::Any, what generated operators call
//   table.h      the words that describe types                 create.h  TypeCodes made at run time
//   kinds.h      TCKind                                        wire.h    TypeCodes as CDR; coder.h Anys, too
//
// An Any's value is marshaled by the engine, by a plan made from the form of its TypeCode (internal/cache.h): there
// is no code for a type, neither here nor in what callis-idl writes:
//
//   _tc_X ─→ cell of a table ─ first use ─→ form on the wire ─→ marshal::TypeDescription ─→ plan, kept with the cell
//
// A program that names neither class links nothing of this library.
#pragma once
#include <callis/typecode/any.h>
#include <callis/typecode/create.h>
#include <callis/typecode/type_code.h>
