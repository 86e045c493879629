// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/rtp_protocol.h>

namespace callis::streams {
namespace {
constexpr std::size_t kMostPayload = 65507 - kRtpHeaderBytes;
}

Sent RtpProtocol::send(const Frame& frame, Time now, Line& line) {
  if (frame.data.size() > kMostPayload) return Sent::TooLarge;
  const std::lock_guard lock(mutex_);  // packets leave in the order of their numbers
  const auto header = session_.next_header(frame.timestamp, frame.marker, frame.data.size(), now);
  return line.data(header, frame.data) ? Sent::Sent : Sent::Failed;
}

void RtpProtocol::count(RtpSession::Taken taken, Line& line) {
  using Taken = RtpSession::Taken;
  if (taken == Taken::Malformed)
    ++malformed_;
  else if (taken != Taken::Good)
    ++ignored_;
  if (taken == Taken::Collision) {
    control_.clear();
    if (session_.take_collision_bye(control_)) line.control(control_);
  }
}

bool RtpProtocol::data(ByteView bytes, Time now, Line& line, FrameReceiver& to) {
  RtpPacket packet;
  {
    const std::lock_guard lock(mutex_);
    const RtpSession::Taken taken = session_.receive(bytes, now, packet);
    if (taken != RtpSession::Taken::Good) {
      count(taken, line);
      return true;
    }
  }
  Frame frame;
  frame.data = packet.payload;
  frame.timestamp = packet.timestamp;
  frame.marker = packet.marker;
  frame.source = packet.ssrc;
  frame.sequence = packet.sequence;
  to.receive(frame);
  return true;
}

void RtpProtocol::control(ByteView datagram, Time now, Line& line, bool from_peer) {
  const std::lock_guard lock(mutex_);
  count(session_.receive_control(datagram, now, from_peer), line);
}

RtpProtocol::Time RtpProtocol::tick(Time now, Line& line) {
  const std::lock_guard lock(mutex_);
  if (now >= session_.due()) {
    control_.clear();
    session_.report(now, control_);
    if (!control_.empty()) line.control(control_);
  }
  return session_.due();
}

void RtpProtocol::close(Time now, Line& line, const char* reason) {
  const std::lock_guard lock(mutex_);
  control_.clear();
  session_.bye(now, reason, control_);
  if (!control_.empty()) line.control(control_);
}

void RtpProtocol::set_source(std::uint32_t ssrc) {
  const std::lock_guard lock(mutex_);
  session_.set_ssrc(ssrc);
}

FlowQuality RtpProtocol::quality() const {
  const std::lock_guard lock(mutex_);
  FlowQuality out;
  out.received = session_.received_quality();
  out.sent = session_.sent_quality();
  out.malformed = malformed_;
  out.ignored = ignored_;
  out.collisions = session_.collisions();
  out.reports_sent = session_.reports_sent();
  out.reports_received = session_.reports_received();
  out.byes_received = session_.byes_received();
  out.members = session_.members();
  out.source = session_.ssrc();
  out.peer_name = session_.peer_cname();
  return out;
}

}  // namespace callis::streams
