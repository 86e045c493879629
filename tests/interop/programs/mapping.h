// SPDX-License-Identifier: Apache-2.0
// The one place where the two ORBs differ for these programs: the names of the headers. Everything else
// is the classic C++ mapping 1.3 as both have it.
#pragma once
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include "any.hh"
#include "contexts.hh"
#include "interop.hh"
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "any.h"
#include "any_skel.h"
#include "contexts.h"
#include "contexts_skel.h"
#include "interop.h"
#include "interop_skel.h"
#endif
