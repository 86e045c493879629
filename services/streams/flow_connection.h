// SPDX-License-Identifier: Apache-2.0
// Flow connections: a producer and its consumers. A&V Streams 1.0, 2.3.2 (FlowConnection).
#pragma once
#include <services/streams/adapter.h>
#include <services/streams/properties.h>
#include <mutex>
#include <vector>
#include "AVStreams_skel.h"

namespace callis::streams {

class FlowConnectionServant final : public WithProperties<POA_AVStreams::FlowConnection> {
 public:
  explicit FlowConnectionServant(const Adapter& adapter) : WithProperties(adapter), adapter_(adapter) {}
  // Ends that are connected already.
  void adopt(AVStreams::FlowEndPoint_ptr end, bool producer);
  Active self;

  void stop() override;
  void start() override;
  void destroy() override;
  CORBA::Boolean modify_QoS(AVStreams::QoS& qos) override;
  CORBA::Boolean use_flow_protocol(const char* protocol, const CORBA::Any& settings) override;
  void push_event(const AVStreams::streamEvent&) override {}
  CORBA::Boolean connect_devs(AVStreams::FDev_ptr a, AVStreams::FDev_ptr b, AVStreams::QoS& qos) override;
  CORBA::Boolean connect(AVStreams::FlowProducer_ptr producer, AVStreams::FlowConsumer_ptr consumer,
                         AVStreams::QoS& qos) override;
  CORBA::Boolean disconnect() override;
  CORBA::Boolean add_producer(AVStreams::FlowProducer_ptr producer, AVStreams::QoS& qos) override;
  CORBA::Boolean add_consumer(AVStreams::FlowConsumer_ptr consumer, AVStreams::QoS& qos) override;
  CORBA::Boolean drop(AVStreams::FlowEndPoint_ptr target) override;

 private:
  static constexpr std::size_t kMostConsumers = 256;
  std::vector<AVStreams::FlowEndPoint_var> ends() const;  // consumers first

  const Adapter& adapter_;
  mutable std::mutex mutex_;
  struct End {
    AVStreams::FlowEndPoint_var object;
    Held held;
  };
  End producer_;
  std::vector<End> consumers_;
  std::string group_;  // multicast: where the producer sends to
  std::string protocol_;
};

}  // namespace callis::streams
