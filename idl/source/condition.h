// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the conditions of #if and #elif (ISO 14882, 16.1). They compute with integers of 64 bits.
#pragma once
#include <idl/source/macros.h>
#include <vector>

namespace callis::idl::source {

// Whether the condition is not 0. `tokens` are expanded, except operands of `defined`. The directive, "if" or "elif",
// stands at `where`. A faulty condition is reported and counts as false.
bool evaluate_condition(const std::vector<PpToken>& tokens, const Macros& macros, std::string_view directive,
                        const Range& where, Faults& faults);

}  // namespace callis::idl::source
