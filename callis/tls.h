// SPDX-License-Identifier: Apache-2.0
// TLS for IIOP: SSLIOP as omniORB speaks it, with TLS 1.2 and 1.3. Programs that include this link
// callis::tls. docs/guide/tls.md shows its use.
//
//   server:  -ORBEndpoint tls:host:port -ORBTlsCertificate server.pem -ORBTlsKey server.key -ORBTlsCA ca.pem
//   client:  -ORBTlsCA ca.pem [-ORBTlsCertificate client.pem -ORBTlsKey client.key]
//
// References to objects of a server that has endpoints of TLS alone name port 0, and the port of TLS in a component
// (TAG_SSL_SEC_TRANS). A client with -ORBTlsCA or -ORBTlsPin uses the port of TLS, and never falls back to TCP alone.
// callis::Caller (callis/portable_server.h) tells a servant the certificate of its client.
//
// ORB_init() raises INITIALIZE, with words, if a file is missing or wrong. A call whose server is not accepted, or
// that does not accept its client, raises NO_PERMISSION, minor code of NotTrusted, COMPLETED_NO. A server that speaks
// no TLS at its port, or ends the handshake, is COMM_FAILURE, COMPLETED_NO.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/transport/certificate.h>
#include <string>

namespace callis::tls {

// Lets ORBs know TLS and its options; done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

// From now on SIGHUP makes the next connections read the files of TLS again, changed or not. Without this function
// SIGHUP ends the process, and files are looked at once a second. Any thread may call.
void reload_on_hangup() noexcept;

// Returns the passphrase of a key's file, in place of -ORBTlsKeyPassword. Threads that make or accept connections
// call it, too, when the file has changed.
using Passphrase = std::string (*)(const std::string& file);
// Must be called before the first ORB is made.
void set_passphrase(Passphrase function) noexcept;

}  // namespace callis::tls
