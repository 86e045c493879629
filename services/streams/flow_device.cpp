// SPDX-License-Identifier: Apache-2.0
// Making flow end points that belong to no stream end point.
#include <services/streams/flow_device.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/full_profile.h>
#include <algorithm>

namespace callis::streams {

FDevServant::FDevServant(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, std::string flow,
                         std::shared_ptr<PartyList> parties)
    : WithProperties(adapter),
      adapter_(adapter),
      device_(std::move(device)),
      flow_(std::move(flow)),
      parties_(std::move(parties)) {
  CORBA::Any name;
  name <<= flow_.c_str();
  own_set().define_own("Flow", name);
}

CORBA::Object_var FDevServant::create(bool producer, AVStreams::FlowConnection_ptr, AVStreams::QoS& qos,
                                      CORBA::Boolean_out met, char*& name) {
  const auto offer =
      std::find_if(device_->flows.begin(), device_->flows.end(), [&](const auto& f) { return f.name == flow_; });
  if (offer->producer != producer) throw AVStreams::notSupported();
  PartRequest request;
  request.party_a = producer;
  request.named_vdev = name;
  request.flows = {flow_};
  try {
    const std::shared_ptr<StreamPart> part = device_->open(request);
    if (!part) throw AVStreams::streamOpDenied("the device takes no part in it");
    const auto party =
        std::make_shared<Party>(adapter_, device_, producer, part, request.flows, AVStreams::StreamCtrl::_nil());
    met = party->at(flow_).modify_qos(qos);
    if (!parties_->add(party)) throw AVStreams::streamOpDenied("the device takes part in as many streams as it may");
    party->on_end = [list = parties_](Party& gone) { list->remove(gone); };
    try {
      return flow_end_point(party, flow_);
    } catch (const CORBA::SystemException&) {
      party->destroy({});
      throw;
    }
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpDenied(e.what());
  }
}

AVStreams::FlowProducer_ptr FDevServant::create_producer(AVStreams::FlowConnection_ptr connection,
                                                         AVStreams::QoS& qos, CORBA::Boolean_out met, char*& name) {
  return AVStreams::FlowProducer::_unchecked_narrow(create(true, connection, qos, met, name).in());
}

AVStreams::FlowConsumer_ptr FDevServant::create_consumer(AVStreams::FlowConnection_ptr connection,
                                                         AVStreams::QoS& qos, CORBA::Boolean_out met, char*& name) {
  return AVStreams::FlowConsumer::_unchecked_narrow(create(false, connection, qos, met, name).in());
}

AVStreams::FlowConnection_ptr FDevServant::bind(AVStreams::FDev_ptr peer, AVStreams::QoS& qos,
                                                CORBA::Boolean_out met) {
  const CORBA::Object_var made = new_flow_connection(adapter_);
  AVStreams::FlowConnection_var connection = AVStreams::FlowConnection::_unchecked_narrow(made.in());
  const AVStreams::FDev_var self = _this();
  try {
    met = connection->connect_devs(self.in(), peer, qos);
  } catch (const AVStreams::streamOpDenied& e) {
    connection->destroy();
    throw AVStreams::streamOpFailed(e.reason.in());
  } catch (...) {
    connection->destroy();
    throw;
  }
  return connection._retn();
}

AVStreams::FlowConnection_ptr FDevServant::bind_mcast(AVStreams::FDev_ptr first, AVStreams::QoS& qos,
                                                      CORBA::Boolean_out met) {
  const CORBA::Object_var made = new_flow_connection(adapter_);
  AVStreams::FlowConnection_var connection = AVStreams::FlowConnection::_unchecked_narrow(made.in());
  CORBA::String_var name = CORBA::string_dup("");
  CORBA::Boolean met_here = true;
  try {
    const AVStreams::FlowProducer_var producer = create_producer(connection.in(), qos, met_here, name.inout());
    bool good = connection->add_producer(producer.in(), qos) && met_here;
    if (!CORBA::is_nil(first)) {
      const AVStreams::FlowConsumer_var consumer =
          first->create_consumer(connection.in(), qos, met_here, name.inout());
      good = connection->add_consumer(consumer.in(), qos) && met_here && good;
    }
    met = good;
  } catch (const AVStreams::streamOpDenied& e) {
    connection->destroy();
    throw AVStreams::streamOpFailed(e.reason.in());
  } catch (const AVStreams::notSupported&) {
    connection->destroy();
    throw AVStreams::streamOpFailed("this flow device does not produce, or the first peer does not consume");
  } catch (const AVStreams::alreadyConnected&) {
    connection->destroy();
    throw AVStreams::streamOpFailed("the peer is connected already");
  }
  return connection._retn();
}

void FDevServant::destroy(AVStreams::FlowEndPoint_ptr end, const char*) {
  for (const auto& party : parties_->all()) {
    CORBA::Object_var its;
    {
      const std::lock_guard lock(party->objects);
      const auto found = party->flow_end_points.find(flow_);
      if (found != party->flow_end_points.end()) its = found->second.reference;
    }
    if (!CORBA::is_nil(its.in()) && !CORBA::is_nil(end) && its->_is_equivalent(end)) return party->destroy({});
  }
  throw AVStreams::notSupported();
}

Active flow_device(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, const std::string& flow,
                   std::shared_ptr<PartyList> parties) {
  return adapter.activate(new FDevServant(adapter, std::move(device), flow, std::move(parties)));
}

}  // namespace callis::streams
