// SPDX-License-Identifier: Apache-2.0
// Unix-domain stream sockets, named by absolute paths of at most 107 bytes. Streams are those of TCP, with the same
// promises; a server knows its peers by process and user, and counts them by user.
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/stream.h>

CALLIS_FEATURE(unix);

namespace callis::transport {

// On failure the error's detail says "unix:/path refused (errno 111) after 0 ms". Fault: ConnectRefused (nobody
// listens), ConnectTimeout (the server's queue stayed full), or TransportFailed: no such file, no permission, a path
// too long.
CALLIS_OPTIONAL Result<std::unique_ptr<Stream>> connect_unix(const std::string& path, Deadline deadline);

// Makes the socket's file, which only those may connect to whom permissions let write to it: nobody more at any time.
// A socket file that is there already is removed when nobody listens on it; anything else there is an error. The
// listener's close() and its destructor remove the file, if it is still the listener's own.
CALLIS_OPTIONAL Result<std::unique_ptr<Listener>> listen_unix(const std::string& path, unsigned permissions);

// What gethostname() says; empty when it fails.
std::string host_name();

}  // namespace callis::transport
