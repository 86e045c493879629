// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/options.h>
#include <algorithm>

namespace callis::orb {

using transport::Reach;

MessageSource::From MessageSource::of(const transport::Peer* peer) {
  return peer && CALLIS_HAS(reference_reach) ? seen_from(*peer) : From::Self;
}

ForwardRule::ForwardRule(const Options& options, const transport::Peer& from)
    : list_(options.forward_to), server_(&from) {
  if (!list_.empty()) return;
  least_ = from.here ? std::min(from.reach, Reach::Machine) : from.reach;
  over_network_ = from.kind == transport::Peer::Kind::Address;
}

// A loopback address may be a tunnel's end or another user's: only places without hosts are known to be here.
bool ForwardRule::is_outward(const EndpointAddress& to) const {
  return to.transport->reach(to) >= least_ && !(over_network_ && !to.transport->has_hosts());
}

// Lists may have names, too, which may be resolved to any address.
Reach ForwardRule::least() const { return list_.empty() ? least_ : Reach::Process; }

bool ForwardRule::allows(const EndpointAddress& to) {
  const bool outward = (list_.empty() || !server_) && is_outward(to);
  const bool allowed =
      outward || (!list_.empty() && CALLIS_HAS(forward_lists) && forward_list_allows(list_, server_, to));
  if (!allowed && refused_.empty()) refused_ = to.transport->has_hosts() ? to.place : to.text();
  return allowed;
}

void refuse_forward(std::string_view from, std::string_view to) {
  raise<CORBA::NO_PERMISSION>(
      kForwardRefused, CORBA::COMPLETED_NO,
      concat({"led", from.empty() ? "" : " by ", from, " to ", to, ", which -ORBForwardTo does not allow"}));
}

}  // namespace callis::orb
