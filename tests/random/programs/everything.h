// SPDX-License-Identifier: Apache-2.0
// Precompiled for the generated sources and the programs of random files.
#pragma once
#include "host.h"
#include <callis/classic/coder.h>
#include <callis/classic/layout.h>
#include <type_traits>
