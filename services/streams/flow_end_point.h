// SPDX-License-Identifier: Apache-2.0
// Flow end points: FlowProducer and FlowConsumer, one flow of a party each. A&V Streams 1.0, 2.3.3 to 2.3.5.
#pragma once
#include <services/streams/party.h>
#include <services/streams/properties.h>
#include "AVStreams_skel.h"

namespace callis::streams {

struct Vouched;

// What both kinds do.
class FlowPoint {
 public:
  FlowPoint(std::shared_ptr<Party> party, std::shared_ptr<FlowEnd> end, properties::Set& own);

  bool lock();
  void unlock();
  void stop() { end_->stop(); }
  void start() { end_->start(); }
  void destroy();
  AVStreams::StreamEndPoint_ptr related_sep();
  void related_sep(AVStreams::StreamEndPoint_ptr to);
  AVStreams::FlowConnection_ptr related_flow_connection();
  void related_flow_connection(AVStreams::FlowConnection_ptr to);
  AVStreams::FlowEndPoint_ptr connected_fep();
  bool use_flow_protocol(const char* protocol, const CORBA::Any& settings);
  void set_format(const char* format);
  void set_dev_params(const CosPropertyService::Properties& parameters);
  void restrict(const AVStreams::protocolSpec& carriers);
  bool compatible(AVStreams::FlowEndPoint_ptr other);
  bool set_peer(AVStreams::FlowConnection_ptr connection, AVStreams::FlowEndPoint_ptr peer, AVStreams::QoS& qos);
  bool set_mcast_peer(AVStreams::FlowConnection_ptr connection, AVStreams::QoS& qos);
  bool connect_to_peer(AVStreams::QoS& qos, const char* address, const char* protocol);
  char* go_to_listen(AVStreams::QoS& qos, bool is_mcast, AVStreams::FlowEndPoint_ptr peer, char*& protocol);
  char* connect_mcast(AVStreams::QoS& qos, CORBA::Boolean_out met, const char* address, const char* protocol);
  char* rev_channel(const char* carrier);
  void set_source(CORBA::Long id) { end_->set_source(static_cast<std::uint32_t>(id)); }

 private:
  Vouched who_vouches_for(const FlowAddress& address);

  const std::shared_ptr<Party> party_;
  const std::shared_ptr<FlowEnd> end_;
  properties::Set& own_;
  std::mutex mutex_;
  bool locked_ = false;
  AVStreams::StreamEndPoint_var sep_;
  AVStreams::FlowConnection_var connection_;
  AVStreams::FlowEndPoint_var peer_;
  Held sep_held_, connection_held_, peer_held_;
};

// Skeleton: POA_AVStreams::FlowProducer or FlowConsumer.
template<class Skeleton>
class FlowPointServant : public WithProperties<Skeleton> {
 public:
  FlowPointServant(const std::shared_ptr<Party>& party, std::shared_ptr<FlowEnd> end)
      : WithProperties<Skeleton>(party->adapter()), body_(party, std::move(end), this->own_set()) {}

  CORBA::Boolean lock() override { return body_.lock(); }
  void unlock() override { body_.unlock(); }
  void stop() override { body_.stop(); }
  void start() override { body_.start(); }
  void destroy() override { body_.destroy(); }
  AVStreams::StreamEndPoint_ptr related_sep() override { return body_.related_sep(); }
  void related_sep(AVStreams::StreamEndPoint_ptr to) override { body_.related_sep(to); }
  AVStreams::FlowConnection_ptr related_flow_connection() override { return body_.related_flow_connection(); }
  void related_flow_connection(AVStreams::FlowConnection_ptr to) override { body_.related_flow_connection(to); }
  AVStreams::FlowEndPoint_ptr get_connected_fep() override { return body_.connected_fep(); }
  CORBA::Boolean use_flow_protocol(const char* protocol, const CORBA::Any& settings) override {
    return body_.use_flow_protocol(protocol, settings);
  }
  void set_format(const char* format) override { body_.set_format(format); }
  void set_dev_params(const CosPropertyService::Properties& parameters) override { body_.set_dev_params(parameters); }
  void set_protocol_restriction(const AVStreams::protocolSpec& carriers) override { body_.restrict(carriers); }
  CORBA::Boolean is_fep_compatible(AVStreams::FlowEndPoint_ptr other) override { return body_.compatible(other); }
  CORBA::Boolean set_peer(AVStreams::FlowConnection_ptr connection, AVStreams::FlowEndPoint_ptr peer,
                          AVStreams::QoS& qos) override {
    return body_.set_peer(connection, peer, qos);
  }
  CORBA::Boolean set_Mcast_peer(AVStreams::FlowConnection_ptr connection, AVStreams::MCastConfigIf_ptr,
                                AVStreams::QoS& qos) override {
    return body_.set_mcast_peer(connection, qos);
  }
  CORBA::Boolean connect_to_peer(AVStreams::QoS& qos, const char* address, const char* protocol) override {
    return body_.connect_to_peer(qos, address, protocol);
  }
  char* go_to_listen(AVStreams::QoS& qos, CORBA::Boolean is_mcast, AVStreams::FlowEndPoint_ptr peer,
                     char*& protocol) override {
    return body_.go_to_listen(qos, is_mcast, peer, protocol);
  }

 protected:
  FlowPoint body_;
};

class FlowConsumerServant final : public FlowPointServant<POA_AVStreams::FlowConsumer> {
 public:
  using FlowPointServant::FlowPointServant;
};

class FlowProducerServant final : public FlowPointServant<POA_AVStreams::FlowProducer> {
 public:
  using FlowPointServant::FlowPointServant;
  char* connect_mcast(AVStreams::QoS& qos, CORBA::Boolean_out met, const char* address,
                      const char* protocol) override {
    return body_.connect_mcast(qos, met, address, protocol);
  }
  char* get_rev_channel(const char* carrier) override { return body_.rev_channel(carrier); }
  void set_key(const AVStreams::key&) override { throw refused<CORBA::NO_IMPLEMENT>("flows are not encrypted"); }
  void set_source_id(CORBA::Long id) override { body_.set_source(id); }
};

}  // namespace callis::streams
