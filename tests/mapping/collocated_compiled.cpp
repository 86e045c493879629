// SPDX-License-Identifier: Apache-2.0
#include "cases.h"
#include "values.h"
#include "compiled/base_skel.h"
#include "compiled/corpus_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Compiled
#define STYLE_FUNCTION compiled
#define STYLE_NAME "compiled"
#define POA_MODULE POA_Compiled
#include "cases.inc"
