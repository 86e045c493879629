// SPDX-License-Identifier: Apache-2.0
// Alone, since only URLs and TLS need it.
#include <callis/ior/internal/body.h>
#include <callis/ior/tls_component.h>

namespace callis::ior {

Result<TlsOffer> parse_tls_offer(ByteView component_data) {
  cdr::Budget budget{component_data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(component_data, budget);
  TlsOffer out;
  out.supports = d.get_ushort();
  out.requires_ = d.get_ushort();
  out.port = d.get_ushort();
  if (!d.ok()) return bad(d.fault(), "port of TLS");
  return out;
}

TaggedComponent tls_component(const TlsOffer& offer, ByteOrder order) {
  Body body(order);
  body.encoder().put_ushort(offer.supports);
  body.encoder().put_ushort(offer.requires_);
  body.encoder().put_ushort(offer.port);
  return body.finish(kSslSecTrans);
}

std::vector<Address> tls_addresses(const IiopProfile& profile) {
  std::string host = profile.address.host;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  std::vector<Address> out;
  if (host.empty()) return out;
  for (const TaggedComponent& c : profile.components) {
    if (c.tag != kSslSecTrans) continue;
    const auto offer = parse_tls_offer(c.data);
    if (offer && offer->port != 0) out.push_back({host, offer->port});
  }
  return out;
}

}  // namespace callis::ior
