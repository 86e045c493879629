// SPDX-License-Identifier: Apache-2.0
// TAG_SSL_SEC_TRANS: the port of TLS at the host of an IIOP profile (CORBA Security Service 1.8, SSLIOP). Where the
// profile's own port is 0, there is no other.
#pragma once
#include <callis/ior/iiop_profile.h>

namespace callis::ior {

// Security::AssociationOptions.
inline constexpr std::uint16_t kNoProtection = 1, kIntegrity = 2, kConfidentiality = 4, kDetectReplay = 8,
                               kDetectMisordering = 16, kTrustInTarget = 32, kTrustInClient = 64;
inline constexpr std::uint16_t kTlsProtection = kIntegrity | kConfidentiality;

struct TlsOffer {
  std::uint16_t supports = 0, requires_ = 0;  // association options
  std::uint16_t port = 0;
  friend bool operator==(const TlsOffer&, const TlsOffer&) = default;
};

Result<TlsOffer> parse_tls_offer(ByteView component_data);
// The addresses of TLS in a profile: its host, without the brackets of IPv6, with the port of each component.
// Components that cannot be read, and port 0, are passed over.
std::vector<Address> tls_addresses(const IiopProfile& profile);
TaggedComponent tls_component(const TlsOffer& offer, ByteOrder order = kNativeOrder);

}  // namespace callis::ior
