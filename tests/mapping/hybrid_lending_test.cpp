// SPDX-License-Identifier: Apache-2.0
#include "loopback.h"
#include "hybrid/lender_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Hybrid
#define POA_MODULE POA_Hybrid
#define STYLE_MODULE "Hybrid"
#define SUITE HybridLending
#include "lending.inc"
