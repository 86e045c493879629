// SPDX-License-Identifier: Apache-2.0
// A part of what skip() walks (wire_walk.cpp).
#pragma once
#include <callis/marshal/internal/program.h>

namespace callis::marshal {

// From `first` on, up to `stop`, an instruction of the same block that is a Slot, or its End. False after a fault.
bool skip_part(const Plan& plan, const Instruction* first, const Instruction* stop, cdr::Decoder& decoder);

}  // namespace callis::marshal
