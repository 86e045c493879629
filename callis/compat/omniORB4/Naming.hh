// SPDX-License-Identifier: Apache-2.0
// Module CosNaming, of callis's component naming. Programs link callis::naming.
#pragma once
#include <omniORB4/CORBA.h>
#ifndef CALLIS_COS_NAMING
#error "<omniORB4/Naming.hh> needs CosNaming.h of callis's component naming (Debian: libcallis-naming-dev)"
#endif
