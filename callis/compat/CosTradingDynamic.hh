// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosTradingDynamic.idl.
#pragma once
#include <CosTradingDynamic.h>
#include <CosTradingDynamic_skel.h>
