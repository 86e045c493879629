// SPDX-License-Identifier: Apache-2.0
// H.264 as RTP payload (RFC 6184, packetization mode 1), and out of and into byte streams (H.264, Annex B).
//
//   AnnexB in;  in.push(bytes of a file or an encoder);  while (in.next(nal)) ...
//   h264_packets(nal, most, [&](ByteView payload, bool last) { ... })       one NAL unit in one packet or in FU-As
//   H264Assembly back;  back.take(payload, sequence, [&](ByteView nal) { ... })
#pragma once
#include <callis/base/bytes.h>
#include <cstdint>
#include <functional>
#include <vector>

namespace callis::streams {

// Cuts NAL units out of a byte stream. One thread at a time.
class AnnexB final {
 public:
  // A unit may have so many bytes; what is longer is thrown away.
  explicit AnnexB(std::size_t most = 4u << 20) : most_(most) {}
  void push(ByteView bytes);
  // No more bytes come: the last unit is whole.
  void finish() { finished_ = true; }
  // False: there is none yet. The view lasts until the next call of anything.
  bool next(ByteView& nal);

 private:
  const std::size_t most_;
  std::vector<Byte> bytes_;
  std::size_t at_ = 0;       // where the unit begins, behind its start code
  std::size_t scanned_ = 0;  // where no start code is before
  bool inside_ = false, finished_ = false;
};

// Type of a NAL unit; 0 for an empty one.
inline int nal_type(ByteView nal) { return nal.empty() ? 0 : nal[0] & 31; }
// A slice: part of a picture.
inline bool is_slice(ByteView nal) { return nal_type(nal) == 1 || nal_type(nal) == 5; }
// The first slice of a picture: first_mb_in_slice is 0.
inline bool begins_picture(ByteView nal) { return is_slice(nal) && nal.size() > 1 && (nal[1] & 0x80); }

// The payloads of one unit, each at most `most` bytes (at least 3). `last`: of this unit.
void h264_packets(ByteView nal, std::size_t most, const std::function<void(ByteView payload, bool last)>& each);

// Puts units together. What comes from a peer is checked; a unit of which a packet was lost is thrown away.
class H264Assembly final {
 public:
  explicit H264Assembly(std::size_t most = 4u << 20) : most_(most) {}
  // Payloads in the order of their sequence numbers. False: it is none of RFC 6184's that mode 1 has.
  bool take(ByteView payload, std::uint16_t sequence, const std::function<void(ByteView nal)>& each);
  std::uint64_t incomplete() const { return incomplete_; }  // units that were thrown away

 private:
  const std::size_t most_;
  std::vector<Byte> unit_;  // of FU-As; empty: none has begun
  std::uint16_t expected_ = 0;
  std::uint64_t incomplete_ = 0;
};

}  // namespace callis::streams
