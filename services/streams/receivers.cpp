// SPDX-License-Identifier: Apache-2.0
// Who vouches for an address, by connections, references and what the application lists.
#include <callis/ior/iiop_profile.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/object_of.h>
#include <callis/transport/tcp/reach.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/receivers.h>
#include <algorithm>

namespace callis::streams {

namespace {

using transport::Peer;
using transport::Reach;

constexpr const char* kAny = "any";
constexpr std::string_view kOfThisSite = "239.255.0.0/16";

// As callis::Caller looks for it.
const Peer* peer_of_request() {
  for (const orb::Upcall* u = orb::Upcall::innermost(); u; u = u->outer())
    if (const Peer* const peer = u->client()) return peer;
  return nullptr;
}

// Figures as SocketAddress has them; empty: it is a name.
std::string in_figures(const std::string& host) {
  try {
    return SocketAddress(host, 0).host();
  } catch (const FlowFailed&) {
    return {};
  }
}

bool lists(const DeviceOffer& device, const std::string& host) {
  return std::any_of(device.receivers.begin(), device.receivers.end(), [&](const std::string& each) {
    return each == kAny || transport::in_network(host, each);
  });
}

constexpr const char* kHowToList = " (DeviceOffer::receivers lists addresses that flows may go to)";

}  // namespace

Vouched caller_of(const DeviceOffer& device) {
  const Peer* const peer = peer_of_request();
  if (!peer || peer->kind == Peer::Kind::Memory) return {true, {}, {}, Reach::Process};
  if (peer->kind == Peer::Kind::Local) return {false, in_figures(device.host), {}, Reach::Process};
  return {false, in_figures(peer->host), {}, peer->here ? std::min(peer->reach, Reach::Machine) : peer->reach};
}

Vouched owner_of(CORBA::Object_ptr object, const DeviceOffer& device, const Vouched& asked_by) {
  Vouched out{false, {}, CORBA::Object::_duplicate(object), asked_by.reach};
  bool network = false, several = false;
  for (const ior::TaggedProfile& profile : orb::reference_of(object).ior().profiles) {
    if (profile.tag != ior::kInternetProfile) continue;
    network = true;
    const auto body = ior::parse_iiop(profile.data);
    if (!body) continue;
    for (const ior::Address& at : ior::addresses(body.value())) {
      const std::string host = in_figures(at.host);
      several |= host.empty() || (!out.host.empty() && out.host != host);
      out.host = host;
    }
  }
  if (several) out.host.clear();
  if (!network) out.host = in_figures(device.host);  // over a socket of this machine, or of this process
  return out;
}

CORBA::Object_var at_host(CORBA::Object_ptr object, const std::string& host) {
  orb::Reference& reference = orb::reference_of(object);
  ior::Ior there;
  there.type_id = reference.ior().type_id;
  for (const ior::TaggedProfile& profile : reference.ior().profiles) {
    if (profile.tag != ior::kInternetProfile) continue;
    if (const auto body = ior::parse_iiop(profile.data))
      there.profiles.push_back(ior::to_profile(body.value().version, {host, body.value().address.port},
                                               body.value().object_key, {}));
  }
  const auto made =
      orb::ReferencePtr::adopt(new orb::Reference(reference.orb(), std::move(there), {}, reference.from()));
  return orb::make_object(*made);
}

namespace {

bool answers_at(CORBA::Object_ptr object, const std::string& host) {
  try {
    return !CORBA::is_nil(object) && !at_host(object, host)->_non_existent();
  } catch (const CORBA::Exception&) {  // nobody is there, or somebody else
    return false;
  }
}

}  // namespace

Begin may_begin(const DeviceOffer& device, const FlowAddress& to, const Vouched& by, bool connects) {
  const SocketAddress at = to.data();
  if (at.multicast()) throw FlowFailed("the address " + to.text() + " is a group: it takes multiconnect()");
  if (at.wildcard()) throw FlowFailed("the address " + to.text() + " is nobody's");
  const std::string host = at.host();
  if (by.for_all || (!by.host.empty() && by.host == host) || lists(device, host)) return Begin::AtOnce;
  if (transport::reach_of(host) < by.reach)
    throw FlowFailed("the address " + to.text() + " is nearer to this host than who asks for it" + kHowToList);
  if (connects && answers_at(by.object.in(), host)) return Begin::AtOnce;
  if (connects)
    throw FlowFailed("nobody at " + host + " has asked for the flow, and this end would connect to it by TCP" +
                     kHowToList);
  return Begin::OnConsent;
}

void check_group(const DeviceOffer& device, const FlowAddress& group) {
  const std::string host = group.data().host();
  if (host == device.multicast_host || transport::in_network(host, kOfThisSite) || lists(device, host)) return;
  throw FlowFailed("the group " + host + " is none of 239.255.0.0/16, nor the device's own" + kHowToList);
}

void check_receivers(const DeviceOffer& device) {
  for (const std::string& each : device.receivers)
    if (each != kAny && !transport::is_network(each))
      throw FlowFailed("the receiver \"" + each + "\" of a device is no address, no network, and not \"any\"");
}

}  // namespace callis::streams
