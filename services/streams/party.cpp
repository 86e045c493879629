// SPDX-License-Identifier: Apache-2.0
// Parties of streams: their flow ends, events, and end.
#include <services/streams/flows/flow_failed.h>
#include <services/streams/party.h>
#include <services/streams/qos.h>
#include <algorithm>

namespace callis::streams {

namespace {
// An application's part, as far as that can be guessed; a flow end with a flow, its threads and sockets.
constexpr std::size_t kPartyBytes = 8u << 10, kFlowBytes = 128u << 10;
}  // namespace

Party::Party(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, bool a,
             std::shared_ptr<StreamPart> part, const std::vector<std::string>& flows, AVStreams::StreamCtrl_ptr ctrl)
    : adapter_(adapter),
      device_(std::move(device)),
      a_(a),
      part_(std::move(part)),
      ctrl_(AVStreams::StreamCtrl::_duplicate(ctrl)) {
  ctrl_held_ = adapter_.hold_for(ctrl);
  held_ = adapter_.hold(kPartyBytes + kFlowBytes * device_->flows.size());
  for (const FlowOffer& offer : device_->flows) {
    if (!flows.empty() && std::find(flows.begin(), flows.end(), offer.name) == flows.end()) continue;
    ends_.push_back(std::make_shared<FlowEnd>(
        offer, *device_, a_, part_, [this](const std::string& flow, const std::string& why) { push(flow, why); }));
  }
}

Party::~Party() {
  for (const auto& end : ends_) end->close("its party is gone");
}

void Party::set_ctrl(AVStreams::StreamCtrl_ptr ctrl) {
  const Held held = adapter_.hold_for(ctrl);
  const std::lock_guard lock(ctrl_mutex_);
  ctrl_held_ = held;
  ctrl_ = AVStreams::StreamCtrl::_duplicate(ctrl);
}

// A oneway call: the flow's thread does not wait for the controller.
void Party::push(const std::string& flow, const std::string& why) {
  AVStreams::StreamCtrl_var ctrl;
  {
    const std::lock_guard lock(ctrl_mutex_);
    ctrl = ctrl_;
  }
  if (CORBA::is_nil(ctrl.in())) return;
  AVStreams::streamEvent event;
  event.property_name = "flow_ended";
  event.property_value <<= (flow + ": " + why).c_str();
  try {
    ctrl->push_event(event);
  } catch (const CORBA::Exception&) {  // nobody is there to be told
  }
}

std::shared_ptr<FlowEnd> Party::find(const std::string& flow) const {
  const auto found = std::find_if(ends_.begin(), ends_.end(), [&](const auto& e) { return e->name() == flow; });
  return found == ends_.end() ? nullptr : *found;
}

FlowEnd& Party::at(const std::string& flow) const {
  const auto found = find(flow);
  if (!found) throw AVStreams::noSuchFlow();
  return *found;
}

Party::Ends Party::named(const AVStreams::flowSpec& spec) const {
  if (spec.length() == 0) return ends_;
  if (spec.length() > kMostFlows) throw AVStreams::noSuchFlow();
  Ends out;
  for (CORBA::ULong i = 0; i < spec.length(); ++i) {
    std::shared_ptr<FlowEnd> end;
    try {
      end = find(flow_name(spec[i]));
    } catch (const FlowFailed&) {  // no name of a flow at all
    }
    if (!end) throw AVStreams::noSuchFlow();
    if (std::find(out.begin(), out.end(), end) == out.end()) out.push_back(end);
  }
  return out;
}

bool Party::modify_qos(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  if (qos.length() > kMostFlows) throw AVStreams::QoSRequestFailed("there are more kinds of QoS than flows may be");
  bool met = true;
  for (const auto& end : named(spec)) {
    AVStreams::QoS* const of_flow = find_qos(qos, end->name());
    if (of_flow && !end->modify_qos(*of_flow)) met = false;
  }
  return met;
}

void Party::destroy(const AVStreams::flowSpec& spec) {
  for (const auto& end : named(spec)) end->close("the stream is destroyed");
  if (spec.length() &&
      std::any_of(ends_.begin(), ends_.end(), [](const auto& e) { return e->state() != AVStreams::dead; })) {
    return;
  }
  if (ended_.exchange(true)) return;
  const auto self = shared_from_this();  // the servants that go now may be the last to have it
  {
    const std::lock_guard lock(objects);
    adapter_.end(vdev);
    adapter_.end(end_point);
    for (auto& [name, active] : flow_end_points) adapter_.end(active);
  }
  if (on_end) on_end(*this);
}

}  // namespace callis::streams
