// SPDX-License-Identifier: Apache-2.0
#include "loopback.h"
#include "interpreted/idl4_skel.h"
#include <callis/classic/exception.h>
#include <gtest/gtest.h>
#define MODULE Interpreted
#define POA_MODULE POA_Interpreted
#define STYLE_NAME "interpreted"
#define SUITE InterpretedIdl4
#include "idl4.inc"
