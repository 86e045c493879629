// SPDX-License-Identifier: Apache-2.0
// Shows <callis/omniorb.h> that the folder callis/compat is among those where the compiler looks for headers: omniORB
// has no header of this name. Programs do not include it.
#pragma once
