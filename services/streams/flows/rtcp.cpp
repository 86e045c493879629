// SPDX-License-Identifier: Apache-2.0
// Reading compound packets of RTCP from a peer, strictly; and writing them.
#include <services/streams/flows/big_endian.h>
#include <services/streams/flows/rtcp.h>
#include <algorithm>

namespace callis::streams {
namespace {

enum Type : Byte { kSr = 200, kRr = 201, kSdes = 202, kBye = 203 };
constexpr std::size_t kSenderBytes = 20, kBlockBytes = 24;
constexpr Byte kCname = 1;

bool read_report(ByteView body, std::size_t count, bool sender, RtcpCompound& into) {
  const std::size_t fixed = 4 + (sender ? kSenderBytes : 0);
  if (body.size() < fixed + count * kBlockBytes) return false;
  RtcpReport out;
  out.ssrc = big32(&body[0]);
  if (sender) {
    out.sender = SenderInfo{std::uint64_t{big32(&body[4])} << 32 | big32(&body[8]), big32(&body[12]),
                            big32(&body[16]), big32(&body[20])};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Byte* const at = &body[fixed + i * kBlockBytes];
    const std::uint32_t losses = big32(at + 4);
    out.blocks.push_back({big32(at), static_cast<std::uint8_t>(losses >> 24),
                          static_cast<std::int32_t>(losses << 8) >> 8, big32(at + 8), big32(at + 12), big32(at + 16),
                          big32(at + 20)});
  }
  into.reports.push_back(std::move(out));  // what is behind the blocks is a profile's, and passed over
  return true;
}

// Chunks: an SSRC, items, and zeros up to the next word.
bool read_names(ByteView body, std::size_t count, RtcpCompound& into) {
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (body.size() - at < 4) return false;
    const std::uint32_t ssrc = big32(&body[at]);
    at += 4;
    while (true) {
      if (at >= body.size()) return false;
      const Byte type = body[at++];
      if (type == 0) break;
      if (at >= body.size() || body.size() - at - 1 < body[at]) return false;
      const std::size_t size = body[at++];
      if (type == kCname) {
        into.names.push_back({ssrc, std::string(reinterpret_cast<const char*>(body.data()) + at, size)});
      }
      at += size;
    }
    at = (at + 3) & ~std::size_t{3};
    if (at > body.size()) return false;
  }
  return true;
}

bool read_bye(ByteView body, std::size_t count, RtcpCompound& into) {
  if (body.size() < count * 4) return false;
  for (std::size_t i = 0; i < count; ++i) into.byes.push_back(big32(&body[4 * i]));
  const ByteView rest = body.subspan(count * 4);
  if (rest.empty()) return true;
  if (rest.size() - 1 < rest[0]) return false;
  into.reason.assign(reinterpret_cast<const char*>(rest.data()) + 1, rest[0]);
  return true;
}

// Room for a packet of `body` bytes, a whole number of words; its header is written.
Byte* start(std::vector<Byte>& out, std::size_t count, Byte type, std::size_t body) {
  const std::size_t at = out.size();
  out.resize(at + 4 + body);
  out[at] = static_cast<Byte>(2 << 6 | count);
  out[at + 1] = type;
  put_big16(&out[at + 2], static_cast<std::uint16_t>(body / 4));
  return &out[at] + 4;
}

}  // namespace

std::optional<RtcpCompound> parse_rtcp(ByteView datagram) {
  RtcpCompound out;
  if (datagram.size() % 4 != 0) return std::nullopt;
  for (bool first = true; first || !datagram.empty(); first = false) {
    if (datagram.size() < 4 || datagram[0] >> 6 != 2) return std::nullopt;
    const std::size_t size = (std::size_t{big16(&datagram[2])} + 1) * 4;
    if (size > datagram.size()) return std::nullopt;
    const Byte type = datagram[1];
    if (first && type != kSr && type != kRr) return std::nullopt;
    ByteView body = datagram.subspan(4, size - 4);
    if (datagram[0] & 0x20) {  // padding: of the last packet alone, and not of the first (A.2)
      if (first || size != datagram.size() || body.empty()) return std::nullopt;
      const Byte padding = body.back();
      if (padding == 0 || padding % 4 != 0 || padding > body.size()) return std::nullopt;
      body = body.first(body.size() - padding);
    }
    const std::size_t count = datagram[0] & 31;
    bool good = true;
    switch (type) {
      case kSr:
      case kRr: good = read_report(body, count, type == kSr, out); break;
      case kSdes: good = read_names(body, count, out); break;
      case kBye: good = read_bye(body, count, out); break;
      default: ++out.unknown;
    }
    if (!good) return std::nullopt;
    datagram = datagram.subspan(size);
  }
  return out;
}

void put_report(std::vector<Byte>& out, const RtcpReport& report) {
  const std::size_t count = std::min(report.blocks.size(), kMostReportBlocks);
  const std::size_t fixed = 4 + (report.sender ? kSenderBytes : 0);
  Byte* at = start(out, count, report.sender ? kSr : kRr, fixed + count * kBlockBytes);
  put_big32(at, report.ssrc);
  if (report.sender) {
    put_big32(at + 4, static_cast<std::uint32_t>(report.sender->ntp >> 32));
    put_big32(at + 8, static_cast<std::uint32_t>(report.sender->ntp));
    put_big32(at + 12, report.sender->timestamp);
    put_big32(at + 16, report.sender->packets);
    put_big32(at + 20, report.sender->bytes);
  }
  at += fixed;
  for (std::size_t i = 0; i < count; ++i, at += kBlockBytes) {
    const ReportBlock& block = report.blocks[i];
    const std::int32_t lost = std::clamp(block.lost, -0x800000, 0x7fffff);
    put_big32(at, block.ssrc);
    put_big32(at + 4, std::uint32_t{block.fraction_lost} << 24 | (static_cast<std::uint32_t>(lost) & 0xffffff));
    put_big32(at + 8, block.highest);
    put_big32(at + 12, block.jitter);
    put_big32(at + 16, block.last_report);
    put_big32(at + 20, block.since_report);
  }
}

void put_cname(std::vector<Byte>& out, std::uint32_t ssrc, const std::string& cname) {
  const std::size_t size = std::min<std::size_t>(cname.size(), 255);
  const std::size_t body = (4 + 2 + size + 1 + 3) & ~std::size_t{3};  // at least one zero ends the items
  Byte* const at = start(out, 1, kSdes, body);
  put_big32(at, ssrc);
  at[4] = kCname;
  at[5] = static_cast<Byte>(size);
  std::copy_n(cname.begin(), size, at + 6);
}

void put_bye(std::vector<Byte>& out, std::uint32_t ssrc, const std::string& reason) {
  const std::size_t size = std::min<std::size_t>(reason.size(), 255);
  const std::size_t body = 4 + (size ? (1 + size + 3) & ~std::size_t{3} : 0);
  Byte* const at = start(out, 1, kBye, body);
  put_big32(at, ssrc);
  if (size) {
    at[4] = static_cast<Byte>(size);
    std::copy_n(reason.begin(), size, at + 5);
  }
}

}  // namespace callis::streams
