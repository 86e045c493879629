// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for Naming.idl.
#pragma once
#include <CosNaming.hh>
