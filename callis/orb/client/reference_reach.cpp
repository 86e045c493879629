// SPDX-License-Identifier: Apache-2.0
// The places to which references from peers may lead: the rule, and refusals (-ORBForwardTo).
#include <callis/orb/base/errors.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/tls_of_orb.h>
#include <algorithm>

CALLIS_PROVIDE(reference_reach);

namespace callis::orb {

namespace {

using transport::Reach;
using From = MessageSource::From;

Reach reach_of(From from) {
  switch (from) {
    case From::Self: return Reach::Process;
    case From::Machine:
    case From::Loopback: return Reach::Machine;
    case From::Link: return Reach::Link;
    case From::Anywhere:
    case From::Kept: break;
  }
  return Reach::Anywhere;
}

// The nearest that may lead there. "localhost" is known without asking; other names are far until they are resolved.
From sender_at(const EndpointAddress& a) {
  const Reach reach = a.place == "localhost" ? Reach::Machine : a.transport->reach(a);
  if (reach <= Reach::Machine) return a.transport->has_hosts() ? From::Loopback : From::Machine;
  return reach == Reach::Link ? From::Link : From::Anywhere;
}

}  // namespace

MessageSource::From MessageSource::seen_from(const transport::Peer& peer) {
  if (peer.kind == transport::Peer::Kind::Memory) return From::Self;
  if (peer.here) return peer.kind == transport::Peer::Kind::Local ? From::Machine : From::Loopback;
  return peer.reach == Reach::Link ? From::Link : From::Anywhere;
}

ForwardRule::ForwardRule(const Options& options, From from)
    : list_(options.forward_to), server_(nullptr), least_(reach_of(from)), over_network_(from > From::Machine) {}

// As the profiles have them.
std::list<EndpointAddress> Reference::addresses() const {
  std::list<EndpointAddress> out;
  ior::IiopProfile content;
  for (const ior::TaggedProfile& profile : ior_.profiles) {
    const auto reads = [&](const Transport* t) { return t->read(profile, orb_->limits(), content); };
    if (std::ranges::none_of(transports(), reads)) continue;
    const std::span<const Transport* const> all = transports();
    for (std::size_t i = all.size(); i-- > 0;) all[i]->find(profile.tag, content, true, out, orb_.get());
  }
  return out;
}

// Of a reference that was kept: as if its nearest address had sent it.
void Reference::read_bounded() {
  From from = from_;
  if (from == From::Kept) {
    from = From::Anywhere;
    for (const EndpointAddress& a : addresses()) from = std::min(from, sender_at(a));
  }
  ForwardRule rule(orb_->options(), from);
  leave_out(rule);
}

// Addresses that this ORB has given out may come back to it.
bool Reference::leads_back(const EndpointAddress& to) const {
  EndpointIdentity identity;
  identity.address = to;
  return orb_->endpoints().find(identity)->is_own();
}

// A server that is reached over TLS alone has a profile with port 0, and the port of TLS in a component.
bool Reference::needs_tls() const {
  ior::IiopProfile content;
  for (const ior::TaggedProfile& profile : ior_.profiles)
    if (tcp_transport()->read(profile, orb_->limits(), content) && content.address.port == 0 &&
        content.component(ior::kSslSecTrans))
      return true;
  return false;
}

void Reference::check_refused() {
  const char* why = nullptr;
  if (&tls_refusal) why = tls_refusal(ior_, &*orb_);
  else if (needs_tls())
    why = "the server is reached over TLS alone, and this program has no TLS: include callis/tls.h, link "
          "callis::tls, and give -ORBTlsCA";
  if (why) raise<CORBA::IMP_LIMIT>(omg(1), CORBA::COMPLETED_NO, why);
  if (from_ == From::Self || from_ == From::Kept) return;
  ForwardRule rule(orb_->options(), from_);
  for (const EndpointAddress& a : addresses())
    if (!rule.allows(a) && !leads_back(a)) refuse_forward({}, rule.refused());
}

}  // namespace callis::orb
