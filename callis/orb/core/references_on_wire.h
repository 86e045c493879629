// SPDX-License-Identifier: Apache-2.0
// Teaches the marshaling engine what an object reference is.
#pragma once

namespace callis::orb {

// By a CALLIS_INSTALLER (marshal/handlers.h) of core.cpp, which every program has that has stubs.
void install_reference_handlers() noexcept;

}  // namespace callis::orb
