// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace callis::value {

// Teaches the marshaling engine what values are (marshal/handlers.h). By a CALLIS_INSTALLER.
void install_handlers() noexcept;

}  // namespace callis::value
