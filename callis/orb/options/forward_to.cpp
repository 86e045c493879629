// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/options.h>
#include <callis/transport/transport.h>

namespace callis::orb {

using transport::Reach;

namespace {

// A loopback address may be a tunnel's end or another user's: only what is reached by a socket's file is known to be here.
bool is_tcp(const std::string& host) { return !host.starts_with("unix:") && !host.starts_with("memory:"); }

}  // namespace

ForwardRule::ForwardRule(const Options& options, const std::string& from) : list_(options.forward_to), from_(from) {
  if (!list_.empty()) return;
  least_ = transport::reach_of(from);
  // A server here that is reached by the address which other machines use.
  if (least_ > Reach::Machine && from == transport::primary_address()) least_ = Reach::Machine;
}

bool ForwardRule::allows(const std::string& to) {
  const bool allowed = list_.empty() ? transport::reach_of(to) >= least_ && !(to.starts_with("unix:") && is_tcp(from_))
                                     : CALLIS_HAS(forward_lists) && forward_list_allows(list_, from_, to);
  if (!allowed && refused_.empty()) refused_ = to;
  return allowed;
}

void refuse_forward(std::string_view from, std::string_view to) {
  raise<CORBA::NO_PERMISSION>(kForwardRefused, CORBA::COMPLETED_NO,
                              concat({"forwarded", from.empty() ? "" : " from ", from, " to ", to, ", which -ORBForwardTo does not allow"}));
}

}  // namespace callis::orb
