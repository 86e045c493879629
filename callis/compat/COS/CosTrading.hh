// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for <COS/CosTrading.idl> with -Wbkeep-inc-path.
#pragma once
#include <CosTrading.hh>
