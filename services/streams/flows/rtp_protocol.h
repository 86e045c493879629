// SPDX-License-Identifier: Apache-2.0
// RTP as the protocol of a flow: an RtpSession with a lock.
#pragma once
#include <services/streams/flows/frame_protocol.h>
#include <atomic>
#include <mutex>

namespace callis::streams {

class RtpProtocol final : public FrameProtocol {
 public:
  RtpProtocol(const RtpSettings& settings, Time now) : session_(settings, now) {}
  Sent send(const Frame& frame, Time now, Line& line) override;
  bool data(ByteView bytes, Time now, Line& line, FrameReceiver& to) override;
  void control(ByteView datagram, Time now, Line& line, bool from_peer) override;
  Time tick(Time now, Line& line) override;
  void close(Time now, Line& line, const char* reason) override;
  void set_source(std::uint32_t ssrc) override;
  FlowQuality quality() const override;

 private:
  void count(RtpSession::Taken taken, Line& line);  // with the lock

  mutable std::mutex mutex_;
  RtpSession session_;
  std::vector<Byte> control_;  // what is being written
  std::uint64_t malformed_ = 0, ignored_ = 0;
};

}  // namespace callis::streams
