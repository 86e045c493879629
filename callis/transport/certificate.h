// SPDX-License-Identifier: Apache-2.0
// Certificate: the contents of a peer's X.509 certificate, for decisions about who may do what. Programs without TLS
// (callis/tls.h) meet none.
#pragma once
#include <callis/base/feature.h>
#include <memory>
#include <string>
#include <vector>

namespace callis::transport {

struct Peer;

struct Certificate {
  std::string subject;             // as RFC 2253 writes it: "CN=ops,O=Example"
  std::string common_name;         // of the subject; empty if there is none
  std::vector<std::string> names;  // alternative names: "dns:a.example", "ip:10.1.2.3", "uri:...", "email:..."
  std::string fingerprint;         // SHA-256 of the certificate: 64 lower case hexadecimal digits
  std::string key;                 // SHA-256 of the public key (SubjectPublicKeyInfo), likewise

  // Whether the certificate is for that DNS name or numeric address. "*.a.example" is for "b.a.example".
  CALLIS_OPTIONAL bool is_for(const std::string& host) const;
};

// The certificate by which the peer of an open connection has shown who it is; nullptr if it has shown none. A
// certificate that could not be verified ends its connection, and is never seen here. Any thread may call; takes a
// lock. In programs without TLS the function is missing.
CALLIS_OPTIONAL std::shared_ptr<const Certificate> certificate_of(const Peer& peer);

// Whether the connection with this peer is a TLS one.
CALLIS_OPTIONAL bool is_encrypted(const Peer& peer);

}  // namespace callis::transport
