// SPDX-License-Identifier: Apache-2.0
// Module CosNaming, of callis's component naming. Programs link callis::naming.
#pragma once
#include <tao/callis.h>
#if !__has_include(<CosNaming.h>)
#error "<orbsvcs/CosNamingC.h> needs CosNaming.h of callis's component naming (Debian: libcallis-naming-dev)"
#endif
#ifndef CALLIS_COS_NAMING
#define CALLIS_COS_NAMING
#include <CosNaming.h>
#endif
