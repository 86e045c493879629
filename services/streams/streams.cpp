// SPDX-License-Identifier: Apache-2.0
// What a program has of streams: devices and controllers, and how they end.
#include <callis/orb/core/object_of.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/full_profile.h>
#include <services/streams/mm_device.h>
#include <services/streams/receivers.h>
#include <services/streams/streams.h>
#include <algorithm>
#include <set>

namespace callis::streams {
namespace {

void check(const DeviceOffer& offer) {
  SocketAddress(offer.host, 0);
  check_receivers(offer);
  if (offer.flows.empty() || offer.flows.size() > kMostFlows) {
    throw FlowFailed("a device has from 1 to " + std::to_string(kMostFlows) + " flows");
  }
  if (!offer.open) throw FlowFailed("a device needs a function that opens its part of a stream");
  std::set<std::string> names;
  for (const FlowOffer& flow : offer.flows) {
    FlowEntry entry;
    entry.flow = flow.name;
    for (const std::string& format : flow.formats) {
      entry.format = format;
      if (parse_forward(entry.forward_text()) != entry) {
        throw FlowFailed("the flow " + flow.name + " or its format " + format + " does not fit a flow spec");
      }
    }
    if (flow_name(flow.name) != flow.name || !names.insert(flow.name).second) {
      throw FlowFailed("the name of the flow " + flow.name + " is not good, or there are two");
    }
    for (const QosRange& q : flow.qos) {
      if (!(q.least <= q.most)) throw FlowFailed("the QoS parameter " + q.name + " has no range");
    }
  }
}

}  // namespace

std::size_t Adapter::cost_of(CORBA::Object_ptr reference) {
  std::size_t out = 1'024;
  if (CORBA::is_nil(reference)) return out;
  const ior::Ior& ior = orb::reference_of(reference).ior();
  for (const ior::TaggedProfile& profile : ior.profiles) out += 3 * profile.data.size();  // as bytes, and as read
  return out + ior.type_id.size();
}

Streams::Streams(PortableServer::POA_ptr root, services::MemoryBound* memory) {
  const PortableServer::POAManager_var manager = root->the_POAManager();
  poa_ = root->create_POA("Streams", manager.in(), CORBA::PolicyList());
  adapter_ = std::make_unique<Adapter>(poa_.in(), memory ? *memory : own_memory_);
}

Streams::~Streams() {
  std::vector<Device> devices;
  std::vector<Ctrl> ctrls;
  {
    const std::lock_guard lock(mutex_);
    devices.swap(devices_);
    ctrls.swap(ctrls_);
  }
  for (Ctrl& each : ctrls) adapter_->end(each.active);
  for (Device& each : devices) {
    each.servant->end();
    adapter_->end(each.active);
  }
  devices.clear();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has ended it
  }
}

AVStreams::MMDevice_ptr Streams::add_device(const DeviceOffer& offer) {
  check(offer);
  Device made;
  auto* const servant = new MMDeviceServant(*this, *adapter_, std::make_shared<const DeviceOffer>(offer));
  made.servant = servant;
  servant->_add_ref();
  made.active = adapter_->activate(servant);
  const std::lock_guard lock(mutex_);
  const AVStreams::MMDevice_var out = AVStreams::MMDevice::_unchecked_narrow(made.active.reference.in());
  devices_.push_back(made);
  return AVStreams::MMDevice::_duplicate(out.in());
}

bool Streams::remove_device(AVStreams::MMDevice_ptr device) {
  Device found;
  {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& each) { return each.active.reference->_is_equivalent(device); });
    if (at == devices_.end()) return false;
    found = *at;
    devices_.erase(at);
  }
  found.servant->end();
  adapter_->end(found.active);
  return true;
}

AVStreams::StreamCtrl_ptr Streams::new_stream_ctrl(StreamCtrlServant::OnEvent on_event) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (ctrls_.size() >= kMostCtrls) {
      throw refused<CORBA::IMP_LIMIT>("there are 1024 stream controllers, which is the most; destroy some");
    }
    number = next_++;
  }
  Active active =
      adapter_->activate(new StreamCtrlServant(*adapter_, std::move(on_event), [this, number] { end_ctrl(number); }));
  const std::lock_guard lock(mutex_);
  ctrls_.push_back({number, active});
  return AVStreams::StreamCtrl::_unchecked_narrow(active.reference.in());
}

void Streams::end_ctrl(std::uint64_t number) {
  Active active;
  {
    const std::lock_guard lock(mutex_);
    const auto at =
        std::find_if(ctrls_.begin(), ctrls_.end(), [&](const Ctrl& each) { return each.number == number; });
    if (at == ctrls_.end()) return;
    active = at->active;
    ctrls_.erase(at);
  }
  adapter_->end(active);
}

AVStreams::FlowConnection_ptr Streams::new_flow_connection() {
  const CORBA::Object_var made = streams::new_flow_connection(*adapter_);
  return AVStreams::FlowConnection::_unchecked_narrow(made.in());
}

std::size_t Streams::parties() const {
  const std::lock_guard lock(mutex_);
  std::size_t out = 0;
  for (const Device& each : devices_) out += each.servant->streams();
  return out;
}

}  // namespace callis::streams
