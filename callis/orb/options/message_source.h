// SPDX-License-Identifier: Apache-2.0
// MessageSource: where a message has come from, for the references in it. A reference names any place it likes, and
// whoever calls it does so with the rights of this process; so a reference remembers who has sent it, and leads
// nowhere nearer to this process than that peer (ForwardRule, options/forward_to.h; -ORBForwardTo).
//
// Every decoder of a message has one as its context(), which says which ORB the references belong to, too. An ORB has
// one of each kind, which live as long as it does; anys keep them by the ORB's count.
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
    Self,      // the application: what it names itself has no bounds
    Machine,   // a process of this machine, over what has no network address
    Loopback,  // a network address of this machine
    Link,      // an address of one link
    Anywhere,
    Kept,  // a peer, some time ago, who is not known any more: each address leads no nearer than it says
  };
  static constexpr std::size_t kKinds = 6;

  OrbContext* orb;
  From from;

  // peer: nullptr for this process. Self in programs without the feature reference_reach, which bound no references.
  static From of(const transport::Peer* peer);

 private:
  CALLIS_OPTIONAL static From seen_from(const transport::Peer& peer);
};

// The ORB of the references in a message; nullptr: there is none.
inline OrbContext* orb_of(const cdr::Decoder& message) {
  const auto* const source = static_cast<const MessageSource*>(message.context());
  return source ? source->orb : nullptr;
}

}  // namespace callis::orb
