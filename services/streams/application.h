// SPDX-License-Identifier: Apache-2.0
// What an application brings to a stream: which flows its device has, and its part of each stream, whose functions
// take and give frames.
//
//   FlowOffer video{.name = "video", .producer = true, .formats = {"MIME:video/H264"}, .ways = {{Carrier::RtpUdp}}};
//   DeviceOffer camera{.flows = {video}, .open = [](const PartRequest&) { return std::make_unique<CameraPart>(); }};
//   AVStreams::MMDevice_var device = streams.add_device(camera);
//
// Threads: control functions come on the ORB's threads, one at a time for each part; receive() and ended() on the
// flow's own. A&V Streams 1.0, 2.1 (devices, streams and flows).
#pragma once
#include <services/streams/flows/flow.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "AVStreams.h"

namespace callis::streams {

// A carrier with the protocol of frames in it.
struct Way {
  Carrier carrier = Carrier::RtpUdp;
  FlowProtocol protocol;
  bool operator==(const Way&) const = default;
  // "RTP/UDP", "TCP;SFP1.0": as properties have it. parse_way() throws FlowFailed.
  std::string text() const;
};
Way parse_way(std::string_view text);

// A parameter of QoS: what the device can do, and what it does unasked.
struct QosRange {
  std::string name;  // "video_framerate"
  double least = 0, most = 0, usual = 0;
};
using QosValues = std::map<std::string, double>;

struct FlowOffer {
  std::string name;  // kMostNameBytes; printable ASCII without backslash
  bool producer = false;
  std::vector<std::string> formats;  // the best first; empty: any
  std::vector<Way> ways;             // the best first; empty: RTP over UDP
  std::vector<QosRange> qos;
  RtpSettings rtp;  // payload type, clock rate, bandwidth; a name is made where there is none
};

// The application's part of one stream. Functions that refuse say why by throwing FlowFailed.
class StreamPart {
 public:
  virtual ~StreamPart() = default;
  // The flow is connected: a producer sends by it from start() on, until closed() is called.
  virtual void connected(const std::string& /*flow*/, Flow& /*by*/) {}
  virtual void start(const std::string& /*flow*/) {}
  virtual void stop(const std::string& /*flow*/) {}
  virtual void closed(const std::string& /*flow*/) {}
  // A consumer's frames, while it is started.
  virtual void receive(const std::string& /*flow*/, const Frame& /*frame*/) {}
  // The peer has ended the flow.
  virtual void ended(const std::string& /*flow*/, const std::string& /*why*/) {}

  virtual void set_format(const std::string& /*flow*/, const std::string& /*format*/) {}
  // QoS was agreed anew; may come while it plays. Values that were not asked for are not in it.
  virtual void set_qos(const std::string& /*flow*/, const QosValues& /*values*/) {}
  virtual void set_parameters(const std::string& /*flow*/, const CosPropertyService::Properties& /*parameters*/) {}

  // MediaControl. False: this device has no positions of the kind.
  virtual bool position(AVStreams::PositionKey /*key*/, CORBA::Long& /*value*/) { return false; }
  virtual bool seek(const AVStreams::Position& /*to*/) { return false; }
  virtual bool play(bool /*on*/) { return false; }
};

struct PartRequest {
  bool party_a = false;
  std::string named_vdev;          // as the requester calls it; may be changed
  std::vector<std::string> flows;  // of the stream; empty: all of the device
};

struct DeviceOffer {
  std::vector<FlowOffer> flows;
  // nullptr: denied, which raises streamOpDenied. Any thread.
  std::function<std::unique_ptr<StreamPart>(PartRequest&)> open;
  bool full_profile = false;
  std::string host = "127.0.0.1";  // numeric, and the peers' way to it
  std::size_t most_streams = 64;
  // Where flows may go though nobody there asks for them himself: addresses and networks in figures, "10.0.0.0/8",
  // groups, too; "any": everywhere. Others are asked first, by UDP, and refused by TCP (receivers.h).
  std::vector<std::string> receivers;
  std::string multicast_host = "239.255.0.1";  // a group, where the spec of a multicast flow names none
  int multicast_ttl = 1;
};

}  // namespace callis::streams
