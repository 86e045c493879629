// SPDX-License-Identifier: Apache-2.0
// What stands between frames and the carrier: nothing, RTP or SFP. Without sockets and threads.
#pragma once
#include <services/streams/flows/frame.h>
#include <services/streams/flows/rtp_session.h>
#include <chrono>
#include <functional>

namespace callis::streams {

// The carrier as protocols see it. False: errno says why.
class Line {
 public:
  virtual ~Line() = default;
  virtual bool data(ByteView head, ByteView body) = 0;
  virtual bool control(ByteView datagram) = 0;  // RTCP's
};

// How a flow goes. Counts since it was connected.
struct FlowQuality {
  RtpQuality received, sent;  // RTP; of SFP received.lost alone
  std::uint64_t malformed = 0, ignored = 0, collisions = 0;
  std::uint64_t reports_sent = 0, reports_received = 0, byes_received = 0;
  std::size_t members = 0;
  std::uint32_t source = 0;  // our own SSRC or source id
  std::string peer_name;     // RTP: its canonical name
};

// Any thread; each protocol has a lock of its own, which it does not hold while it delivers.
class FrameProtocol {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~FrameProtocol() = default;
  virtual void open(Time, Line&) {}
  virtual Sent send(const Frame& frame, Time now, Line& line) = 0;
  // From the peer. False: it has ended the flow.
  virtual bool data(ByteView bytes, Time now, Line& line, FrameReceiver& to) = 0;
  virtual void control(ByteView, Time, Line&, bool /*from_peer*/) {}
  // Does what is due, and returns when to be called next.
  virtual Time tick(Time, Line&) { return Time::max(); }
  virtual void close(Time, Line&, const char* /*reason*/) {}
  virtual void set_source(std::uint32_t) {}
  virtual FlowQuality quality() const { return {}; }
};

}  // namespace callis::streams
