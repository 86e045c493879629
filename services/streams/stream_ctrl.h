// SPDX-License-Identifier: Apache-2.0
// Stream controllers: they bind devices or end points to a stream, and control it whole. A&V Streams 1.0, 2.2.3
// (Basic_StreamCtrl, StreamCtrl), 2.2.7 (point to multipoint).
#pragma once
#include <services/streams/adapter.h>
#include <services/streams/properties.h>
#include <functional>
#include <mutex>
#include <vector>
#include "AVStreams_skel.h"

namespace callis::streams {

class StreamCtrlServant final : public WithProperties<POA_AVStreams::StreamCtrl> {
 public:
  static constexpr std::size_t kMostParties = 256;
  // `on_event`: what end points push; any thread; may be empty. `on_end`: destroy() of the whole stream.
  using OnEvent = std::function<void(const AVStreams::streamEvent&)>;
  StreamCtrlServant(const Adapter& adapter, OnEvent on_event, std::function<void()> on_end);
  ~StreamCtrlServant() override;

  void stop(const AVStreams::flowSpec& spec) override;
  void start(const AVStreams::flowSpec& spec) override;
  void destroy(const AVStreams::flowSpec& spec) override;
  CORBA::Boolean modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) override;
  void push_event(const AVStreams::streamEvent& event) override;
  void set_FPStatus(const AVStreams::flowSpec& spec, const char* protocol, const CORBA::Any& settings) override;
  CORBA::Object_ptr get_flow_connection(const char* flow) override;
  void set_flow_connection(const char* flow, CORBA::Object_ptr connection) override;

  CORBA::Boolean bind_devs(AVStreams::MMDevice_ptr a, AVStreams::MMDevice_ptr b, AVStreams::streamQoS& qos,
                           const AVStreams::flowSpec& spec) override;
  CORBA::Boolean bind(AVStreams::StreamEndPoint_A_ptr a, AVStreams::StreamEndPoint_B_ptr b, AVStreams::streamQoS& qos,
                      const AVStreams::flowSpec& spec) override;
  void unbind_dev(AVStreams::MMDevice_ptr device, const AVStreams::flowSpec& spec) override;
  void unbind_party(AVStreams::StreamEndPoint_ptr end_point, const AVStreams::flowSpec& spec) override;
  void unbind() override;
  AVStreams::VDev_ptr get_related_vdev(AVStreams::MMDevice_ptr device,
                                       AVStreams::StreamEndPoint_out end_point) override;

 private:
  struct Bound {
    bool a = false;
    AVStreams::MMDevice_var device;  // nil: its end point was bound by itself
    AVStreams::VDev_var vdev;
    AVStreams::StreamEndPoint_var end_point;
    Held held;
  };
  std::vector<Bound> parties() const;
  void remember(const Bound& bound);
  void drop(const Bound& bound, const AVStreams::flowSpec& spec);
  Bound create(bool a, AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos, bool& met,
               const AVStreams::flowSpec& spec);
  bool bind_source(AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec);
  bool bind_member(AVStreams::MMDevice_ptr device, AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec);
  template<class Each>
  void each(const AVStreams::flowSpec& spec, Each&& call);

  const Adapter& adapter_;
  const OnEvent on_event_;
  const std::function<void()> on_end_;
  mutable std::mutex mutex_;
  std::vector<Bound> parties_;
  AVStreams::flowSpec group_;  // multicast: what members are told
  Active multicast_;
  struct Connection {
    CORBA::Object_var object;
    Held held;
  };
  std::map<std::string, Connection> connections_;
};

}  // namespace callis::streams
