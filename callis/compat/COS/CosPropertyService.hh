// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for <COS/CosPropertyService.idl> with -Wbkeep-inc-path.
#pragma once
#include <CosPropertyService.hh>
