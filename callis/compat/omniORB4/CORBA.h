// SPDX-License-Identifier: Apache-2.0
// Brings what omniORB's header of this name brings: the whole API, CosNaming where callis's component naming is
// installed, omnithread, and namespace omniORB. A generated x.hh includes this header, too, wherever the compiler
// finds it.
#pragma once
#if defined(__CORBA_H__) || defined(__CORBA_H_EXTERNAL_GUARD__)
#error "callis/compat and omniORB's own headers in one program: leave one of both out of the -I options"
#endif
// omniORB's header, if it comes later, is empty.
#define __CORBA_H_EXTERNAL_GUARD__
#define __CORBA_H__
#include <callis/dynamic.h>
#include <callis/dynamic_any.h>
#include <callis/omniorb.h>

#include <omniORB4/CORBA_sysdep.h>
#include <omniORB4/boa.h>
#include <omniORB4/omniORB.h>
#include <omniORB4/omniPolicy.h>
#include <omniORB4/omniURI.h>
#include <omnithread.h>

namespace omni {}
using namespace omni;
