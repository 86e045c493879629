// SPDX-License-Identifier: Apache-2.0
// MessageSource: the origin of a message, for the references in the message. A reference may name any place, and is
// called with the rights of this process. So a reference remembers its sender, and leads nowhere nearer to this
// process than that peer (ForwardRule, options/forward_to.h; -ORBForwardTo).
//
// Every decoder of a message has a MessageSource as its context(), which also names the ORB of the references. An ORB
// has one of each kind, which live as long as the ORB; anys keep them by the ORB's count.
#pragma once
#include <callis/base/feature.h>
#include <callis/cdr/decoder.h>
#include <callis/transport/peer.h>
#include <cstdint>

// Part of the feature settings.
CALLIS_FEATURE(reference_reach);

namespace callis::orb {

class OrbContext;

struct MessageSource {
  enum class From : std::uint8_t {
    Self,      // the application: its own references have no bounds
    Machine,   // a process of this machine, without a network address
    Loopback,  // a network address of this machine
    Link,      // an address of one link
    Anywhere,
    Kept,  // a peer, some time ago, that is not known any more: each address leads no nearer than it says
  };
  static constexpr std::size_t kKinds = 6;

  OrbContext* orb;
  From from;

  // peer is nullptr for this process. Returns Self in programs without the feature reference_reach, which bound no
  // references.
  static From of(const transport::Peer* peer);

 private:
  CALLIS_OPTIONAL static From seen_from(const transport::Peer& peer);
};

// The ORB of the references in a message; nullptr if there is none.
inline OrbContext* orb_of(const cdr::Decoder& message) {
  const auto* const source = static_cast<const MessageSource*>(message.context());
  return source ? source->orb : nullptr;
}

}  // namespace callis::orb
