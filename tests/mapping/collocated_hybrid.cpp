// SPDX-License-Identifier: Apache-2.0
#include "cases.h"
#include "values.h"
#include "hybrid/base_skel.h"
#include "hybrid/corpus_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Hybrid
#define STYLE_FUNCTION hybrid
#define STYLE_NAME "hybrid"
#define POA_MODULE POA_Hybrid
#include "cases.inc"
