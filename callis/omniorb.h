// SPDX-License-Identifier: Apache-2.0
// What x.hh of `callis-idl --style=omniorb` brings, and what programs for omniORB include in place of
// <omniORB4/CORBA.h>: the ORB, adapters, policies of calls, module CosNaming, and omniORB's names of parameter types.
// docs/guide/from-omniorb.md says what differs.
//
// CosNaming is there where callis's naming component is installed; programs that use it link callis::naming. A header
// that is made from an IDL file with module CosNaming comes in its place if it is included first.
#pragma once
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include <callis/typecode/any.h>
#if !defined(CALLIS_COS_NAMING) && __has_include(<CosNaming.h>)
#define CALLIS_COS_NAMING
#include <CosNaming.h>
#endif

namespace CORBA::inline callis_orb {

// inout parameters are references, as the mapping has them; out parameters are the mapping's own classes.
using String_INOUT_arg = char*&;
using String_OUT_arg = String_out;
using WString_INOUT_arg = WChar*&;
using WString_OUT_arg = WString_out;
using Any_OUT_arg = Any_out;
using Object_INOUT_arg = Object_ptr&;
using Object_OUT_arg = Object_out;
using ValueBase_INOUT_arg = ValueBase*&;
using ValueBase_OUT_arg = ValueBase_out;

}  // namespace CORBA::inline callis_orb

#if __has_include(<omniORB4/callis.h>)  // of the component compat_omniorb: omniORB's own names, too
#include <omniORB4/CORBA.h>
#endif
