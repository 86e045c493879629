// SPDX-License-Identifier: Apache-2.0
// The sockets that this process has opened. A child of fork() has them, too, and must neither use them nor close
// their connections: they are its parent's. In the child they are replaced by a socket whose peer is gone, under
// their own numbers, so that whoever holds one finds a connection that has ended. Feature forks.
#pragma once
#include <callis/base/feature.h>

CALLIS_FEATURE(forks);

namespace callis::transport::tcp {

// Any thread. A socket that there is no memory to note stays what it is in a child.
CALLIS_OPTIONAL void note_open(int fd) noexcept;
CALLIS_OPTIONAL void note_closed(int fd) noexcept;

}  // namespace callis::transport::tcp

namespace callis::transport {

// Around fork(), by who has registered for it (callis/orb/core/forks.h): nothing is opened or closed between the
// first and one of the others.
CALLIS_OPTIONAL void lock_sockets() noexcept;
CALLIS_OPTIONAL void unlock_sockets() noexcept;
// In the child; unlocks.
CALLIS_OPTIONAL void replace_sockets() noexcept;

}  // namespace callis::transport
