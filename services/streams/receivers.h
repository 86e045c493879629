// SPDX-License-Identifier: Apache-2.0
// Whom the flows of a device may go to. Addresses of flows come from peers, which could name anybody's: a device that
// sent there would attack for them.
//
//   an address is                                     over UDP                         over TCP, of who connects
//   of who asks for the flow, or who answers for it   at once                          at once
//   at which who answers for it answers again         once it has consented            at once
//   among DeviceOffer::receivers                      at once                          at once
//   nearer to this process than who asks              refused                          refused
//   any other                                         once it has consented (Consent)  refused
//
// A group is the device's own, one of 239.255.0.0/16 (RFC 2365: of this site alone), or among the receivers.
#pragma once
#include <callis/corba.h>
#include <callis/transport/peer.h>
#include <services/streams/application.h>
#include <string>

namespace callis::streams {

// Whose address is as good as an answer.
struct Vouched {
  bool for_all = false;  // this process has asked
  std::string host;      // in figures; empty: nobody's address is known
  // Who answers for the flow; nil: who asks for it. Where its reference has names, or several hosts, nobody knows
  // which address it has answered from. So it is called once more at the address that it gives, before this end
  // connects there by TCP.
  CORBA::Object_var object;
  // Nearer addresses are refused.
  transport::Reach reach = transport::Reach::Anywhere;
};

// Who has called, for the flows of that device.
Vouched caller_of(const DeviceOffer& device);
// Who has answered a call on that reference, whose addresses are all one host's. `asked_by`: who has named it.
Vouched owner_of(CORBA::Object_ptr object, const DeviceOffer& device, const Vouched& asked_by);

// The same object, at that host alone, whatever addresses the reference has; its ports stay.
CORBA::Object_var at_host(CORBA::Object_ptr object, const std::string& host);

enum class Begin : std::uint8_t { AtOnce, OnConsent };
// `connects`: this end would connect to that address by TCP. Throws FlowFailed, which says what to do.
Begin may_begin(const DeviceOffer& device, const FlowAddress& to, const Vouched& by, bool connects);
// Throws FlowFailed.
void check_group(const DeviceOffer& device, const FlowAddress& group);
// Throws FlowFailed: an entry of DeviceOffer::receivers is none.
void check_receivers(const DeviceOffer& device);

}  // namespace callis::streams
