// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/options.h>

namespace callis::orb {

using transport::Reach;

namespace {

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

ForwardRule::ForwardRule(const Options& options, const transport::Peer& from)
    : list_(options.forward_to), server_(&from) {
  if (!list_.empty()) return;
  least_ = reach_of(MessageSource::of(from));
  over_network_ = from.kind == transport::Peer::Kind::Address;
}

ForwardRule::ForwardRule(const Options& options, From from)
    : list_(options.references_to), server_(nullptr), least_(reach_of(from)), over_network_(from > From::Machine) {}

// A loopback address may be a tunnel's end or another user's: only what has no hosts is known to be here.
bool ForwardRule::is_outward(const EndpointAddress& to) const {
  return to.transport->reach(to) >= least_ && !(over_network_ && !to.transport->has_hosts());
}

// Lists are of names, too, which lead where they are resolved to.
Reach ForwardRule::least() const { return list_.empty() ? least_ : Reach::Process; }

bool ForwardRule::allows(const EndpointAddress& to) {
  static const transport::Peer nobody;
  const bool outward = (list_.empty() || !server_) && is_outward(to);
  const bool allowed = outward || (!list_.empty() && CALLIS_HAS(forward_lists) &&
                                   forward_list_allows(list_, server_ ? *server_ : nobody, to));
  if (!allowed && refused_.empty()) refused_ = to.transport->has_hosts() ? to.place : to.text();
  return allowed;
}

void refuse_forward(std::string_view from, std::string_view to) {
  raise<CORBA::NO_PERMISSION>(
      kForwardRefused, CORBA::COMPLETED_NO,
      concat({"forwarded", from.empty() ? "" : " from ", from, " to ", to, ", which -ORBForwardTo does not allow"}));
}

void refuse_reference(std::string_view to) {
  raise<CORBA::NO_PERMISSION>(
      kReferenceRefused, CORBA::COMPLETED_NO,
      concat({"the reference leads to ", to, ", nearer than its sender; -ORBReferencesTo does not allow that"}));
}

}  // namespace callis::orb
