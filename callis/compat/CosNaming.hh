// SPDX-License-Identifier: Apache-2.0
// The header that a generated x.hh includes for CosNaming.idl.
#pragma once
#include <CosNaming_skel.h>

#include <omniORB4/Naming.hh>
