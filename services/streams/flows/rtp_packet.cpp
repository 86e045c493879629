// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/big_endian.h>
#include <services/streams/flows/rtp_packet.h>

namespace callis::streams {

std::optional<RtpPacket> parse_rtp(ByteView datagram) {
  if (datagram.size() < kRtpHeaderBytes || datagram[0] >> 6 != 2) return std::nullopt;
  RtpPacket out;
  out.csrc_count = datagram[0] & 15;
  out.has_extension = datagram[0] & 0x10;
  out.marker = datagram[1] & 0x80;
  out.payload_type = datagram[1] & 0x7f;
  out.sequence = big16(&datagram[2]);
  out.timestamp = big32(&datagram[4]);
  out.ssrc = big32(&datagram[8]);
  ByteView rest = datagram.subspan(kRtpHeaderBytes);
  if (rest.size() < out.csrc_count * std::size_t{4}) return std::nullopt;
  for (std::size_t i = 0; i < out.csrc_count; ++i) out.csrc[i] = big32(&rest[4 * i]);
  rest = rest.subspan(out.csrc_count * std::size_t{4});
  if (out.has_extension) {
    if (rest.size() < 4) return std::nullopt;
    out.extension_profile = big16(&rest[0]);
    const std::size_t bytes = big16(&rest[2]) * std::size_t{4};
    if (rest.size() - 4 < bytes) return std::nullopt;
    out.extension = rest.subspan(4, bytes);
    rest = rest.subspan(4 + bytes);
  }
  if (datagram[0] & 0x20) {  // padding: its last byte counts it, itself included
    if (rest.empty() || rest.back() == 0 || rest.back() > rest.size()) return std::nullopt;
    rest = rest.first(rest.size() - rest.back());
  }
  out.payload = rest;
  return out;
}

std::array<Byte, kRtpHeaderBytes> rtp_header(const RtpPacket& of) {
  std::array<Byte, kRtpHeaderBytes> out;
  out[0] = 2 << 6;
  out[1] = static_cast<Byte>((of.marker ? 0x80 : 0) | (of.payload_type & 0x7f));
  put_big16(&out[2], of.sequence);
  put_big32(&out[4], of.timestamp);
  put_big32(&out[8], of.ssrc);
  return out;
}

}  // namespace callis::streams
