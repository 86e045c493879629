// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosLifeCycle.idl.
#pragma once
#include <CosLifeCycle.h>
#include <CosLifeCycle_skel.h>
