// SPDX-License-Identifier: Apache-2.0
// RTCP packets as bytes. RFC 3550, 6.4 to 6.6, and A.2 (what a compound packet must be).
#pragma once
#include <callis/base/bytes.h>
#include <optional>
#include <string>
#include <vector>

namespace callis::streams {

struct ReportBlock {
  std::uint32_t ssrc = 0;          // whose packets it is about
  std::uint8_t fraction_lost = 0;  // in 256ths, since the last report
  std::int32_t lost = 0;           // of all, 24 bits
  std::uint32_t highest = 0;       // extended sequence number
  std::uint32_t jitter = 0;        // units of the clock rate
  std::uint32_t last_report = 0;   // the middle 32 bits of the last SR's NTP time; 0: none came
  std::uint32_t since_report = 0;  // in 1/65536 s
};

struct SenderInfo {
  std::uint64_t ntp = 0;  // seconds since 1900, times 2^32
  std::uint32_t timestamp = 0, packets = 0, bytes = 0;
};

struct RtcpReport {
  std::uint32_t ssrc = 0;
  std::optional<SenderInfo> sender;  // SR; RR has none
  std::vector<ReportBlock> blocks;
};

struct RtcpName {
  std::uint32_t ssrc = 0;
  std::string cname;  // as it came: any bytes, at most 255
};

struct RtcpCompound {
  std::vector<RtcpReport> reports;
  std::vector<RtcpName> names;
  std::vector<std::uint32_t> byes;
  std::string reason;       // of the last BYE: any bytes, at most 255
  std::size_t unknown = 0;  // packets of types that are passed over, as APP
};

// Nothing: it is malformed, and all of it is to be dropped.
std::optional<RtcpCompound> parse_rtcp(ByteView datagram);

inline constexpr std::size_t kMostReportBlocks = 31;  // of one packet

// Appended to `out`. Blocks behind the 31st are left out, as are bytes of texts behind the 255th.
void put_report(std::vector<Byte>& out, const RtcpReport& report);
void put_cname(std::vector<Byte>& out, std::uint32_t ssrc, const std::string& cname);
void put_bye(std::vector<Byte>& out, std::uint32_t ssrc, const std::string& reason);

}  // namespace callis::streams
