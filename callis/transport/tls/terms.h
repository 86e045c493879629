// SPDX-License-Identifier: Apache-2.0
// TlsTerms: all that an ORB is told about TLS, by its options -ORBTls...
#pragma once
#include <callis/base/clock.h>
#include <cstdint>
#include <string>

namespace callis::transport {

struct TlsTerms {
  // Certificates that servers ask their clients for. Usual: Required if authorities or pins are given, otherwise
  // None.
  enum class Clients : std::uint8_t { Usual, None, Wanted, Required };
  enum class Oldest : std::uint8_t { Tls12, Tls13 };

  std::string certificate;  // a file: PEM, with the intermediate certificates behind the own one, or PKCS#12
  std::string key;          // a PEM file; empty: the file of the certificate
  std::string key_password; // a file whose first line is the key's passphrase
  std::string authorities;  // a PEM file, a folder of such files, or "system"
  std::string revoked;      // a PEM file of revocation lists
  std::string pins;         // SHA-256 of public keys, hexadecimal, with commas between
  std::string expect;       // the name of all servers; empty: the host that a reference names
  Clients clients = Clients::Usual;
  Oldest oldest = Oldest::Tls12;

  // Bounds on the handshakes of one endpoint that are under way.
  Duration handshake_timeout{10'000};
  std::uint32_t max_handshakes = 256;

  // Whether servers can be verified, as clients need it; and whether there is a certificate, which servers need.
  bool verifies() const { return !authorities.empty() || !pins.empty(); }
  bool has_certificate() const { return !certificate.empty(); }
  Clients asked_of_clients() const {
    if (clients != Clients::Usual) return clients;
    return verifies() ? Clients::Required : Clients::None;
  }

  friend bool operator==(const TlsTerms&, const TlsTerms&) = default;
};

}  // namespace callis::transport
