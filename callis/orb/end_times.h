// SPDX-License-Identifier: Apache-2.0
// What servers do about the end times that clients tell (CORBA 3.0.3, 22.2.4.2): requests that come too late are not executed.
// Programs without this feature execute them.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(end_times);
