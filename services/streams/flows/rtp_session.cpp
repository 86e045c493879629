// SPDX-License-Identifier: Apache-2.0
// A participant of an RTP session.
#include <services/streams/flows/rtcp_interval.h>
#include <services/streams/flows/rtp_session.h>
#include <algorithm>

namespace callis::streams {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
constexpr double kHeaders = 28;  // of IPv4 and UDP
constexpr std::size_t kMostForBye = 50;

std::chrono::steady_clock::duration seconds(double s) {
  return duration_cast<std::chrono::steady_clock::duration>(duration<double>(s));
}
double since(std::chrono::steady_clock::time_point then, std::chrono::steady_clock::time_point now) {
  return duration<double>(now - then).count();
}

// Seconds since 1900 in 32.32 bits, by the system's clock.
std::uint64_t ntp_now() {
  const double unix_seconds = duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return static_cast<std::uint64_t>((unix_seconds + 2208988800.0) * 4294967296.0);
}

}  // namespace

RtpSession::RtpSession(const RtpSettings& settings, Time now)
    : settings_(settings),
      random_(settings.seed ? settings.seed : std::random_device{}()),
      ssrc_(settings.ssrc ? *settings.ssrc : static_cast<std::uint32_t>(random_())),
      sequence_(static_cast<std::uint16_t>(random_() & 0x7fff)),
      start_(now),
      last_(now),
      average_bytes_(kHeaders + 60) {
  next_ = now + seconds(interval(true));
}

std::uint32_t RtpSession::rtp_clock(Time now) const {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(since(start_, now) * settings_.clock_rate));
}

std::array<Byte, kRtpHeaderBytes> RtpSession::next_header(std::uint32_t timestamp, bool marker,
                                                          std::size_t payload_bytes, Time now) {
  RtpPacket packet;
  packet.marker = marker;
  packet.payload_type = settings_.payload_type;
  packet.sequence = sequence_++;
  packet.timestamp = last_timestamp_ = timestamp;
  packet.ssrc = ssrc_;
  ++packets_;
  bytes_ += static_cast<std::uint32_t>(payload_bytes);
  last_sent_ = now;
  return rtp_header(packet);
}

RtpSession::Member* RtpSession::member(std::uint32_t ssrc, Time now) {
  auto found = members_.find(ssrc);
  if (found == members_.end()) {
    if (members_.size() >= kMostMembers - 1) return nullptr;
    found = members_.try_emplace(ssrc).first;
  }
  found->second.heard = now;
  return &found->second;
}

// Another participant has our identifier, or our own packets come back (8.2).
RtpSession::Taken RtpSession::own_ssrc_seen(Time now) {
  if (collisions_ && since(collided_, now) < 10 * interval(false)) {
    collided_ = now;
    return Taken::Loop;  // right after a change: our packets are looped; changing again would never end
  }
  ++collisions_;
  collided_ = now;
  leaving_ = ssrc_;
  do {
    ssrc_ = static_cast<std::uint32_t>(random_());
  } while (members_.count(ssrc_));
  packets_ = bytes_ = 0;
  return Taken::Collision;
}

RtpSession::Taken RtpSession::receive(ByteView datagram, Time now, RtpPacket& packet) {
  const std::optional<RtpPacket> parsed = parse_rtp(datagram);
  if (!parsed) return Taken::Malformed;
  if (parsed->payload_type != settings_.payload_type) return Taken::OtherPayload;
  if (parsed->ssrc == ssrc_) return own_ssrc_seen(now);
  Member* const from = member(parsed->ssrc, now);
  if (!from) return Taken::TooManySources;
  if (!from->source) from->source.emplace(parsed->sequence);
  if (!from->source->take(parsed->sequence)) return Taken::OutOfSequence;
  from->source->arrived(rtp_clock(now), parsed->timestamp);
  from->sent = now;
  latest_ = parsed->ssrc;
  packet = *parsed;
  return Taken::Good;
}

void RtpSession::read_report(const RtcpReport& report, Time now, bool from_peer) {
  Member* const from = member(report.ssrc, now);
  if (!from) return;
  if (report.sender && from_peer) {
    from->last_report = static_cast<std::uint32_t>(report.sender->ntp >> 16);
    from->reported = now;
  }
  if (!from_peer) return;
  ++reports_received_;
  for (const ReportBlock& block : report.blocks) {
    if (block.ssrc != ssrc_) continue;
    sent_.lost = block.lost;
    sent_.jitter_ms = block.jitter * 1000.0 / settings_.clock_rate;
    if (block.last_report) {
      const auto now_middle = static_cast<std::uint32_t>(ntp_now() >> 16);
      const std::uint32_t trip = now_middle - block.last_report - block.since_report;
      if (trip < 60u << 16) sent_.round_trip_ms = trip * 1000.0 / 65536;  // else the peer lies, or clocks jumped
    }
  }
}

RtpSession::Taken RtpSession::receive_control(ByteView datagram, Time now, bool from_peer) {
  const std::optional<RtcpCompound> parsed = parse_rtcp(datagram);
  if (!parsed) return Taken::Malformed;
  average_bytes_ += (static_cast<double>(datagram.size()) + kHeaders - average_bytes_) / 16;
  Taken out = Taken::Good;
  const auto may_speak_for = [&](std::uint32_t ssrc) {
    const auto found = members_.find(ssrc);
    return from_peer || found == members_.end() || !found->second.source;
  };
  for (const RtcpReport& report : parsed->reports) {
    if (report.ssrc == ssrc_) {
      if (from_peer) out = own_ssrc_seen(now);
    } else if (may_speak_for(report.ssrc)) {
      read_report(report, now, from_peer);
    }
  }
  for (const RtcpName& name : parsed->names) {
    if (from_peer && members_.count(name.ssrc)) peer_cname_ = name.cname;
  }
  for (const std::uint32_t ssrc : parsed->byes) {
    if (ssrc != ssrc_ && may_speak_for(ssrc) && members_.count(ssrc)) {
      ++byes_received_;
      leave(ssrc, now);
    }
  }
  return out;
}

// With reverse reconsideration (6.3.4): who has fewer beside him may speak earlier.
void RtpSession::leave(std::uint32_t ssrc, Time now) {
  const auto found = members_.find(ssrc);
  if (found == members_.end()) return;
  if (found->second.source) {
    gone_received_ += found->second.source->received();
    gone_lost_ += found->second.source->lost();
  }
  members_.erase(found);
  if (members() < members_then_) {
    const double share = static_cast<double>(members()) / static_cast<double>(members_then_);
    next_ = now + seconds(share * since(now, next_));
    last_ = now - seconds(share * since(last_, now));
    members_then_ = members();
  }
}

// 6.3.5: members after five intervals of silence.
void RtpSession::forget_silent(Time now) {
  const double limit = 5 * interval(false);
  std::vector<std::uint32_t> silent;
  for (const auto& [ssrc, member] : members_) {
    if (since(member.heard, now) > limit) silent.push_back(ssrc);
  }
  for (const std::uint32_t ssrc : silent) leave(ssrc, now);
}

std::size_t RtpSession::senders() const {
  return static_cast<std::size_t>(std::count_if(members_.begin(), members_.end(),
                                                [](const auto& m) { return m.second.source.has_value(); })) +
         (packets_ ? 1 : 0);
}

bool RtpSession::we_sent(Time now) const {
  return packets_ != 0 && since(last_sent_, now) < 2 * since(last_, now) + 1;
}

double RtpSession::interval(bool randomized) {
  RtcpLoad load;
  load.members = members();
  load.senders = senders();
  load.bandwidth = settings_.bandwidth_bits * 0.05 / 8;
  load.average_bytes = average_bytes_;
  load.we_sent = packets_ != 0;
  load.initial = initial_ && randomized;
  load.least_seconds = std::min(5.0, 360.0 / std::max(1.0, settings_.bandwidth_bits / 1000));
  if (!randomized) return deterministic_interval(load);
  return rtcp_interval(load, std::uniform_real_distribution<double>(0, 1)(random_));
}

void RtpSession::put_own_report(Time now, std::vector<Byte>& out) {
  RtcpReport report;
  report.ssrc = ssrc_;
  if (we_sent(now)) {
    const double ago = since(last_sent_, now);
    report.sender = SenderInfo{ntp_now(), last_timestamp_ + static_cast<std::uint32_t>(ago * settings_.clock_rate),
                               packets_, bytes_};
  }
  for (auto& [ssrc, member] : members_) {
    if (!member.source || member.sent < last_ || report.blocks.size() == kMostReportBlocks) continue;
    ReportBlock block;
    block.ssrc = ssrc;
    block.fraction_lost = member.source->fraction_lost();
    block.lost = static_cast<std::int32_t>(std::clamp<std::int64_t>(member.source->lost(), -0x800000, 0x7fffff));
    block.highest = member.source->highest();
    block.jitter = member.source->jitter();
    if (member.last_report) {
      block.last_report = member.last_report;
      block.since_report = static_cast<std::uint32_t>(std::min(since(member.reported, now), 60000.0) * 65536);
    }
    report.blocks.push_back(block);
  }
  put_report(out, report);
  put_cname(out, ssrc_, settings_.cname);
}

void RtpSession::report(Time now, std::vector<Byte>& out) {
  forget_silent(now);
  const Time reconsidered = last_ + seconds(interval(true));
  if (reconsidered > now) {
    next_ = reconsidered;
    members_then_ = members();
    return;
  }
  const std::size_t before = out.size();
  put_own_report(now, out);
  ++reports_sent_;
  average_bytes_ += (static_cast<double>(out.size() - before) + kHeaders - average_bytes_) / 16;
  last_ = now;
  initial_ = false;
  next_ = now + seconds(interval(true));
  members_then_ = members();
}

void RtpSession::bye(Time now, const std::string& reason, std::vector<Byte>& out) {
  if (members() >= kMostForBye || (!packets_ && !reports_sent_)) return;  // 6.3.7: who never spoke says no BYE
  put_own_report(now, out);
  put_bye(out, ssrc_, reason);
}

bool RtpSession::take_collision_bye(std::vector<Byte>& out) {
  if (!leaving_) return false;
  RtcpReport report;
  report.ssrc = *leaving_;
  put_report(out, report);
  put_cname(out, *leaving_, settings_.cname);
  put_bye(out, *leaving_, "SSRC collision");
  leaving_.reset();
  return true;
}

RtpQuality RtpSession::received_quality() const {
  RtpQuality out;
  out.received = gone_received_;
  out.lost = gone_lost_;
  for (const auto& [ssrc, member] : members_) {
    if (!member.source) continue;
    out.received += member.source->received();
    out.lost += member.source->lost();
    if (ssrc == latest_) out.jitter_ms = member.source->jitter() * 1000.0 / settings_.clock_rate;
  }
  return out;
}

}  // namespace callis::streams
