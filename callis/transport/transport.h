// SPDX-License-Identifier: Apache-2.0
// The transport library: bytes and deadlines. It knows nothing of GIOP.
//
//   stream.h         Stream (a connection) and Listener, the two interfaces
//   peer.h           who is at the other end
//   tcp/tcp.h        TCP over IPv4 and IPv6: connect_tcp(), listen_tcp()
//   unix/unix.h      Unix-domain sockets: connect_unix(), listen_unix()
//   memory/memory.h  inside one process, without threads and without the operating system
//
//          client thread                               server
//     Stream::send() ───────────── tcp ──────────→ Stream::receive() in a thread of its own
//     Stream::receive() ←───────── tcp ─────────── Stream::send()
//
//     Stream::send() ─── memory ──→ MemoryConnection::bytes_in(), on the client's own thread
//     Stream::receive() ←────────── the bytes it answered with
//
// A deadline is a moment, not a duration: a caller makes one for a whole call and hands it to every step.
// In the steady state a call costs each side one send and one receive system call: sockets block, and the
// kernel's own time-out is set anew only when the one in force would end after the deadline. Neither reads the
// clock: callers say what time it is, or how long to wait from now on (send_within, receive_within).
//
// Adding a transport: a folder here with a Stream, a Listener where it makes sense, and a test; and an entry in
// callis/orb/transports. HACKING.md has the steps.
// Nothing here throws. Errors that happen once per connection come as Error with text for people (every
// address tried, errno, time taken); errors on the path of a call come as a plain Transfer.
#pragma once
#include <callis/transport/memory/memory.h>
#include <callis/transport/stream.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/unix/unix.h>
