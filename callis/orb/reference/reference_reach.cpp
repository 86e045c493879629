// SPDX-License-Identifier: Apache-2.0
// Where references from peers may lead: the rule, and what is refused (-ORBForwardTo).
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/reference/reference.h>

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
    case From::Anywhere: break;
  }
  return Reach::Anywhere;
}

}  // namespace

MessageSource::From MessageSource::seen_from(const transport::Peer& peer) {
  if (peer.kind == transport::Peer::Kind::Memory) return From::Self;
  if (peer.here) return peer.kind == transport::Peer::Kind::Local ? From::Machine : From::Loopback;
  return peer.reach == Reach::Link ? From::Link : From::Anywhere;
}

ForwardRule::ForwardRule(const Options& options, From from)
    : list_(options.forward_to), server_(nullptr), least_(reach_of(from)), over_network_(from > From::Machine) {}

void Reference::read_bounded() {
  ForwardRule rule(orb_->options(), from_);
  leave_out(rule);
}

// What this ORB has given out may come back to it.
bool Reference::leads_back(const EndpointAddress& to) const {
  EndpointIdentity identity;
  identity.address = to;
  return orb_->endpoints().find(identity)->is_own();
}

void Reference::check_refused() {
  if (from_ == From::Self) return;
  ForwardRule rule(orb_->options(), from_);
  for (std::size_t i = 0; i < ior_.profiles.size(); ++i) add_profile(i, true, &rule);
  if (!rule.refused().empty()) refuse_forward({}, rule.refused());
}

}  // namespace callis::orb
