// SPDX-License-Identifier: Apache-2.0
// The header that a library of a program for TAO has for its exports.
#ifndef TEST_EXPORT_H
#define TEST_EXPORT_H
#include "ace/config-all.h"

#if defined (TEST_HAS_DLL) && (TEST_HAS_DLL == 1)
# define TEST_Export ACE_Proper_Export_Flag
#else
# define TEST_Export
#endif

#endif /* TEST_EXPORT_H */
