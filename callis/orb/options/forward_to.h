// SPDX-License-Identifier: Apache-2.0
// The places to which peers may lead calls of this process (-ORBForwardTo; docs/guide/calls.md): servers by forwards,
// and all peers by references in messages. A forward, an answer to a LocateRequest, or a reference names any place
// its sender likes; this process would call the place with its own rights.
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

// This feature is the code for lists; it is part of the feature settings.
CALLIS_FEATURE(forward_lists);

namespace callis::orb {

struct EndpointAddress;
struct Options;

// The rule for one forward, or one reference.
class ForwardRule final {
 public:
  // The rule for a forward. from: the server that forwards; Peer() for this ORB itself. Both arguments outlive the
  // rule.
  ForwardRule(const Options& options, const transport::Peer& from);
  // The rule for a reference that has come in a message, not of From::Self. Part of the feature reference_reach.
  CALLIS_OPTIONAL ForwardRule(const Options& options, MessageSource::From from);

  bool is_of_forward() const { return server_ != nullptr; }
  bool allows(const EndpointAddress& to);
  // Connections to allowed hosts must not lead nearer than this, since names may lead anywhere.
  transport::Reach least() const;
  // The first place that was not allowed, for people; empty if there is none.
  const std::string& refused() const { return refused_; }

 private:
  bool is_outward(const EndpointAddress& to) const;

  const std::string& list_;              // empty: outward
  const transport::Peer* const server_;  // for a forward
  transport::Reach least_ = transport::Reach::Process;
  bool over_network_ = false;
  std::string refused_;
};

// Whether the list, which is not empty, allows a forward there. server is the server that forwards, or nullptr.
CALLIS_OPTIONAL bool forward_list_allows(std::string_view list, const transport::Peer* server,
                                         const EndpointAddress& to);
// Puts the option's value into the list. Returns false if the value is no list.
CALLIS_OPTIONAL bool parse_forward_list(std::string_view value, std::string& list);

// Throws NO_PERMISSION. from: the peer that has led there, if known; to: the place that has been refused.
[[noreturn]] void refuse_forward(std::string_view from, std::string_view to);

}  // namespace callis::orb
