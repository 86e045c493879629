// SPDX-License-Identifier: Apache-2.0
#include "cases.h"
#include "values.h"
#include "compiled/base_skel.h"
#include "compiled/corpus_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Compiled
#define POA_MODULE POA_Compiled
#define STYLE_FUNCTION compiled
#define STYLE_NAME "compiled"
#define STYLE_MODULE "Compiled"
#define SUITE CompiledCalls
#include "cases.inc"
#include "calls.inc"
