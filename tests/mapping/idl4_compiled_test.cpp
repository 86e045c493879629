// SPDX-License-Identifier: Apache-2.0
#include "loopback.h"
#include "compiled/idl4_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Compiled
#define POA_MODULE POA_Compiled
#define STYLE_NAME "compiled"
#define SUITE CompiledIdl4
#include "idl4.inc"
