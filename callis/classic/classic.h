// SPDX-License-Identifier: Apache-2.0
// The classic library: what code generated for the OMG C++ mapping 1.3 stands on, but for the ORB itself.
//
//   types.h      CORBA::Long and its kin              string.h     char* strings and their holders
//   exception.h  CORBA::Exception, the standard ones  reference.h  X_var and X_out of interfaces
//   sequence.h   sequences                            var.h        T_var and T_out of values
//   elements.h   what sequences do with elements      coder.h      marshaling for compiled stubs
//   union.h      what unions are written with         fixed.h      CORBA::Fixed and fixed<d, s>
//
// All values have the layout that callis/marshal/memory.h describes, because the marshaling engine reads and
// writes them in place:
//
//     struct S { string name; sequence<long> values; };
//
//     S:  +0 String_member { char* }      +8 Sequence<Long> { maximum, length, buffer, release }
//
// Names that the OMG mandates are in namespace CORBA, which holds them in an inline namespace
// (callis/base/generated_form.h); templates from which generated classes are made are in callis::classic. Errors are
// CORBA system exceptions.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/base/generated_form.h>
#include <callis/classic/exception.h>
#include <callis/classic/reference.h>
#include <callis/classic/sequence.h>
#include <callis/classic/string.h>
#include <callis/classic/types.h>
#include <callis/classic/var.h>
