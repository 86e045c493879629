// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for TimeBase.idl.
#pragma once
#include <callis/messaging.h>
