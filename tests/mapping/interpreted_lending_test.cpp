// SPDX-License-Identifier: Apache-2.0
#include "loopback.h"
#include "interpreted/lender_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Interpreted
#define POA_MODULE POA_Interpreted
#define STYLE_MODULE "Interpreted"
#define SUITE InterpretedLending
#include "lending.inc"
