// SPDX-License-Identifier: Apache-2.0
// Making the parties of streams.
#include <services/streams/end_point.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/full_profile.h>
#include <services/streams/mm_device.h>
#include <services/streams/streams.h>
#include <services/streams/vdev.h>
#include <algorithm>

namespace callis::streams {
namespace {

// A party whose objects cannot all be made is none.
template<class Make>
void ending_where_it_fails(const std::shared_ptr<Party>& party, Make&& make) {
  try {
    make();
  } catch (...) {
    party->destroy({});
    throw;
  }
}

}  // namespace

bool PartyList::add(std::shared_ptr<Party> party) {
  const std::lock_guard lock(mutex_);
  if (all_.size() >= most_) return false;
  all_.push_back(std::move(party));
  return true;
}

void PartyList::remove(Party& party) {
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [&](const auto& each) { return each.get() == &party; });
}

std::vector<std::shared_ptr<Party>> PartyList::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

MMDeviceServant::MMDeviceServant(Streams& streams, const Adapter& adapter, std::shared_ptr<const DeviceOffer> offer)
    : WithProperties(adapter),
      streams_(streams),
      adapter_(adapter),
      offer_(std::move(offer)),
      parties_(std::make_shared<PartyList>(offer_->most_streams)) {
  define_flows(own_set(), offer_->flows);
  if (!offer_->full_profile) return;
  for (const FlowOffer& flow : offer_->flows) {
    own_fdevs_.push_back(flow_device(adapter_, offer_, flow.name, parties_));
    fdevs_[flow.name] = {own_fdevs_.back().reference, nullptr};
  }
}

void MMDeviceServant::end() {
  for (const auto& party : parties_->all()) party->destroy({});
  const std::lock_guard lock(fdevs_mutex_);
  for (Active& each : own_fdevs_) adapter_.end(each);
  fdevs_.clear();
}

std::shared_ptr<Party> MMDeviceServant::create(bool a, AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                               AVStreams::streamQoS& qos, CORBA::Boolean_out met, char*& named_vdev,
                                               const AVStreams::flowSpec& spec) {
  if (spec.length() > kMostFlows) throw AVStreams::noSuchFlow();
  PartRequest request;
  request.party_a = a;
  request.named_vdev = named_vdev;
  try {
    for (CORBA::ULong i = 0; i < spec.length(); ++i) {
      const std::string name = flow_name(spec[i]);
      const auto known = [&](const FlowOffer& f) { return f.name == name; };
      if (std::none_of(offer_->flows.begin(), offer_->flows.end(), known)) throw AVStreams::noSuchFlow();
      request.flows.push_back(name);
    }
  } catch (const FlowFailed&) {
    throw AVStreams::noSuchFlow();
  }
  std::shared_ptr<Party> party;
  try {
    const std::shared_ptr<StreamPart> part = offer_->open(request);
    if (!part) throw AVStreams::streamOpDenied("the device takes no part in it");
    party = std::make_shared<Party>(adapter_, offer_, a, part, request.flows, ctrl);
    met = party->modify_qos(qos, {});
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpDenied(e.what());
  }
  if (!parties_->add(party)) {
    throw AVStreams::streamOpDenied(
        ("the device takes part in " + std::to_string(offer_->most_streams) + " streams already, which is its most")
            .c_str());
  }
  party->on_end = [list = parties_](Party& gone) { list->remove(gone); };
  ending_where_it_fails(party, [&] { party->vdev = adapter_.activate(new VDevServant(party)); });
  vdev = AVStreams::VDev::_unchecked_narrow(party->vdev.reference.in());
  if (request.named_vdev != named_vdev) {
    CORBA::string_free(named_vdev);
    named_vdev = CORBA::string_dup(request.named_vdev.c_str());
  }
  return party;
}

AVStreams::StreamEndPoint_A_ptr MMDeviceServant::create_A(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                                          AVStreams::streamQoS& qos, CORBA::Boolean_out met,
                                                          char*& named_vdev, const AVStreams::flowSpec& spec) {
  const auto party = create(true, ctrl, vdev, qos, met, named_vdev, spec);
  ending_where_it_fails(party, [&] { party->end_point = adapter_.activate(new EndPointA(party)); });
  return AVStreams::StreamEndPoint_A::_unchecked_narrow(party->end_point.reference.in());
}

AVStreams::StreamEndPoint_B_ptr MMDeviceServant::create_B(AVStreams::StreamCtrl_ptr ctrl, AVStreams::VDev_out vdev,
                                                          AVStreams::streamQoS& qos, CORBA::Boolean_out met,
                                                          char*& named_vdev, const AVStreams::flowSpec& spec) {
  const auto party = create(false, ctrl, vdev, qos, met, named_vdev, spec);
  ending_where_it_fails(party, [&] { party->end_point = adapter_.activate(new EndPointB(party)); });
  return AVStreams::StreamEndPoint_B::_unchecked_narrow(party->end_point.reference.in());
}

AVStreams::StreamCtrl_ptr MMDeviceServant::bind(AVStreams::MMDevice_ptr peer, AVStreams::streamQoS& qos,
                                                CORBA::Boolean_out met, const AVStreams::flowSpec& spec) {
  const AVStreams::StreamCtrl_var ctrl = streams_.new_stream_ctrl();
  const AVStreams::MMDevice_var self = _this();
  try {
    met = ctrl->bind_devs(self.in(), peer, qos, spec);
  } catch (...) {
    ctrl->destroy({});
    throw;
  }
  return AVStreams::StreamCtrl::_duplicate(ctrl.in());
}

AVStreams::StreamCtrl_ptr MMDeviceServant::bind_mcast(AVStreams::MMDevice_ptr first, AVStreams::streamQoS& qos,
                                                      CORBA::Boolean_out met, const AVStreams::flowSpec& spec) {
  const AVStreams::StreamCtrl_var ctrl = streams_.new_stream_ctrl();
  const AVStreams::MMDevice_var self = _this();
  try {
    bool good = ctrl->bind_devs(self.in(), AVStreams::MMDevice::_nil(), qos, spec);
    if (!CORBA::is_nil(first) && !ctrl->bind_devs(AVStreams::MMDevice::_nil(), first, qos, spec)) good = false;
    met = good;
  } catch (...) {
    ctrl->destroy({});
    throw;
  }
  return AVStreams::StreamCtrl::_duplicate(ctrl.in());
}

void MMDeviceServant::destroy(AVStreams::StreamEndPoint_ptr end_point, const char*) {
  for (const auto& party : parties_->all()) {
    CORBA::Object_var its;
    {
      const std::lock_guard lock(party->objects);
      its = party->end_point.reference;
    }
    if (CORBA::is_nil(its.in()) || CORBA::is_nil(end_point) || !its->_is_equivalent(end_point)) continue;
    return party->destroy({});
  }
  throw AVStreams::notSupported();
}

void MMDeviceServant::need_full_profile() const {
  if (!offer_->full_profile) throw AVStreams::notSupported();
}

// An FDev that a client brings: it is found by the device's clients, under the name that its property Flow has.
char* MMDeviceServant::add_fdev(CORBA::Object_ptr fdev) {
  need_full_profile();
  const AVStreams::FDev_var narrowed = AVStreams::FDev::_narrow(fdev);
  if (CORBA::is_nil(narrowed.in())) throw AVStreams::streamOpFailed("the object is no FDev");
  std::string name;
  try {
    const CORBA::Any_var value = narrowed->get_property_value("Flow");
    const char* text = nullptr;
    if (!(value.in() >>= text)) throw AVStreams::streamOpFailed("the property Flow of the FDev is no string");
    name = flow_name(text);
  } catch (const CosPropertyService::PropertyNotFound&) {
    throw AVStreams::streamOpFailed("the FDev has no property Flow");
  } catch (const FlowFailed& e) {
    throw AVStreams::streamOpFailed(e.what());
  }
  const Held held = adapter_.hold_for(fdev);
  const std::lock_guard lock(fdevs_mutex_);
  if (fdevs_.count(name)) throw AVStreams::streamOpFailed(("there is an FDev " + name).c_str());
  if (fdevs_.size() >= kMostFlows) throw AVStreams::streamOpFailed("there are as many FDevs as may be");
  fdevs_[name] = {CORBA::Object::_duplicate(fdev), held};
  return CORBA::string_dup(name.c_str());
}

CORBA::Object_ptr MMDeviceServant::get_fdev(const char* flow) {
  need_full_profile();
  const std::lock_guard lock(fdevs_mutex_);
  const auto found = fdevs_.find(flow);
  if (found == fdevs_.end()) throw AVStreams::noSuchFlow();
  return CORBA::Object::_duplicate(found->second.object.in());
}

void MMDeviceServant::remove_fdev(const char* flow) {
  need_full_profile();
  const std::lock_guard lock(fdevs_mutex_);
  if (fdevs_.erase(flow) == 0) throw AVStreams::noSuchFlow();
}

}  // namespace callis::streams
