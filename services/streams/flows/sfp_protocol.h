// SPDX-License-Identifier: Apache-2.0
// SFP 1.0 as the protocol of a flow. A&V Streams 1.0, 2.4.
//
//   producer                                    consumer
//     Start, until it is answered          ──►
//                                          ◄──   StartReply
//     frames; over UDP in fragments        ──►   put together, delivered
//                                          ◄──   Credit, when half of the last one is used up
//     EndofStream                          ──►
//
// With credit N a producer sends N frames, and N again when a Credit message with a new number comes; a consumer
// repeats itself where it waits, so that a lost message does not end the flow.
#pragma once
#include <services/streams/flows/frame_protocol.h>
#include <services/streams/flows/sfp_assembly.h>
#include <mutex>

namespace callis::streams {

struct SfpSettings {
  bool producer = false;
  bool connection = false;         // over TCP: no fragments, and messages have to be cut out of bytes
  std::uint32_t credit = 0;        // 0: without
  std::size_t piece_bytes = 8192;  // of a frame in one datagram
  std::size_t most_frame_bytes = 16u << 20;
  bool sequences = true, timestamps = false;  // SFPStatus: what frames say of themselves
  std::uint32_t source = 0;
};

class SfpProtocol final : public FrameProtocol {
 public:
  explicit SfpProtocol(const SfpSettings& settings) : settings_(settings), assembly_(settings.most_frame_bytes) {}
  void open(Time now, Line& line) override;
  Sent send(const Frame& frame, Time now, Line& line) override;
  bool data(ByteView bytes, Time now, Line& line, FrameReceiver& to) override;
  Time tick(Time now, Line& line) override;
  void close(Time now, Line& line, const char* reason) override;
  void set_source(std::uint32_t source) override;
  void set_status(bool sequences, bool timestamps);
  FlowQuality quality() const override;

 private:
  bool message(ByteView bytes, Time now, Line& line, FrameReceiver& to);
  bool deliver(const SfpFrame& frame, Time now, Line& line, FrameReceiver& to);
  void give_credit(Time now, Line& line);
  Sent send_pieces(SfpFrame& head, ByteView data, Line& line);

  mutable std::mutex mutex_;
  SfpSettings settings_;
  SfpAssembly assembly_;
  std::vector<Byte> unread_;  // over TCP: of a message that is not whole yet
  bool agreed_ = false, broken_ = false;
  int starts_ = 0;
  Time start_due_{}, last_frame_{};
  std::uint32_t sequence_ = 0, credit_ = 0, credit_number_ = 0, since_credit_ = 0;
  bool credit_due_ = false, received_any_ = false;
  std::uint32_t highest_ = 0;
  std::uint64_t received_ = 0, malformed_ = 0, ignored_ = 0;
  std::int64_t lost_ = 0;
};

}  // namespace callis::streams
