// SPDX-License-Identifier: Apache-2.0
#include "cases.h"
#include "values.h"
#include "hybrid/base_skel.h"
#include "hybrid/corpus_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Hybrid
#define POA_MODULE POA_Hybrid
#define STYLE_FUNCTION hybrid
#define STYLE_NAME "hybrid"
#define STYLE_MODULE "Hybrid"
#define SUITE HybridCalls
#include "cases.inc"
#include "calls.inc"
