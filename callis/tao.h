// SPDX-License-Identifier: Apache-2.0
// Included by xC.h of `callis-idl --style=tao`, which brings the ORB, Any and policies, as TAO's does. xS.h brings
// the adapter, too. With the component compat_tao TAO's own names come along (docs/guide/from-tao.md).
#pragma once
#include <callis/corba.h>
#include <callis/orb/base/policy_management.h>
#include <callis/typecode/any.h>
#if __has_include(<tao/callis.h>)  // of the component compat_tao
#include <tao/callis.h>
#endif
