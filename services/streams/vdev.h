// SPDX-License-Identifier: Apache-2.0
// Virtual devices: what a device is to one stream. They agree with each other on formats and carriers. A&V Streams
// 1.0, 2.2.2 (VDev), 2.2.6 (MediaControl).
#pragma once
#include <services/streams/party.h>
#include <services/streams/properties.h>
#include "CallisStreams_skel.h"

namespace callis::streams {

class VDevServant final : public WithProperties<POA_CallisStreams::ControlledVDev> {
 public:
  explicit VDevServant(const std::shared_ptr<Party>& party);

  CORBA::Boolean set_peer(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_ptr peer, AVStreams::streamQoS& qos,
                          const AVStreams::flowSpec& spec) override;
  CORBA::Boolean set_Mcast_peer(AVStreams::StreamCtrl_ptr ctrl, AVStreams::MCastConfigIf_ptr peers,
                                AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) override;
  void configure(const CosPropertyService::Property& message) override;
  void set_format(const char* flow, const char* format) override;
  void set_dev_params(const char* flow, const CosPropertyService::Properties& parameters) override;
  CORBA::Boolean modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) override;

  AVStreams::Position get_media_position(AVStreams::PositionOrigin origin, AVStreams::PositionKey key) override;
  void set_media_position(const AVStreams::Position& position) override;
  void start(const AVStreams::Position& position) override;
  void pause(const AVStreams::Position& position) override;
  void resume(const AVStreams::Position& position) override;
  void stop(const AVStreams::Position& position) override;

 private:
  void agree_with(AVStreams::VDev_ptr peer, const Party::Ends& ends);
  void go(const AVStreams::Position& position, bool play);

  const std::shared_ptr<Party> party_;
};

// The properties of a device and of its virtual devices: Flows, and for each FLOW_dir, FLOW_availableFormats and
// FLOW_availableWays.
void define_flows(properties::Set& own, const std::vector<FlowOffer>& flows);

}  // namespace callis::streams
