// SPDX-License-Identifier: Apache-2.0
// Virtual devices: formats, carriers, parameters, and positions of media.
#include <services/streams/flows/flow_failed.h>
#include <services/streams/vdev.h>
#include <algorithm>

namespace callis::streams {
namespace {

using Names = std::vector<std::string>;

CORBA::Any any_of_names(const Names& names) {
  AVStreams::protocolSpec all;
  all.length(static_cast<CORBA::ULong>(names.size()));
  for (CORBA::ULong i = 0; i < all.length(); ++i) all[i] = names[i].c_str();
  CORBA::Any out;
  out <<= all;
  return out;
}

// Empty: the any has no names; then nothing is known of the peer.
Names names_in(const CORBA::Any& any) {
  Names out;
  const AVStreams::protocolSpec* all = nullptr;
  if (!(any >>= all)) return out;
  for (CORBA::ULong i = 0; i < all->length(); ++i) out.emplace_back((*all)[i]);
  return out;
}

Names names_of_ways(const FlowOffer& offer) {
  Names out;
  for (const Way& way : offer.ways) out.push_back(way.text());
  if (out.empty()) out.push_back(Way{}.text());
  return out;
}

}  // namespace

void define_flows(properties::Set& own, const std::vector<FlowOffer>& flows) {
  Names all;
  for (const FlowOffer& offer : flows) {
    all.push_back(offer.name);
    CORBA::Any direction;
    direction <<= offer.producer ? "out" : "in";
    own.define_own(offer.name + "_dir", direction);
    own.define_own(offer.name + "_availableFormats", any_of_names(offer.formats));
    own.define_own(offer.name + "_availableWays", any_of_names(names_of_ways(offer)));
  }
  own.define_own("Flows", any_of_names(all));
}

VDevServant::VDevServant(const std::shared_ptr<Party>& party) : WithProperties(party->adapter()), party_(party) {
  std::vector<FlowOffer> offers;
  for (const auto& end : party_->all()) offers.push_back(end->offer());
  define_flows(own_set(), offers);
  for (const auto& end : party_->all()) {
    CORBA::Any format;
    format <<= end->format().c_str();
    own_set().define_own(end->name() + "_currFormat", format);
  }
}

// One call: what the peer can do. The first of ours that it has, too, is taken; the formats go on in the flow specs.
void VDevServant::agree_with(AVStreams::VDev_ptr peer, const Party::Ends& ends) {
  CosPropertyService::PropertyNames names;
  names.length(static_cast<CORBA::ULong>(2 * ends.size()));
  for (CORBA::ULong i = 0; i < ends.size(); ++i) {
    names[2 * i] = (ends[i]->name() + "_availableFormats").c_str();
    names[2 * i + 1] = (ends[i]->name() + "_availableWays").c_str();
  }
  CosPropertyService::Properties_var of_peer;
  peer->get_properties(names, of_peer.out());
  if (of_peer->length() != names.length()) return;
  for (CORBA::ULong i = 0; i < ends.size(); ++i) {
    const Names formats = names_in(of_peer[2 * i].property_value);
    const Names ways = names_in(of_peer[2 * i + 1].property_value);
    FlowEnd& end = *ends[i];
    const Names& ours = end.offer().formats;
    if (!formats.empty() && !ours.empty()) {
      const auto common = std::find_first_of(ours.begin(), ours.end(), formats.begin(), formats.end());
      if (common == ours.end())
        throw FlowFailed("the devices have no format of the flow " + end.name() + " in common");
      end.set_format(*common);
    }
    const Names our_ways = names_of_ways(end.offer());
    if (ways.empty()) continue;
    const auto common = std::find_if(our_ways.begin(), our_ways.end(), [&](const std::string& way) {
      return std::find(ways.begin(), ways.end(), way) != ways.end() && end.allows(parse_way(way));
    });
    if (common == our_ways.end())
      throw FlowFailed("the devices have no carrier of the flow " + end.name() + " in common");
    end.set_way(parse_way(*common));
  }
}

CORBA::Boolean VDevServant::set_peer(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_ptr peer,
                                     AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  const Party::Ends ends = party_->named(spec);
  if (CORBA::is_nil(peer)) throw AVStreams::streamOpFailed("there is no peer");
  party_->set_ctrl(ctrl);
  try {
    if (party_->a()) agree_with(peer, ends);
    return party_->modify_qos(qos, spec);
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  }
}

CORBA::Boolean VDevServant::set_Mcast_peer(AVStreams::StreamCtrl_ptr ctrl, AVStreams::MCastConfigIf_ptr peers,
                                           AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  const Party::Ends ends = party_->named(spec);
  party_->set_ctrl(ctrl);
  if (party_->a() && !CORBA::is_nil(peers)) {
    for (const auto& end : ends) {  // members take the format of their source
      if (!end->format().empty()) peers->set_format(end->name().c_str(), end->format().c_str());
    }
  }
  return party_->modify_qos(qos, spec);
}

void VDevServant::configure(const CosPropertyService::Property& message) {
  CosPropertyService::Properties one;
  one.length(1);
  one[0] = message;
  try {
    own_set().define(message.property_name.in(), message.property_value);
    for (const auto& end : party_->all()) end->set_parameters(one);
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  } catch (const CORBA::UserException&) {
    throw AVStreams::PropertyException();
  }
}

void VDevServant::set_format(const char* flow, const char* format) {
  try {
    const auto end = party_->find(flow);
    if (!end) throw AVStreams::notSupported();
    end->set_format(format);
    CORBA::Any now;
    now <<= format;
    own_set().define_own(end->name() + "_currFormat", now);
  } catch (const FlowFailed&) {
    throw AVStreams::notSupported();
  }
}

void VDevServant::set_dev_params(const char* flow, const CosPropertyService::Properties& parameters) {
  const auto end = party_->find(flow);
  if (!end) throw AVStreams::streamOpFailed("the device has no such flow");
  if (parameters.length() > kPropertyBounds.properties) throw AVStreams::PropertyException();
  try {
    end->set_parameters(parameters);
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  }
}

CORBA::Boolean VDevServant::modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  try {
    return party_->modify_qos(qos, spec);
  } catch (const FlowFailed& e) {
    throw AVStreams::QoSRequestFailed(e.what());
  }
}

AVStreams::Position VDevServant::get_media_position(AVStreams::PositionOrigin, AVStreams::PositionKey key) {
  AVStreams::Position out;
  out.origin = AVStreams::AbsolutePosition;
  out.key = key;
  if (!party_->part().position(key, out.value)) throw AVStreams::MediaControl::PostionKeyNotSupported(key);
  return out;
}

void VDevServant::set_media_position(const AVStreams::Position& position) {
  CORBA::Long now = 0;
  if (!party_->part().position(position.key, now))
    throw AVStreams::MediaControl::PostionKeyNotSupported(position.key);
  if (!party_->part().seek(position)) throw AVStreams::InvalidPosition(position.key);
}

// A relative position of 0 is where the media are now.
void VDevServant::go(const AVStreams::Position& position, bool play) {
  const bool here = position.origin == AVStreams::RelativePosition && position.value == 0;
  if ((!here && !party_->part().seek(position)) || !party_->part().play(play)) {
    throw AVStreams::InvalidPosition(position.key);
  }
}

void VDevServant::start(const AVStreams::Position& position) { go(position, true); }
void VDevServant::pause(const AVStreams::Position& position) { go(position, false); }
void VDevServant::resume(const AVStreams::Position& position) { go(position, true); }
void VDevServant::stop(const AVStreams::Position& position) { go(position, false); }

}  // namespace callis::streams
