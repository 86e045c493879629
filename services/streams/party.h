// SPDX-License-Identifier: Apache-2.0
// Party: one side of one stream: the application's part, its flow ends, and the objects that clients see of it: a
// virtual device, a stream end point, and in the full profile its flow end points.
#pragma once
#include <services/streams/adapter.h>
#include <services/streams/flow_end.h>
#include <atomic>
#include <map>

namespace callis::streams {

// Any thread.
class Party final : public std::enable_shared_from_this<Party> {
 public:
  using Ends = std::vector<std::shared_ptr<FlowEnd>>;

  Party(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, bool a, std::shared_ptr<StreamPart> part,
        const std::vector<std::string>& flows, AVStreams::StreamCtrl_ptr ctrl);
  ~Party();

  bool a() const { return a_; }
  const DeviceOffer& device() const { return *device_; }
  StreamPart& part() { return *part_; }
  const Adapter& adapter() const { return adapter_; }
  void set_ctrl(AVStreams::StreamCtrl_ptr ctrl);

  const Ends& all() const { return ends_; }
  // The ends that the entries name; all where there is none. Throws AVStreams::noSuchFlow.
  Ends named(const AVStreams::flowSpec& spec) const;
  // nullptr: there is none.
  std::shared_ptr<FlowEnd> find(const std::string& flow) const;
  // Throws AVStreams::noSuchFlow.
  FlowEnd& at(const std::string& flow) const;

  // Of the flows that are named; true: all as asked. Throw AVStreams::QoSRequestFailed, noSuchFlow.
  bool modify_qos(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec);
  // Closes flows; the objects go where none is left.
  void destroy(const AVStreams::flowSpec& spec);
  bool ended() const { return ended_; }

  Active vdev, end_point;
  std::map<std::string, Active> flow_end_points;  // under `objects`
  std::mutex objects;
  std::function<void(Party&)> on_end;  // once

 private:
  void push(const std::string& flow, const std::string& why);

  const Adapter& adapter_;
  const std::shared_ptr<const DeviceOffer> device_;
  const bool a_;
  const std::shared_ptr<StreamPart> part_;
  Ends ends_;
  std::mutex ctrl_mutex_;
  AVStreams::StreamCtrl_var ctrl_;
  Held held_, ctrl_held_;  // flow ends and the part; the controller's reference
  std::atomic<bool> ended_{false};
};

}  // namespace callis::streams
