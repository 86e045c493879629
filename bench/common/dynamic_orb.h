// SPDX-License-Identifier: Apache-2.0
// DII and DSI of either ORB.
#pragma once
#include "orb.h"
#ifndef BENCH_OMNIORB
#include <callis/dynamic.h>
#endif
