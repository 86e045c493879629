// SPDX-License-Identifier: Apache-2.0
// The feature file_references, which is in programs that call allow_file_references(): callis/file_references.h.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(file_references);
