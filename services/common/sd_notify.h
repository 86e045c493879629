// SPDX-License-Identifier: Apache-2.0
// Tells systemd, or whoever else gave a socket in $NOTIFY_SOCKET, how the program is (sd_notify(3), without its
// library).
#pragma once
#include <chrono>
#include <string_view>

namespace callis::services {

// Sends lines in one datagram: "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=...". The socket is a path or an
// abstract name ("@..."). Returns false if nobody asked for lines, or the socket does not take them. Any thread may
// call.
bool notify(std::string_view lines) noexcept;

// Returns how often "WATCHDOG=1" is wanted at least, by $WATCHDOG_USEC for this process ($WATCHDOG_PID); zero: never.
std::chrono::microseconds watchdog_interval() noexcept;

}  // namespace callis::services
