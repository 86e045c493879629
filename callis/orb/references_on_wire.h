// SPDX-License-Identifier: Apache-2.0
// Teaches the marshaling engine what an object reference is.
#pragma once

namespace callis::orb {

// Any thread, any number of times; before the first call.
void install_reference_handlers();

}  // namespace callis::orb
