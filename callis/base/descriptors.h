// SPDX-License-Identifier: Apache-2.0
// Descriptors that callis opens in a process that is not its own.
#pragma once

namespace callis {

// Numbers 0 to 2 are the program's: where it has closed them, the system gives them to the next who opens something,
// and what the program prints would go there. Returns the descriptor under a number above, closed on exec, and closes
// fd; fd itself where it is none of these. -1 with errno where there is none left. Any thread.
int above_standard(int fd) noexcept;

}  // namespace callis
