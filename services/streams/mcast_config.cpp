// SPDX-License-Identifier: Apache-2.0
// What a source sets for all members: kept for those that come later, and told to those that are there.
#include <services/properties/value_bytes.h>
#include <services/streams/mcast_config.h>
#include <cstring>

namespace callis::streams {
namespace {

CORBA::IMP_LIMIT too_much() {
  return refused<CORBA::IMP_LIMIT>("members of a stream are told of 256 settings at most, each kind");
}

std::size_t cost_of(const CosPropertyService::Properties& all) {
  std::size_t out = services::MemoryBound::kOverhead;
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    out += services::MemoryBound::kOverhead + std::strlen(all[i].property_name) +
           2 * properties::size_of(all[i].property_value);
  return out;
}

// A member that has gone does not keep the others from being told.
template<class Peers, class Tell>
void tell_all(const Peers& peers, Tell&& tell) {
  const services::OperationTime time(kOperationTime);
  for (const auto& peer : peers) {
    if (time.over()) return;
    try {
      tell(peer.in());
    } catch (const CORBA::SystemException&) {}
  }
}

}  // namespace

std::vector<AVStreams::VDev_var> MCastConfigServant::peers() const {
  std::vector<AVStreams::VDev_var> out;
  const std::lock_guard lock(mutex_);
  for (const Peer& each : peers_) out.push_back(each.vdev);
  return out;
}

CORBA::Boolean MCastConfigServant::set_peer(CORBA::Object_ptr peer, AVStreams::streamQoS& qos,
                                            const AVStreams::flowSpec& spec) {
  const AVStreams::VDev_var vdev = AVStreams::VDev::_narrow(peer);
  if (CORBA::is_nil(vdev.in())) throw AVStreams::streamOpFailed("the peer is no virtual device");
  decltype(formats_) formats;
  decltype(parameters_) parameters;
  CosPropertyService::Properties initial;
  {
    const std::lock_guard lock(mutex_);
    if (peers_.size() >= kMostPeers) throw AVStreams::streamOpFailed("there are as many members as may be");
    formats = formats_;
    parameters = parameters_;
    initial = initial_.value;
  }
  const Held held = adapter_.hold_for(vdev.in());
  const AVStreams::MCastConfigIf_var self = _this();
  try {
    const bool met = vdev->set_Mcast_peer(ctrl_.in(), self.in(), qos, spec);
    for (const auto& [flow, format] : formats) vdev->set_format(flow.c_str(), format.value.c_str());
    for (const auto& [flow, params] : parameters) vdev->set_dev_params(flow.c_str(), params.value);
    for (CORBA::ULong i = 0; i < initial.length(); ++i) vdev->configure(initial[i]);
    const std::lock_guard lock(mutex_);
    peers_.push_back({vdev, held});
    return met;
  } catch (const AVStreams::noSuchFlow&) {
    throw AVStreams::streamOpFailed("the member has no such flow");
  } catch (const AVStreams::notSupported&) {
    throw AVStreams::streamOpFailed("the member has not the format of the source");
  } catch (const AVStreams::PropertyException&) {
    throw AVStreams::streamOpFailed("the member does not take the configuration");
  }
}

void MCastConfigServant::configure(const CosPropertyService::Property& message) {
  tell_all(peers(), [&](AVStreams::VDev_ptr peer) { peer->configure(message); });
}

void MCastConfigServant::set_initial_configuration(const CosPropertyService::Properties& initial) {
  if (initial.length() > kMostSettings) throw too_much();
  const Held held = adapter_.hold(cost_of(initial));
  const std::lock_guard lock(mutex_);
  initial_ = {initial, held};
}

void MCastConfigServant::set_format(const char* flow, const char* format) {
  {
    const Held held =
        adapter_.hold(services::MemoryBound::kOverhead + std::strlen(flow) + 2 * std::strlen(format));
    const std::lock_guard lock(mutex_);
    if (formats_.size() >= kMostSettings && !formats_.count(flow)) throw too_much();
    formats_[flow] = {format, held};
  }
  tell_all(peers(), [&](AVStreams::VDev_ptr peer) { peer->set_format(flow, format); });
}

void MCastConfigServant::set_dev_params(const char* flow, const CosPropertyService::Properties& parameters) {
  if (parameters.length() > kMostSettings) throw too_much();
  {
    const Held held = adapter_.hold(cost_of(parameters) + std::strlen(flow));
    const std::lock_guard lock(mutex_);
    if (parameters_.size() >= kMostSettings && !parameters_.count(flow)) throw too_much();
    parameters_[flow] = {parameters, held};
  }
  tell_all(peers(), [&](AVStreams::VDev_ptr peer) { peer->set_dev_params(flow, parameters); });
}

}  // namespace callis::streams
