// SPDX-License-Identifier: Apache-2.0
// Teaches the marshaling engine to handle object references.
#pragma once

namespace callis::orb {

// Called by a CALLIS_INSTALLER (marshal/handlers.h) of core.cpp, which every program with stubs has.
void install_reference_handlers() noexcept;

}  // namespace callis::orb
