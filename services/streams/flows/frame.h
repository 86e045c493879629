// SPDX-License-Identifier: Apache-2.0
// Frames, and who takes them.
#pragma once
#include <callis/base/bytes.h>
#include <cstdint>

namespace callis::streams {

// A piece of media: of RTP a packet's payload, of SFP a frame whole, of UDP a datagram, of TCP what came at once.
struct Frame {
  ByteView data;                // nobody's own: until the call returns
  std::uint32_t timestamp = 0;  // RTP, SFP: units of the format's clock
  bool marker = false;          // RTP: as the format's payload has it; video: the last packet of a picture
  std::uint32_t source = 0;     // received: RTP's SSRC, SFP's source
  std::uint32_t sequence = 0;   // received: RTP and SFP
};

// What became of a frame that was sent.
enum class Sent : std::uint8_t {
  Sent,          // the kernel has it
  Stopped,       // the flow is not started
  NotConnected,  // the peer is not there yet, or not any more
  NoCredit,      // SFP: the consumer has not renewed the credit; send it later, or drop it
  TooLarge,
  Failed,  // errno says why
};

class FrameReceiver {
 public:
  virtual ~FrameReceiver() = default;
  // On the flow's thread, one frame at a time. May send, start and stop flows; must not close this one.
  virtual void receive(const Frame& frame) = 0;
  // The peer has ended the flow, or its connection is lost: once, on the flow's thread.
  virtual void ended(const char* why) = 0;
};

}  // namespace callis::streams
