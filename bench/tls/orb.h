// SPDX-License-Identifier: Apache-2.0
// The one place where the ORBs differ for these programs: their headers.
#pragma once
#ifdef BENCH_OMNIORB
#include <omniORB4/CORBA.h>
#include <omniORB4/sslContext.h>
#include "shorts.hh"
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/tls.h>
#include "shorts.h"
#include "shorts_skel.h"
#endif
