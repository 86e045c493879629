// SPDX-License-Identifier: Apache-2.0
// No flow protocol: a frame is a datagram, or bytes of a connection.
#pragma once
#include <services/streams/flows/frame_protocol.h>

namespace callis::streams {

class PlainProtocol final : public FrameProtocol {
 public:
  Sent send(const Frame& frame, Time, Line& line) override {
    return line.data({}, frame.data) ? Sent::Sent : Sent::Failed;
  }
  bool data(ByteView bytes, Time, Line&, FrameReceiver& to) override {
    Frame frame;
    frame.data = bytes;
    to.receive(frame);
    return true;
  }
};

}  // namespace callis::streams
