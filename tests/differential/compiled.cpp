// SPDX-License-Identifier: Apache-2.0
#include "servants.h"
#include "compiled/corpus_skel.h"
#define MODULE Compiled
#define POA_MODULE POA_Compiled
#define STYLE_FUNCTION compiled_servant
#include "servants.inc"
