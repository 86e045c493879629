// SPDX-License-Identifier: Apache-2.0
// One flow as an object: what FlowProducer and FlowConsumer do with their flow end.
#include <callis/transport/tcp/reach.h>
#include <services/streams/flow_end_point.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/full_profile.h>
#include <services/streams/receivers.h>

namespace callis::streams {
namespace {

CORBA::Any names_any(const std::vector<std::string>& names) {
  AVStreams::protocolSpec all;
  all.length(static_cast<CORBA::ULong>(names.size()));
  for (CORBA::ULong i = 0; i < all.length(); ++i) all[i] = names[i].c_str();
  CORBA::Any out;
  out <<= all;
  return out;
}

// The property of `object` with that name; empty where it has none.
CORBA::Any property_of(AVStreams::FlowEndPoint_ptr object, const char* name) {
  try {
    const CORBA::Any_var value = object->get_property_value(name);
    return value.in();
  } catch (const CosPropertyService::PropertyNotFound&) {
    return {};
  }
}

}  // namespace

FlowPoint::FlowPoint(std::shared_ptr<Party> party, std::shared_ptr<FlowEnd> end, properties::Set& own)
    : party_(std::move(party)), end_(std::move(end)), own_(own) {
  const FlowOffer& offer = end_->offer();
  CORBA::Any name;
  name <<= offer.name.c_str();
  own_.define_own("FlowName", name);
  own_.define_own("AvailableFormats", names_any(offer.formats));
  std::vector<std::string> ways;
  for (const Way& way : offer.ways) ways.push_back(way.text());
  if (ways.empty()) ways.push_back(Way{}.text());
  own_.define_own("AvailableWays", names_any(ways));
  CORBA::Any format;
  format <<= end_->format().c_str();
  own_.define_own("Format", format);
}

bool FlowPoint::lock() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(locked_, true);
}

void FlowPoint::unlock() {
  const std::lock_guard lock(mutex_);
  locked_ = false;
}

void FlowPoint::destroy() {
  AVStreams::flowSpec own;
  own.length(1);
  own[0] = end_->name().c_str();
  party_->destroy(own);
}

AVStreams::StreamEndPoint_ptr FlowPoint::related_sep() {
  const std::lock_guard lock(mutex_);
  if (!CORBA::is_nil(sep_.in())) return AVStreams::StreamEndPoint::_duplicate(sep_.in());
  return AVStreams::StreamEndPoint::_unchecked_narrow(party_->end_point.reference.in());
}

void FlowPoint::related_sep(AVStreams::StreamEndPoint_ptr to) {
  const Held held = party_->adapter().hold_for(to);
  const std::lock_guard lock(mutex_);
  sep_held_ = held;
  sep_ = AVStreams::StreamEndPoint::_duplicate(to);
}

AVStreams::FlowConnection_ptr FlowPoint::related_flow_connection() {
  const std::lock_guard lock(mutex_);
  return AVStreams::FlowConnection::_duplicate(connection_.in());
}

void FlowPoint::related_flow_connection(AVStreams::FlowConnection_ptr to) {
  const Held held = party_->adapter().hold_for(to);
  const std::lock_guard lock(mutex_);
  connection_held_ = held;
  connection_ = AVStreams::FlowConnection::_duplicate(to);
}

AVStreams::FlowEndPoint_ptr FlowPoint::connected_fep() {
  const std::lock_guard lock(mutex_);
  if (CORBA::is_nil(peer_.in())) throw AVStreams::notConnected();
  return AVStreams::FlowEndPoint::_duplicate(peer_.in());
}

bool FlowPoint::use_flow_protocol(const char* protocol, const CORBA::Any& settings) {
  try {
    Way way = end_->way();
    way.protocol = parse_flow_protocol(protocol);
    if (!end_->in_use()) end_->set_way(way);
    const CORBA::TypeCode_var type = settings.type();
    if (type->kind() != CORBA::tk_null && way.protocol.kind == FlowProtocol::Kind::Sfp) {
      end_->set_fp_status("SFP1.0", settings);
    }
    return true;
  } catch (const FlowFailed&) {
    throw AVStreams::FPError(end_->name().c_str());
  }
}

void FlowPoint::set_format(const char* format) {
  try {
    end_->set_format(format);
  } catch (const FlowFailed&) {
    throw AVStreams::notSupported();
  }
  CORBA::Any now;
  now <<= format;
  own_.define_own("Format", now);
}

void FlowPoint::set_dev_params(const CosPropertyService::Properties& parameters) {
  if (parameters.length() > kPropertyBounds.properties) throw AVStreams::PropertyException();
  try {
    end_->set_parameters(parameters);
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  }
}

void FlowPoint::restrict(const AVStreams::protocolSpec& carriers) {
  try {
    end_->restrict(carriers);
  } catch (const FlowFailed&) {
    throw AVStreams::notSupported();
  }
}

bool FlowPoint::compatible(AVStreams::FlowEndPoint_ptr other) {
  if (CORBA::is_nil(other)) return false;
  const auto theirs = property_of(other, "AvailableFormats");
  const AVStreams::protocolSpec* formats = nullptr;
  if (!(theirs >>= formats) || formats->length() == 0 || end_->offer().formats.empty()) return true;
  for (const std::string& own : end_->offer().formats) {
    for (CORBA::ULong i = 0; i < formats->length(); ++i) {
      if (own == (*formats)[i]) return true;
    }
  }
  throw AVStreams::formatMismatch();
}

bool FlowPoint::set_peer(AVStreams::FlowConnection_ptr connection, AVStreams::FlowEndPoint_ptr peer,
                         AVStreams::QoS& qos) {
  bool met = true;
  try {
    met = end_->modify_qos(qos);
    // A consumer takes what the producer has: of its formats, and of its ways.
    if (!end_->producer() && !CORBA::is_nil(peer)) {
      const CORBA::Any format = property_of(peer, "Format"), ways = property_of(peer, "AvailableWays");
      const char* text = nullptr;
      if ((format >>= text) && *text) end_->set_format(text);
      const AVStreams::protocolSpec* all = nullptr;
      if (ways >>= all) {
        for (CORBA::ULong i = 0; i < all->length(); ++i) {
          const Way way = parse_way((*all)[i]);
          if (!end_->allows(way)) continue;
          end_->set_way(way);
          break;
        }
      }
    }
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  }
  const Held held = party_->adapter().hold_for(connection), peer_held = party_->adapter().hold_for(peer);
  const std::lock_guard lock(mutex_);
  connection_held_ = held;
  peer_held_ = peer_held;
  connection_ = AVStreams::FlowConnection::_duplicate(connection);
  peer_ = AVStreams::FlowEndPoint::_duplicate(peer);
  return met;
}

bool FlowPoint::set_mcast_peer(AVStreams::FlowConnection_ptr connection, AVStreams::QoS& qos) {
  const bool met = end_->modify_qos(qos);
  const Held held = party_->adapter().hold_for(connection);
  const std::lock_guard lock(mutex_);
  connection_held_ = held;
  connection_ = AVStreams::FlowConnection::_duplicate(connection);
  return met;
}

// Who calls is the flow connection, which may be anywhere. The consumer that it has named before is asked, at that
// address, whether it expects this producer; over UDP its flow is asked anyway.
Vouched FlowPoint::who_vouches_for(const FlowAddress& address) {
  Vouched caller = caller_of(party_->device());
  if (address.empty() || address.carrier != Carrier::Tcp || caller.for_all || caller.host == address.data().host() ||
      transport::reach_of(address.data().host()) < caller.reach)
    return caller;
  AVStreams::FlowEndPoint_var peer;
  CORBA::Object_var self;
  {
    const std::lock_guard lock(mutex_);
    peer = peer_;
  }
  {
    const std::lock_guard lock(party_->objects);
    const auto own = party_->flow_end_points.find(end_->name());
    if (own != party_->flow_end_points.end()) self = own->second.reference;
  }
  if (CORBA::is_nil(peer.in()) || CORBA::is_nil(self.in())) return caller;
  try {
    const CORBA::Object_var there = at_host(peer.in(), address.data().host());
    const AVStreams::FlowEndPoint_var expected =
        AVStreams::FlowEndPoint_var(AVStreams::FlowEndPoint::_unchecked_narrow(there.in()))->get_connected_fep();
    if (!CORBA::is_nil(expected.in()) && expected->_is_equivalent(self.in())) caller.host = address.data().host();
  } catch (const CORBA::Exception&) {  // it expects nobody, or is not there
  }
  return caller;
}

// The consumer listens at `address`, or is a group's member already.
bool FlowPoint::connect_to_peer(AVStreams::QoS& qos, const char* address, const char* protocol) {
  try {
    const bool met = end_->modify_qos(qos);
    FlowEntry peer;
    peer.flow = end_->name();
    peer.protocol = parse_flow_protocol(protocol);
    peer.address = parse_address(address);
    if (!peer.address->empty() && peer.address->data().multicast()) {
      end_->join(peer);
      return met;
    }
    if (!end_->in_use()) {  // nobody has asked for our address: the peer does not care
      end_->set_way({peer.address->carrier, peer.protocol});
      end_->listen(true);
    }
    end_->connect(*peer.address, who_vouches_for(*peer.address));
    return met;
  } catch (const FlowFailed& e) {
    throw AVStreams::failedToConnect(e.what());
  }
}

// The peer's address is asked for first, since nobody else's packets are to count.
char* FlowPoint::go_to_listen(AVStreams::QoS& qos, bool is_mcast, AVStreams::FlowEndPoint_ptr peer, char*& protocol) {
  if (is_mcast) throw AVStreams::failedToListen("members of a group are told its address by connect_to_peer()");
  const AVStreams::FlowProducer_var producer = AVStreams::FlowProducer::_narrow(peer);
  if (CORBA::is_nil(producer.in()))
    throw AVStreams::failedToListen("the peer is no FlowProducer, so its address is unknown");
  try {
    end_->modify_qos(qos);
    if (*protocol) {
      Way way = end_->way();
      way.protocol = parse_flow_protocol(protocol);
      end_->set_way(way);
    }
    const Way way = end_->way();
    const CORBA::String_var from = producer->get_rev_channel(way.text().c_str());
    const FlowAddress sender = parse_address(from.in());
    const FlowAddress own = end_->listen(false);
    end_->connect(sender, owner_of(peer, party_->device(), caller_of(party_->device())));
    CORBA::string_free(protocol);
    protocol = CORBA::string_dup(way.protocol.text().c_str());
    return CORBA::string_dup(own.text().c_str());
  } catch (const FlowFailed& e) {
    throw AVStreams::failedToListen(e.what());
  }
}

char* FlowPoint::connect_mcast(AVStreams::QoS& qos, CORBA::Boolean_out met, const char* address,
                               const char* protocol) {
  try {
    met = end_->modify_qos(qos);
    FlowEntry asked;
    asked.flow = end_->name();
    asked.protocol = parse_flow_protocol(protocol);
    if (*address) asked.address = parse_address(address);
    return CORBA::string_dup(end_->begin_multicast(asked).address->text().c_str());
  } catch (const FlowFailed& e) {
    throw AVStreams::failedToConnect(e.what());
  }
}

// Where this producer sends from; `carrier` as in AvailableWays.
char* FlowPoint::rev_channel(const char* carrier) {
  try {
    end_->set_way(parse_way(carrier));
    return CORBA::string_dup(end_->listen(true).text().c_str());
  } catch (const FlowFailed& e) {
    throw refused<CORBA::BAD_PARAM>(e.what());
  }
}

CORBA::Object_ptr flow_end_point(const std::shared_ptr<Party>& party, const std::string& flow) {
  const std::shared_ptr<FlowEnd> end = party->find(flow);
  if (!end) throw AVStreams::noSuchFlow();
  const std::lock_guard lock(party->objects);
  Active& active = party->flow_end_points[flow];
  if (!active) {
    PortableServer::ServantBase* servant = nullptr;
    if (end->producer()) {
      servant = new FlowProducerServant(party, end);
    } else {
      servant = new FlowConsumerServant(party, end);
    }
    active = party->adapter().activate(servant);
  }
  return CORBA::Object::_duplicate(active.reference.in());
}

}  // namespace callis::streams
