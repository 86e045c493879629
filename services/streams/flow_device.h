// SPDX-License-Identifier: Apache-2.0
// Flow devices: factories of flow end points. A&V Streams 1.0, 2.3.1 (FDev).
#pragma once
#include <services/streams/mm_device.h>

namespace callis::streams {

class FDevServant final : public WithProperties<POA_AVStreams::FDev> {
 public:
  FDevServant(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, std::string flow,
              std::shared_ptr<PartyList> parties);

  AVStreams::FlowProducer_ptr create_producer(AVStreams::FlowConnection_ptr connection, AVStreams::QoS& qos,
                                              CORBA::Boolean_out met, char*& name) override;
  AVStreams::FlowConsumer_ptr create_consumer(AVStreams::FlowConnection_ptr connection, AVStreams::QoS& qos,
                                              CORBA::Boolean_out met, char*& name) override;
  AVStreams::FlowConnection_ptr bind(AVStreams::FDev_ptr peer, AVStreams::QoS& qos, CORBA::Boolean_out met) override;
  AVStreams::FlowConnection_ptr bind_mcast(AVStreams::FDev_ptr first, AVStreams::QoS& qos,
                                           CORBA::Boolean_out met) override;
  void destroy(AVStreams::FlowEndPoint_ptr end, const char* name) override;

 private:
  CORBA::Object_var create(bool producer, AVStreams::FlowConnection_ptr connection, AVStreams::QoS& qos,
                           CORBA::Boolean_out met, char*& name);

  const Adapter& adapter_;
  const std::shared_ptr<const DeviceOffer> device_;
  const std::string flow_;
  const std::shared_ptr<PartyList> parties_;
};

}  // namespace callis::streams
