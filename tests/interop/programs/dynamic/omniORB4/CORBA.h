// SPDX-License-Identifier: Apache-2.0
// The name by which omniORB's examples include the standard's API: callis's.
#pragma once
#include <callis/dynamic.h>
#include <cstdlib>
#include <cstring>
