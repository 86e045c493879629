// SPDX-License-Identifier: Apache-2.0
// A participant of an RTP session: what it sends and receives, its reports, and who else is there. RFC 3550. Without
// sockets, threads and clocks: bytes and times come in, bytes go out.
//
// Not for several threads at once. Times are those of one steady clock.
#pragma once
#include <services/streams/flows/rtcp.h>
#include <services/streams/flows/rtp_packet.h>
#include <services/streams/flows/rtp_source.h>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace callis::streams {

struct RtpSettings {
  std::uint8_t payload_type = 96;     // of what is sent; what is received has this one, too
  std::uint32_t clock_rate = 90000;   // units of timestamps a second
  std::string cname;                  // canonical name: user@host
  double bandwidth_bits = 1e6;        // of the session, bits a second; RTCP has 5 % of it
  std::optional<std::uint32_t> ssrc;  // nothing: drawn at random
  std::uint32_t seed = 0;             // of the session's random numbers; 0: of the system
};

// What is known of the stream that is received, or, from the peer's reports, of the one that is sent.
struct RtpQuality {
  std::uint64_t received = 0;
  std::int64_t lost = 0;
  double jitter_ms = 0;
  double round_trip_ms = 0;  // of what is sent; 0: not known
};

class RtpSession final {
 public:
  using Time = std::chrono::steady_clock::time_point;
  RtpSession(const RtpSettings& settings, Time now);

  std::uint32_t ssrc() const { return ssrc_; }
  void set_ssrc(std::uint32_t ssrc) { ssrc_ = ssrc; }
  // The header of the next packet that is sent; counts it.
  std::array<Byte, kRtpHeaderBytes> next_header(std::uint32_t timestamp, bool marker, std::size_t payload_bytes,
                                                Time now);

  enum class Taken : std::uint8_t { Good, Malformed, OtherPayload, OutOfSequence, Collision, Loop, TooManySources };
  // `packet` is written where the result is Good.
  Taken receive(ByteView datagram, Time now, RtpPacket& packet);
  // `from_peer`: from the agreed peer. Others' packets count for who there is, and for nothing else: they may not
  // speak for sources that send.
  Taken receive_control(ByteView datagram, Time now, bool from_peer = true);

  // When report() is to be called.
  Time due() const { return next_; }
  // Appends a compound packet, if the time has really come (6.3.6).
  void report(Time now, std::vector<Byte>& out);
  // Appends the compound packet of the end; nothing with 50 members or more, which would all speak at once (6.3.7).
  void bye(Time now, const std::string& reason, std::vector<Byte>& out);
  // After a collision: the BYE of the former SSRC, to be sent at once.
  bool take_collision_bye(std::vector<Byte>& out);

  RtpQuality received_quality() const;  // of all sources together; jitter of the latest
  const RtpQuality& sent_quality() const { return sent_; }
  std::size_t members() const { return members_.size() + 1; }
  std::size_t senders() const;
  std::uint64_t collisions() const { return collisions_; }
  std::uint64_t reports_received() const { return reports_received_; }
  std::uint64_t reports_sent() const { return reports_sent_; }
  std::uint64_t byes_received() const { return byes_received_; }
  const std::string& peer_cname() const { return peer_cname_; }

  static constexpr std::size_t kMostMembers = 1024;

 private:
  struct Member {
    std::optional<RtpSource> source;  // it sends
    Time heard{}, sent{};             // last packet of any kind; last of RTP
    std::uint32_t last_report = 0;
    Time reported{};
  };
  Member* member(std::uint32_t ssrc, Time now);
  Taken own_ssrc_seen(Time now);
  void read_report(const RtcpReport& report, Time now, bool from_peer);
  void forget_silent(Time now);
  void leave(std::uint32_t ssrc, Time now);
  double interval(bool randomized);
  bool we_sent(Time now) const;
  void put_own_report(Time now, std::vector<Byte>& out);
  std::uint32_t rtp_clock(Time now) const;

  const RtpSettings settings_;
  std::mt19937 random_;
  std::uint32_t ssrc_;
  std::uint16_t sequence_;
  std::uint32_t packets_ = 0, bytes_ = 0, last_timestamp_ = 0;
  Time start_, last_sent_{};
  std::map<std::uint32_t, Member> members_;
  std::uint32_t latest_ = 0;  // the source that was heard last
  // Of sources that have left: for received_quality().
  std::uint64_t gone_received_ = 0;
  std::int64_t gone_lost_ = 0;
  RtpQuality sent_;
  std::string peer_cname_;
  // The timer (6.3.1).
  Time last_, next_;
  std::size_t members_then_ = 1;
  double average_bytes_;
  bool initial_ = true;
  // Collisions (8.2).
  std::optional<std::uint32_t> leaving_;
  Time collided_{};
  std::uint64_t collisions_ = 0, reports_received_ = 0, reports_sent_ = 0, byes_received_ = 0;
};

}  // namespace callis::streams
