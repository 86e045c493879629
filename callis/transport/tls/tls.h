// SPDX-License-Identifier: Apache-2.0
// TLS 1.2 and 1.3 over TCP, by OpenSSL. Streams keep Stream's promises: one thread may send while another receives.
//
//   connect_tls() ─ TCP ─ handshake, within the deadline ──→ Stream
//   listen_tls() ──→ Listener ─ accept() ──→ Stream without a handshake yet
//                                               └─ the thread that receives first makes it, with the bytes it gets
//
// So accept() never waits for a peer, and a connection whose client says nothing has no OpenSSL object. A thread for
// each listener ends handshakes that take too long (handshakes.h).
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/tls/context.h>

namespace callis::transport {

// Connects and makes the handshake. Verifies the server's certificate: it must be for TlsTerms::expect, or if that is
// empty for host. Sends the name as SNI. The terms must have something to verify servers by (verifies()).
//
// Fault: those of connect_tcp(); NotTrusted if either side does not accept the other's certificate; ConnectionLost if
// the server ends the connection, or speaks no TLS; ConnectTimeout. The detail says what was tried, what happened,
// and what to do.
Result<std::unique_ptr<Stream>> connect_tls(TlsContext& context, const std::string& host, std::uint16_t port,
                                            Deadline deadline);

// host, port: as in listen_tcp(). The terms must have a certificate. A refused handshake is one line in the log, with
// what the peer did. set_farewell() has no effect: nothing is sent before a handshake.
Result<std::unique_ptr<TcpListener>> listen_tls(std::shared_ptr<TlsContext> context, const std::string& host,
                                                std::uint16_t port);

// The same over a stream that is connected already. expected: the name of the server.
Result<std::unique_ptr<Stream>> start_tls(TlsContext& context, std::unique_ptr<Stream> over,
                                          const std::string& expected, Deadline deadline);
std::unique_ptr<Stream> accept_tls(TlsContext& context, std::unique_ptr<Stream> over);

// Returns "TLSv1.3, TLS_AES_256_GCM_SHA384", with ", resumed" behind. It is for people and tests, and empty if
// the stream is no TLS stream, or has had no handshake yet.
std::string tls_words(const Stream& stream);

}  // namespace callis::transport
