// SPDX-License-Identifier: Apache-2.0
// The features of this library that more than one room asks for (callis/base/feature.h).
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(call_log);
CALLIS_FEATURE(code_sets);
CALLIS_FEATURE(collocation);
CALLIS_FEATURE(pool);
CALLIS_FEATURE(sharing);
