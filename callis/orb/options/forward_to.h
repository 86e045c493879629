// SPDX-License-Identifier: Apache-2.0
// Where servers may send calls on to (-ORBForwardTo; docs/guide/calls.md). A server's forward, or its answer to a
// LocateRequest, names any place it likes; the client would call it with its own rights.
//
//   outward    nowhere nearer to this process than the server itself (transport/peer.h); never from a network's
//              address to what only this machine reaches
//   any        anywhere
//   a list     hosts, networks and sockets, and nothing else
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/peer.h>
#include <string>
#include <string_view>

// Lists; part of the feature settings.
CALLIS_FEATURE(forward_lists);

namespace callis::orb {

struct EndpointAddress;
struct Options;

// For one forward.
class ForwardRule final {
 public:
  // from: the server that forwards; Peer() for this ORB itself. Both outlive it.
  ForwardRule(const Options& options, const transport::Peer& from);

  bool allows(const EndpointAddress& to);
  // What connections to the hosts that are allowed must lead to at least, since names may lead anywhere.
  transport::Reach least() const { return least_; }
  // The first place that was not allowed, for people; empty for none.
  const std::string& refused() const { return refused_; }

 private:
  const std::string& list_;  // empty: outward
  const transport::Peer& from_;
  transport::Reach least_ = transport::Reach::Process;
  std::string refused_;
};

// Whether the list, which is not empty, allows a forward there.
CALLIS_OPTIONAL bool forward_list_allows(std::string_view list, const transport::Peer& from,
                                         const EndpointAddress& to);
// Puts what the option says into the list; false when it is none.
CALLIS_OPTIONAL bool parse_forward_list(std::string_view value, std::string& list);

// NO_PERMISSION. from: who has forwarded, where that is known; to: what has been refused.
[[noreturn]] void refuse_forward(std::string_view from, std::string_view to);

}  // namespace callis::orb
