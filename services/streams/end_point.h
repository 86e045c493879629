// SPDX-License-Identifier: Apache-2.0
// Stream end points: they connect flows, start and stop them. A&V Streams 1.0, 2.2.4 (StreamEndPoint, _A and _B).
#pragma once
#include <services/streams/party.h>
#include <services/streams/properties.h>
#include "AVStreams_skel.h"

namespace callis::streams {

// What both kinds do.
class EndPoint {
 public:
  EndPoint(std::shared_ptr<Party> party, properties::Set& own);

  void stop(const AVStreams::flowSpec& spec);
  void start(const AVStreams::flowSpec& spec);
  void destroy(const AVStreams::flowSpec& spec);
  bool connect(AVStreams::StreamEndPoint_ptr self, AVStreams::StreamEndPoint_ptr responder, AVStreams::streamQoS& qos,
               const AVStreams::flowSpec& spec);
  bool request_connection(bool is_mcast, AVStreams::streamQoS& qos, AVStreams::flowSpec& spec);
  bool modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec);
  bool set_protocol_restriction(const AVStreams::protocolSpec& carriers);
  void disconnect(const AVStreams::flowSpec& spec);
  void set_FPStatus(const AVStreams::flowSpec& spec, const char* protocol, const CORBA::Any& settings);
  CORBA::Object_ptr get_fep(const char* flow);
  void set_negotiator(AVStreams::Negotiator_ptr negotiator);
  void set_source_id(CORBA::Long id);
  // The A party begins; B parties join.
  bool multiconnect_a(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec);
  bool multiconnect_b(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec);

 private:
  void show(const Party::Ends& ends);  // their states, as properties
  bool multiconnect(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec,
                    const std::function<void(FlowEnd&, const FlowEntry&)>& connect);
  bool agree_qos(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec);

  const std::shared_ptr<Party> party_;
  properties::Set& own_;
  std::mutex negotiator_mutex_;
  AVStreams::Negotiator_var negotiator_;
  Held negotiator_held_;
};

// Skeleton: POA_AVStreams::StreamEndPoint_A or _B.
template<class Skeleton>
class EndPointServant : public WithProperties<Skeleton> {
 public:
  explicit EndPointServant(const std::shared_ptr<Party>& party)
      : WithProperties<Skeleton>(party->adapter()), body_(party, this->own_set()) {}

  void stop(const AVStreams::flowSpec& spec) override { body_.stop(spec); }
  void start(const AVStreams::flowSpec& spec) override { body_.start(spec); }
  void destroy(const AVStreams::flowSpec& spec) override { body_.destroy(spec); }
  CORBA::Boolean connect(AVStreams::StreamEndPoint_ptr responder, AVStreams::streamQoS& qos,
                         const AVStreams::flowSpec& spec) override {
    const AVStreams::StreamEndPoint_var self = this->_this();
    return body_.connect(self.in(), responder, qos, spec);
  }
  CORBA::Boolean request_connection(AVStreams::StreamEndPoint_ptr, CORBA::Boolean is_mcast, AVStreams::streamQoS& qos,
                                    AVStreams::flowSpec& spec) override {
    return body_.request_connection(is_mcast, qos, spec);
  }
  CORBA::Boolean modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) override {
    return body_.modify_QoS(qos, spec);
  }
  CORBA::Boolean set_protocol_restriction(const AVStreams::protocolSpec& carriers) override {
    return body_.set_protocol_restriction(carriers);
  }
  void disconnect(const AVStreams::flowSpec& spec) override { body_.disconnect(spec); }
  void set_FPStatus(const AVStreams::flowSpec& spec, const char* protocol, const CORBA::Any& settings) override {
    body_.set_FPStatus(spec, protocol, settings);
  }
  CORBA::Object_ptr get_fep(const char* flow) override { return body_.get_fep(flow); }
  // The ends of this device's flows are its own, so none is added or taken away.
  char* add_fep(CORBA::Object_ptr) override { throw AVStreams::notSupported(); }
  void remove_fep(const char*) override { throw AVStreams::notSupported(); }
  void set_negotiator(AVStreams::Negotiator_ptr negotiator) override { body_.set_negotiator(negotiator); }
  void set_key(const char*, const AVStreams::key&) override {
    throw refused<CORBA::NO_IMPLEMENT>("flows are not encrypted");
  }
  void set_source_id(CORBA::Long id) override { body_.set_source_id(id); }

 protected:
  EndPoint body_;
};

class EndPointA final : public EndPointServant<POA_AVStreams::StreamEndPoint_A> {
 public:
  using EndPointServant::EndPointServant;
  CORBA::Boolean multiconnect(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec) override {
    return body_.multiconnect_a(qos, spec);
  }
  // Leaves are for carriers that know them, as ATM; members of IP multicast join by StreamEndPoint_B::multiconnect().
  CORBA::Boolean connect_leaf(AVStreams::StreamEndPoint_B_ptr, AVStreams::streamQoS&,
                              const AVStreams::flowSpec&) override {
    throw AVStreams::notSupported();
  }
  void disconnect_leaf(AVStreams::StreamEndPoint_B_ptr, const AVStreams::flowSpec&) override {
    throw AVStreams::notSupported();
  }
};

class EndPointB final : public EndPointServant<POA_AVStreams::StreamEndPoint_B> {
 public:
  using EndPointServant::EndPointServant;
  CORBA::Boolean multiconnect(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec) override {
    return body_.multiconnect_b(qos, spec);
  }
};

}  // namespace callis::streams
