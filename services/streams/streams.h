// SPDX-License-Identifier: Apache-2.0
// Streams: a program's devices and stream controllers. OMG Audio/Video Streams 1.0 (formal/2000-01-03).
//
//   streams::Streams streams(root_poa);
//   AVStreams::MMDevice_var camera = streams.add_device(offer);        // see application.h
//   AVStreams::StreamCtrl_var ctrl = streams.new_stream_ctrl();
//   AVStreams::streamQoS qos;
//   ctrl->bind_devs(camera, viewer, qos, {});                          // the ORB sets up ...
//   ctrl->start({});                                                   // ... and frames go beside it
//
// Any thread. It has to be destroyed before the ORB is, when no upcalls run any more, or the ORB's shutdown has
// ended.
#pragma once
#include <services/streams/adapter.h>
#include <services/streams/application.h>
#include <services/streams/stream_ctrl.h>
#include <memory>
#include <mutex>
#include <vector>

namespace callis::streams {

class MMDeviceServant;

class Streams final {
 public:
  static constexpr std::size_t kMostCtrls = 1024;

  // Objects are made in an adapter of its own below `root`, under root's manager. memory: what is kept for clients is
  // counted in it, and refused with NO_RESOURCES beyond it; outlives this; nullptr: a bound of its own, with the
  // defaults. Throws CORBA::SystemException.
  explicit Streams(PortableServer::POA_ptr root, services::MemoryBound* memory = nullptr);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  // Throws FlowFailed for an offer that is none: flows without names, formats that do not fit, a host that is not
  // numeric.
  AVStreams::MMDevice_ptr add_device(const DeviceOffer& offer);
  // Its streams end. False: it is none of these.
  bool remove_device(AVStreams::MMDevice_ptr device);
  // Ended by its destroy(). Throws CORBA::IMP_LIMIT.
  AVStreams::StreamCtrl_ptr new_stream_ctrl(StreamCtrlServant::OnEvent on_event = {});
  AVStreams::FlowConnection_ptr new_flow_connection();
  // How many streams the devices take part in.
  std::size_t parties() const;

 private:
  struct Device {
    Active active;
    PortableServer::Servant_var<MMDeviceServant> servant;
  };
  struct Ctrl {
    std::uint64_t number;
    Active active;
  };
  void end_ctrl(std::uint64_t number);

  services::MemoryBound own_memory_;
  PortableServer::POA_var poa_;
  std::unique_ptr<Adapter> adapter_;
  mutable std::mutex mutex_;
  std::vector<Device> devices_;
  std::vector<Ctrl> ctrls_;
  std::uint64_t next_ = 1;
};

}  // namespace callis::streams
