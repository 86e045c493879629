// SPDX-License-Identifier: Apache-2.0
// Connecting flow end points: point to point, and one producer with many consumers over multicast.
#include <services/streams/flow_connection.h>
#include <services/streams/full_profile.h>
#include <algorithm>

namespace callis::streams {

void FlowConnectionServant::adopt(AVStreams::FlowEndPoint_ptr end, bool producer) {
  const End kept{AVStreams::FlowEndPoint::_duplicate(end), adapter_.hold_for(end)};
  const std::lock_guard lock(mutex_);
  if (producer) {
    producer_ = kept;
  } else {
    consumers_.push_back(kept);
  }
}

std::vector<AVStreams::FlowEndPoint_var> FlowConnectionServant::ends() const {
  const std::lock_guard lock(mutex_);
  std::vector<AVStreams::FlowEndPoint_var> out;
  for (const End& each : consumers_) out.push_back(each.object);
  if (!CORBA::is_nil(producer_.object.in())) out.push_back(producer_.object);
  return out;
}

void FlowConnectionServant::stop() {
  auto all = ends();
  std::reverse(all.begin(), all.end());
  for (const auto& end : all) end->stop();
}

void FlowConnectionServant::start() {
  for (const auto& end : ends()) end->start();
}

void FlowConnectionServant::destroy() {
  disconnect();
  adapter_.end(self);
}

CORBA::Boolean FlowConnectionServant::modify_QoS(AVStreams::QoS& qos) {
  bool met = true;
  const AVStreams::FlowConnection_var own = _this();
  const auto all = ends();
  for (const auto& end : all) {
    try {
      if (!end->set_Mcast_peer(own.in(), AVStreams::MCastConfigIf::_nil(), qos)) met = false;
    } catch (const CORBA::SystemException& e) {
      throw AVStreams::QoSRequestFailed(("an end does not answer: " + words_of(e)).c_str());
    }
  }
  return met;
}

CORBA::Boolean FlowConnectionServant::use_flow_protocol(const char* protocol, const CORBA::Any& settings) {
  for (const auto& end : ends()) {
    if (!end->use_flow_protocol(protocol, settings)) return false;
  }
  const std::lock_guard lock(mutex_);
  protocol_ = protocol;
  return true;
}

CORBA::Boolean FlowConnectionServant::connect_devs(AVStreams::FDev_ptr a, AVStreams::FDev_ptr b,
                                                   AVStreams::QoS& qos) {
  if (CORBA::is_nil(a) || CORBA::is_nil(b)) throw AVStreams::streamOpFailed("a flow device is nil");
  const AVStreams::FlowConnection_var own = _this();
  CORBA::Boolean met_a = true, met_b = true;
  CORBA::String_var name = CORBA::string_dup("");
  AVStreams::FlowProducer_var producer;
  AVStreams::FlowConsumer_var consumer;
  try {
    // The one that produces is found out by asking.
    AVStreams::FDev_ptr other = b;
    try {
      producer = a->create_producer(own.in(), qos, met_a, name.inout());
    } catch (const AVStreams::notSupported&) {
      producer = b->create_producer(own.in(), qos, met_a, name.inout());
      other = a;
    }
    consumer = other->create_consumer(own.in(), qos, met_b, name.inout());
    return connect(producer.in(), consumer.in(), qos) && met_a && met_b;
  } catch (const AVStreams::notSupported&) {
    if (!CORBA::is_nil(producer.in())) producer->destroy();
    throw AVStreams::streamOpFailed("of two flow devices one has to produce, and the other to consume");
  } catch (const AVStreams::formatMismatch&) {
    producer->destroy();
    consumer->destroy();
    throw AVStreams::streamOpFailed("the flow devices have no format in common");
  } catch (const AVStreams::FEPMismatch&) {
    producer->destroy();
    consumer->destroy();
    throw AVStreams::streamOpFailed("the ends of the flow cannot be connected");
  } catch (const AVStreams::alreadyConnected&) {
    producer->destroy();
    consumer->destroy();
    throw AVStreams::streamOpFailed("the connection has its ends already");
  }
}

CORBA::Boolean FlowConnectionServant::connect(AVStreams::FlowProducer_ptr producer,
                                              AVStreams::FlowConsumer_ptr consumer, AVStreams::QoS& qos) {
  if (CORBA::is_nil(producer) || CORBA::is_nil(consumer)) throw AVStreams::FEPMismatch();
  std::string wanted;
  {
    const std::lock_guard lock(mutex_);
    if (!CORBA::is_nil(producer_.object.in()) || !consumers_.empty()) throw AVStreams::alreadyConnected();
    wanted = protocol_;
  }
  bool met = true;
  try {
    const AVStreams::FlowConnection_var own = _this();
    if (!producer->is_fep_compatible(consumer)) throw AVStreams::FEPMismatch();
    if (!producer->set_peer(own.in(), consumer, qos)) met = false;
    if (!consumer->set_peer(own.in(), producer, qos)) met = false;
    CORBA::String_var protocol = CORBA::string_dup(wanted.c_str());
    const CORBA::String_var address = consumer->go_to_listen(qos, false, producer, protocol.inout());
    if (!producer->connect_to_peer(qos, address.in(), protocol.in())) met = false;
  } catch (const AVStreams::formatMismatch&) {
    throw;
  } catch (const CORBA::UserException&) {  // of the many that the ends may raise this operation has one
    throw AVStreams::FEPMismatch();
  }
  adopt(consumer, false);
  adopt(producer, true);
  return met;
}

CORBA::Boolean FlowConnectionServant::disconnect() {
  std::vector<AVStreams::FlowEndPoint_var> all = ends();
  {
    const std::lock_guard lock(mutex_);
    producer_ = {};
    consumers_.clear();
    group_.clear();
  }
  std::reverse(all.begin(), all.end());
  bool good = true;
  const services::OperationTime time(kOperationTime);
  for (const auto& end : all) {
    if (time.over()) return false;
    try {
      end->destroy();
    } catch (const CORBA::SystemException&) {  // it has gone
      good = false;
    }
  }
  return good;
}

// One producer; what it sends goes to a group.
CORBA::Boolean FlowConnectionServant::add_producer(AVStreams::FlowProducer_ptr producer, AVStreams::QoS& qos) {
  if (CORBA::is_nil(producer)) throw AVStreams::notSupported();
  {
    const std::lock_guard lock(mutex_);
    if (!CORBA::is_nil(producer_.object.in())) {
      if (producer_.object->_is_equivalent(producer)) throw AVStreams::alreadyConnected();
      throw AVStreams::notSupported();
    }
  }
  const Held held = adapter_.hold_for(producer);
  CORBA::Boolean met = true;
  CORBA::String_var group;
  try {
    group = producer->connect_mcast(qos, met, "", "");
  } catch (const CORBA::UserException&) {
    throw AVStreams::notSupported();
  }
  const std::lock_guard lock(mutex_);
  producer_ = {AVStreams::FlowEndPoint::_duplicate(producer), held};
  group_ = group.in();
  return met;
}

CORBA::Boolean FlowConnectionServant::add_consumer(AVStreams::FlowConsumer_ptr consumer, AVStreams::QoS& qos) {
  std::string group;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : consumers_) {
      if (each.object->_is_equivalent(consumer)) throw AVStreams::alreadyConnected();
    }
    group = group_;
    if (consumers_.size() >= kMostConsumers) {
      throw refused<CORBA::IMP_LIMIT>("a flow connection has 256 consumers at most");
    }
  }
  if (CORBA::is_nil(consumer) || group.empty()) return false;  // there is no producer for it yet
  const AVStreams::FlowConnection_var own = _this();
  bool met = true;
  try {
    if (!consumer->set_Mcast_peer(own.in(), AVStreams::MCastConfigIf::_nil(), qos)) met = false;
    if (!consumer->connect_to_peer(qos, group.c_str(), "")) met = false;
  } catch (const CORBA::UserException&) {
    return false;
  }
  adopt(consumer, false);
  return met;
}

CORBA::Boolean FlowConnectionServant::drop(AVStreams::FlowEndPoint_ptr target) {
  AVStreams::FlowEndPoint_var found;
  {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(consumers_.begin(), consumers_.end(),
                                 [&](const auto& each) { return each.object->_is_equivalent(target); });
    if (at == consumers_.end()) throw AVStreams::notConnected();
    found = at->object;
    consumers_.erase(at);
  }
  found->destroy();
  return true;
}

CORBA::Object_ptr new_flow_connection(const Adapter& adapter) {
  auto* const servant = new FlowConnectionServant(adapter);
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  servant->_add_ref();
  servant->self = adapter.activate(servant);
  return CORBA::Object::_duplicate(servant->self.reference.in());
}

CORBA::Object_ptr flow_connection_of(const Adapter& adapter, const std::vector<CORBA::Object_var>& ends) {
  auto* const servant = new FlowConnectionServant(adapter);
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  servant->_add_ref();
  servant->self = adapter.activate(servant);
  const AVStreams::FlowConnection_var own =
      AVStreams::FlowConnection::_unchecked_narrow(servant->self.reference.in());
  for (const auto& end : ends) {
    const AVStreams::FlowProducer_var producer = AVStreams::FlowProducer::_narrow(end.in());
    const AVStreams::FlowEndPoint_var point = AVStreams::FlowEndPoint::_unchecked_narrow(end.in());
    servant->adopt(point.in(), !CORBA::is_nil(producer.in()));
    point->related_flow_connection(own.in());
  }
  return CORBA::Object::_duplicate(servant->self.reference.in());
}

}  // namespace callis::streams
