// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosTrading.idl.
#pragma once
#include <CosTrading.h>
#include <CosTrading_skel.h>
