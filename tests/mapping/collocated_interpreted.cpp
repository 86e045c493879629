// SPDX-License-Identifier: Apache-2.0
#include "cases.h"
#include "values.h"
#include "interpreted/base_skel.h"
#include "interpreted/corpus_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Interpreted
#define STYLE_FUNCTION interpreted
#define STYLE_NAME "interpreted"
#define POA_MODULE POA_Interpreted
#include "cases.inc"
