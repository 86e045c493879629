// SPDX-License-Identifier: Apache-2.0
#include "servants.h"
#include "interpreted/corpus_skel.h"
#define MODULE Interpreted
#define POA_MODULE POA_Interpreted
#define STYLE_FUNCTION interpreted_servant
#include "servants.inc"
