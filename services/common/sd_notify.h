// SPDX-License-Identifier: Apache-2.0
// Tells systemd, or whoever else gave a socket in $NOTIFY_SOCKET, how the program is (sd_notify(3), without its
// library).
#pragma once
#include <chrono>
#include <string_view>

namespace callis::services {

// One datagram of lines: "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=...". Returns false where nobody asked for
// it, or the socket does not take it. A path or an abstract name ("@..."). Any thread.
bool notify(std::string_view lines) noexcept;

// How often "WATCHDOG=1" is wanted at least, by $WATCHDOG_USEC for this process ($WATCHDOG_PID); zero: not at all.
std::chrono::microseconds watchdog_interval() noexcept;

}  // namespace callis::services
