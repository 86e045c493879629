// SPDX-License-Identifier: Apache-2.0
// The exceptions for arguments and results that cannot be passed.
#pragma once
#include <callis/base/fault.h>
#include <callis/orb/client/call.h>

namespace callis::orb {

// Throw the exception for f, the fault of encoding or decoding.
[[noreturn]] void bad_arguments(const CallOperation& operation, Fault f);
[[noreturn]] void bad_results(const CallOperation& operation, Fault f);

}  // namespace callis::orb
