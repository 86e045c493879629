// SPDX-License-Identifier: Apache-2.0
#include <services/streams/mcast_config.h>

namespace callis::streams {
namespace {

CORBA::IMP_LIMIT too_much() {
  return refused<CORBA::IMP_LIMIT>("members of a stream are told of 256 settings at most, each kind");
}

// A member that has gone does not keep the others from being told.
template<class Peers, class Tell>
void tell_all(const Peers& peers, Tell&& tell) {
  for (const auto& peer : peers) {
    try {
      tell(peer.in());
    } catch (const CORBA::SystemException&) {}
  }
}

}  // namespace

std::vector<AVStreams::VDev_var> MCastConfigServant::peers() const {
  const std::lock_guard lock(mutex_);
  return peers_;
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
    initial = initial_;
  }
  const AVStreams::MCastConfigIf_var self = _this();
  try {
    const bool met = vdev->set_Mcast_peer(ctrl_.in(), self.in(), qos, spec);
    for (const auto& [flow, format] : formats) vdev->set_format(flow.c_str(), format.c_str());
    for (const auto& [flow, params] : parameters) vdev->set_dev_params(flow.c_str(), params);
    for (CORBA::ULong i = 0; i < initial.length(); ++i) vdev->configure(initial[i]);
    const std::lock_guard lock(mutex_);
    peers_.push_back(vdev);
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
  const std::lock_guard lock(mutex_);
  initial_ = initial;
}

void MCastConfigServant::set_format(const char* flow, const char* format) {
  {
    const std::lock_guard lock(mutex_);
    if (formats_.size() >= kMostSettings && !formats_.count(flow)) throw too_much();
    formats_[flow] = format;
  }
  tell_all(peers(), [&](AVStreams::VDev_ptr peer) { peer->set_format(flow, format); });
}

void MCastConfigServant::set_dev_params(const char* flow, const CosPropertyService::Properties& parameters) {
  if (parameters.length() > kMostSettings) throw too_much();
  {
    const std::lock_guard lock(mutex_);
    if (parameters_.size() >= kMostSettings && !parameters_.count(flow)) throw too_much();
    parameters_[flow] = parameters;
  }
  tell_all(peers(), [&](AVStreams::VDev_ptr peer) { peer->set_dev_params(flow, parameters); });
}

}  // namespace callis::streams
