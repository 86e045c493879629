// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosPropertyService.idl.
#pragma once
#include <CosPropertyService.h>
#include <CosPropertyService_skel.h>
