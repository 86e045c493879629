// SPDX-License-Identifier: Apache-2.0
// Where peers may lead calls of this process (docs/guide/calls.md): servers by forwards (-ORBForwardTo), and everybody
// by the references in messages (-ORBReferencesTo). A forward, an answer to a LocateRequest, or a reference names any
// place its sender likes; this process would call it with its own rights.
//
//   outward    nowhere nearer to this process than the peer itself (transport/peer.h); never from a network's
//              address to what only this machine reaches
//   any        anywhere
//   a list     hosts, networks and sockets: for forwards these alone, for references these, too
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/message_source.h>
#include <callis/transport/peer.h>
#include <string>
#include <string_view>

// Lists; part of the feature settings.
CALLIS_FEATURE(forward_lists);

namespace callis::orb {

struct EndpointAddress;
struct Options;

// For one forward, or one reference.
class ForwardRule final {
 public:
  // A forward. from: the server that forwards; Peer() for this ORB itself. Both outlive it.
  ForwardRule(const Options& options, const transport::Peer& from);
  // A reference that has come in a message, not of From::Self.
  ForwardRule(const Options& options, MessageSource::From from);

  bool is_of_forward() const { return server_ != nullptr; }
  bool allows(const EndpointAddress& to);
  // What connections to the hosts that are allowed must lead to at least, since names may lead anywhere.
  transport::Reach least() const;
  // The first place that was not allowed, for people; empty for none.
  const std::string& refused() const { return refused_; }

 private:
  bool is_outward(const EndpointAddress& to) const;

  const std::string& list_;              // empty: outward
  const transport::Peer* const server_;  // of a forward
  transport::Reach least_ = transport::Reach::Process;
  bool over_network_ = false;
  std::string refused_;
};

// Whether the list, which is not empty, allows a forward there.
CALLIS_OPTIONAL bool forward_list_allows(std::string_view list, const transport::Peer& from,
                                         const EndpointAddress& to);
// Puts what the option says into the list; false when it is none.
CALLIS_OPTIONAL bool parse_forward_list(std::string_view value, std::string& list);

// NO_PERMISSION. from: who has forwarded, where that is known; to: what has been refused.
[[noreturn]] void refuse_forward(std::string_view from, std::string_view to);
// The same of a reference that has come in a message.
[[noreturn]] void refuse_reference(std::string_view to);

}  // namespace callis::orb
