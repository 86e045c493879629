// SPDX-License-Identifier: Apache-2.0
// Binding devices and end points to streams, and controlling all parties of one.
#include <services/streams/full_profile.h>
#include <services/streams/mcast_config.h>
#include <services/streams/stream_ctrl.h>
#include <cstring>

namespace callis::streams {
namespace {

const AVStreams::flowSpec kAllFlows;
constexpr std::size_t kSettingBytes = services::MemoryBound::kOverhead;

// Runs a call to a party; what is not among bind_devs()'s exceptions becomes streamOpFailed.
template<class Call>
auto asking(const char* who, Call&& call) {
  const auto failed = [&](const std::string& why) {
    return AVStreams::streamOpFailed((std::string(who) + ": " + why).c_str());
  };
  try {
    return call();
  } catch (const AVStreams::streamOpDenied& e) {
    throw failed("denied: " + std::string(e.reason.in()));
  } catch (const AVStreams::notSupported&) {
    throw failed("it does not support this");
  } catch (const AVStreams::FPError& e) {
    throw failed("it does not take the flow protocol of " + std::string(e.flow_name.in()));
  } catch (const CORBA::SystemException& e) {
    throw failed("it does not answer: " + words_of(e));
  }
}

}  // namespace

StreamCtrlServant::StreamCtrlServant(const Adapter& adapter, OnEvent on_event, std::function<void()> on_end)
    : WithProperties(adapter), adapter_(adapter), on_event_(std::move(on_event)), on_end_(std::move(on_end)) {}

StreamCtrlServant::~StreamCtrlServant() { adapter_.end(multicast_); }

std::vector<StreamCtrlServant::Bound> StreamCtrlServant::parties() const {
  const std::lock_guard lock(mutex_);
  return parties_;
}

void StreamCtrlServant::remember(const Bound& bound) {
  const std::lock_guard lock(mutex_);
  parties_.push_back(bound);
}

// All are asked, consumers' sides first as B parties mostly are; the first that refuses is told.
template<class Each>
void StreamCtrlServant::each(const AVStreams::flowSpec& spec, Each&& call) {
  const std::vector<Bound> all = parties();
  bool known = all.empty();
  for (const bool a : {false, true}) {
    for (const Bound& one : all) {
      if (one.a != a) continue;
      try {
        call(one);
        known = true;
      } catch (const AVStreams::noSuchFlow&) {  // of another party, perhaps
      }
    }
  }
  if (!known || (all.empty() && spec.length())) throw AVStreams::noSuchFlow();
}

void StreamCtrlServant::stop(const AVStreams::flowSpec& spec) {
  each(spec, [&](const Bound& one) { one.end_point->stop(spec); });
}

void StreamCtrlServant::start(const AVStreams::flowSpec& spec) {
  each(spec, [&](const Bound& one) { one.end_point->start(spec); });
}

void StreamCtrlServant::drop(const Bound& bound, const AVStreams::flowSpec& spec) {
  try {
    bound.end_point->destroy(spec);
  } catch (const CORBA::Exception&) {  // it has gone
  }
}

void StreamCtrlServant::destroy(const AVStreams::flowSpec& spec) {
  if (spec.length()) return each(spec, [&](const Bound& one) { one.end_point->destroy(spec); });
  unbind();
  if (on_end_) on_end_();
}

CORBA::Boolean StreamCtrlServant::modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  bool met = true;
  each(spec, [&](const Bound& one) {
    if (!one.end_point->modify_QoS(qos, spec)) met = false;
  });
  return met;
}

void StreamCtrlServant::push_event(const AVStreams::streamEvent& event) {
  if (on_event_) on_event_(event);
}

void StreamCtrlServant::set_FPStatus(const AVStreams::flowSpec& spec, const char* protocol,
                                     const CORBA::Any& settings) {
  each(spec, [&](const Bound& one) { one.end_point->set_FPStatus(spec, protocol, settings); });
}

// Made when it is first asked for: the ends are connected already.
CORBA::Object_ptr StreamCtrlServant::get_flow_connection(const char* flow) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = connections_.find(flow);
    if (found != connections_.end()) return CORBA::Object::_duplicate(found->second.object.in());
  }
  std::vector<CORBA::Object_var> ends;
  for (const Bound& one : parties()) ends.push_back(one.end_point->get_fep(flow));
  if (ends.empty()) throw AVStreams::noSuchFlow();
  const Held held = adapter_.hold(kSettingBytes + std::strlen(flow));
  CORBA::Object_var connection = flow_connection_of(adapter_, ends);
  const std::lock_guard lock(mutex_);
  const auto made = connections_.emplace(flow, Connection{connection, held}).first;
  return CORBA::Object::_duplicate(made->second.object.in());
}

void StreamCtrlServant::set_flow_connection(const char* flow, CORBA::Object_ptr connection) {
  if (CORBA::is_nil(connection)) throw AVStreams::noSuchFlow();
  for (const Bound& one : parties()) CORBA::Object_var(one.end_point->get_fep(flow));  // notSupported, noSuchFlow
  Connection made;
  made.held = adapter_.hold(Adapter::cost_of(connection) + kSettingBytes + std::strlen(flow));
  made.object = CORBA::Object::_duplicate(connection);
  const std::lock_guard lock(mutex_);
  if (connections_.size() >= kMostParties) throw AVStreams::notSupported();
  connections_[flow] = made;
}

StreamCtrlServant::Bound StreamCtrlServant::create(bool a, AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos,
                                                   bool& met, const AVStreams::flowSpec& spec) {
  Bound out;
  out.a = a;
  out.device = AVStreams::MMDevice::_duplicate(device);
  CORBA::Boolean met_here = true;
  CORBA::String_var name = CORBA::string_dup("");
  const AVStreams::StreamCtrl_var self = _this();
  if (a) {
    out.end_point = asking("the A party", [&] {
      return device->create_A(self.in(), out.vdev.out(), qos, met_here, name.inout(), spec);
    });
  } else {
    out.end_point = asking("the B party", [&] {
      return device->create_B(self.in(), out.vdev.out(), qos, met_here, name.inout(), spec);
    });
  }
  if (!met_here) met = false;
  if (CORBA::is_nil(out.end_point.in()) || CORBA::is_nil(out.vdev.in())) {
    throw AVStreams::streamOpFailed("a device has made no end point, or no virtual device");
  }
  try {
    out.held = adapter_.hold(Adapter::cost_of(device) + Adapter::cost_of(out.vdev.in()) +
                             Adapter::cost_of(out.end_point.in()));
  } catch (const CORBA::NO_RESOURCES&) {
    drop(out, kAllFlows);
    throw;
  }
  return out;
}

CORBA::Boolean StreamCtrlServant::bind_devs(AVStreams::MMDevice_ptr a, AVStreams::MMDevice_ptr b,
                                            AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  if (CORBA::is_nil(a) && CORBA::is_nil(b)) throw AVStreams::streamOpFailed("there is no device to bind");
  if (parties().size() >= kMostParties) throw AVStreams::streamOpFailed("the stream has as many parties as it may");
  if (CORBA::is_nil(b)) return bind_source(a, qos, spec);
  if (CORBA::is_nil(a)) return bind_member(b, qos, spec);
  bool met = true;
  const Bound one = create(true, a, qos, met, spec);
  Bound two;
  try {
    two = create(false, b, qos, met, spec);
    const AVStreams::StreamCtrl_var self = _this();
    if (!asking("the A party", [&] { return one.vdev->set_peer(self.in(), two.vdev.in(), qos, spec); })) met = false;
    if (!asking("the B party", [&] { return two.vdev->set_peer(self.in(), one.vdev.in(), qos, spec); })) met = false;
    if (!asking("the A party", [&] { return one.end_point->connect(two.end_point.in(), qos, spec); })) met = false;
  } catch (...) {
    drop(one, kAllFlows);
    if (!CORBA::is_nil(two.end_point.in())) drop(two, kAllFlows);
    throw;
  }
  remember(one);
  remember(two);
  return met;
}

// The source of a point-to-multipoint stream; members come later, each by bind_devs(nil, member).
bool StreamCtrlServant::bind_source(AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos,
                                    const AVStreams::flowSpec& spec) {
  for (const Bound& one : parties()) {
    if (one.a) throw AVStreams::streamOpFailed("the stream has its source already");
  }
  bool met = true;
  const Bound source = create(true, device, qos, met, spec);
  AVStreams::flowSpec group = spec;
  try {
    const AVStreams::StreamCtrl_var self = _this();
    {
      const std::lock_guard lock(mutex_);
      if (!multicast_) multicast_ = adapter_.activate(new MCastConfigServant(adapter_, self.in()));
    }
    const AVStreams::MCastConfigIf_var peers = AVStreams::MCastConfigIf::_unchecked_narrow(multicast_.reference.in());
    if (!asking("the source", [&] { return source.vdev->set_Mcast_peer(self.in(), peers.in(), qos, spec); }))
      met = false;
    const AVStreams::StreamEndPoint_A_var end = AVStreams::StreamEndPoint_A::_unchecked_narrow(source.end_point.in());
    if (!asking("the source", [&] { return end->multiconnect(qos, group); })) met = false;
  } catch (...) {
    drop(source, kAllFlows);
    throw;
  }
  {
    const std::lock_guard lock(mutex_);
    group_ = group;
  }
  remember(source);
  return met;
}

bool StreamCtrlServant::bind_member(AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos,
                                    const AVStreams::flowSpec& spec) {
  AVStreams::flowSpec group;
  AVStreams::MCastConfigIf_var peers;
  AVStreams::StreamEndPoint_A_var source;
  {
    const std::lock_guard lock(mutex_);
    group = group_;
    peers = AVStreams::MCastConfigIf::_unchecked_narrow(multicast_.reference.in());
    for (const Bound& one : parties_) {
      if (one.a) source = AVStreams::StreamEndPoint_A::_unchecked_narrow(one.end_point.in());
    }
  }
  if (group.length() == 0) throw AVStreams::streamOpFailed("the stream has no source yet: bind that first");
  bool met = true;
  const Bound member = create(false, device, qos, met, spec);
  try {
    if (!asking("the member", [&] { return peers->set_peer(member.vdev.in(), qos, spec); })) met = false;
    const AVStreams::StreamEndPoint_B_var end = AVStreams::StreamEndPoint_B::_unchecked_narrow(member.end_point.in());
    if (!asking("the member", [&] { return end->multiconnect(qos, group); })) met = false;
  } catch (...) {
    drop(member, kAllFlows);
    throw;
  }
  remember(member);
  return met;
}

CORBA::Boolean StreamCtrlServant::bind(AVStreams::StreamEndPoint_A_ptr a, AVStreams::StreamEndPoint_B_ptr b,
                                       AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  if (CORBA::is_nil(a) || CORBA::is_nil(b)) throw AVStreams::streamOpFailed("an end point is nil");
  if (parties().size() >= kMostParties) throw AVStreams::streamOpFailed("the stream has as many parties as it may");
  Bound one, two;
  one.held = adapter_.hold_for(a);
  two.held = adapter_.hold_for(b);
  const bool met = asking("the A party", [&] { return a->connect(b, qos, spec); });
  one.a = true;
  one.end_point = AVStreams::StreamEndPoint::_duplicate(a);
  two.end_point = AVStreams::StreamEndPoint::_duplicate(b);
  remember(one);
  remember(two);
  return met;
}

void StreamCtrlServant::unbind_party(AVStreams::StreamEndPoint_ptr end_point, const AVStreams::flowSpec& spec) {
  if (CORBA::is_nil(end_point)) throw AVStreams::streamOpFailed("the end point is nil");
  for (const Bound& one : parties()) {
    if (!one.end_point->_is_equivalent(end_point)) continue;
    one.end_point->destroy(spec);
    if (spec.length()) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(parties_, [&](const Bound& each) { return each.end_point->_is_equivalent(end_point); });
    return;
  }
  throw AVStreams::streamOpFailed("the end point is none of this stream");
}

void StreamCtrlServant::unbind_dev(AVStreams::MMDevice_ptr device, const AVStreams::flowSpec& spec) {
  if (CORBA::is_nil(device)) throw AVStreams::streamOpFailed("the device is nil");
  for (const Bound& one : parties()) {
    if (!CORBA::is_nil(one.device.in()) && one.device->_is_equivalent(device))
      return unbind_party(one.end_point.in(), spec);
  }
  throw AVStreams::streamOpFailed("the device is none of this stream");
}

void StreamCtrlServant::unbind() {
  std::vector<Bound> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(parties_);
    group_.length(0);
    connections_.clear();
    adapter_.end(multicast_);
  }
  const services::OperationTime time(kOperationTime);
  for (const bool a : {true, false}) {  // sources first: members then hear their end
    for (const Bound& one : all) {
      if (one.a == a && !time.over()) drop(one, kAllFlows);
    }
  }
}

AVStreams::VDev_ptr StreamCtrlServant::get_related_vdev(AVStreams::MMDevice_ptr device,
                                                        AVStreams::StreamEndPoint_out end_point) {
  if (!CORBA::is_nil(device)) {
    for (const Bound& one : parties()) {
      if (CORBA::is_nil(one.device.in()) || !one.device->_is_equivalent(device)) continue;
      end_point = AVStreams::StreamEndPoint::_duplicate(one.end_point.in());
      return AVStreams::VDev::_duplicate(one.vdev.in());
    }
  }
  throw AVStreams::streamOpFailed("the device is none of this stream");
}

}  // namespace callis::streams
