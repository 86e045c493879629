// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/options.h>
#include <callis/transport/transport.h>

namespace callis::orb {

using transport::Reach;

ForwardRule::ForwardRule(const Options& options, const transport::Peer& from)
    : list_(options.forward_to), from_(from) {
  if (!list_.empty()) return;
  least_ = from.reach;
  // A server here that is reached by the address which other machines use.
  if (least_ > Reach::Machine && from.host == transport::primary_address()) least_ = Reach::Machine;
}

bool ForwardRule::allows(const EndpointAddress& to) {
  // A loopback address may be a tunnel's end or another user's: only what has no hosts is known to be here.
  const auto outward = [&] {
    const bool comes_in = from_.kind == transport::Peer::Kind::Address && !to.transport->has_hosts();
    return to.transport->reach(to) >= least_ && !comes_in;
  };
  const bool allowed = list_.empty() ? outward() : CALLIS_HAS(forward_lists) && forward_list_allows(list_, from_, to);
  if (!allowed && refused_.empty()) refused_ = to.transport->has_hosts() ? to.place : to.text();
  return allowed;
}

void refuse_forward(std::string_view from, std::string_view to) {
  raise<CORBA::NO_PERMISSION>(
      kForwardRefused, CORBA::COMPLETED_NO,
      concat({"forwarded", from.empty() ? "" : " from ", from, " to ", to, ", which -ORBForwardTo does not allow"}));
}

}  // namespace callis::orb
