// SPDX-License-Identifier: Apache-2.0
#include <callis/base/clock.h>
#include <callis/base/text.h>
#include <callis/orb/diagnostics/limit_texts.h>
#include <atomic>

CALLIS_PROVIDE(limit_texts);

namespace callis::orb {
namespace {

constexpr std::chrono::minutes kQuiet{1};  // between two warnings
constexpr std::size_t kLarge = 1u << 20;   // peers have limits above it
constinit std::atomic<TimePoint> last_warnings[2]{};

}  // namespace

std::string text_of_excess(const giop::Connection::Excess& excess, const Limits& limits) {
  const char* const what = excess.in_pieces ? "messages in fragments, " : "a message of ";
  if (excess.bytes > limits.max_message_bytes)
    return concat({what, Decimal(excess.bytes), excess.in_pieces ? " bytes together" : " bytes",
                   ", more than the limit of ", Decimal(limits.max_message_bytes), " (-ORBMaxMessageSize)"});
  if (excess.fragments != 0)
    return concat({"a message in more than ", Decimal(excess.fragments), " fragments, the limit (-ORBMaxFragments)"});
  return concat({"more than ", Decimal(limits.max_reassemblies),
                 " messages in fragments at a time, the limit (-ORBMaxReassemblies)"});
}

void log_refused(std::string_view peer, Fault fault, const giop::Connection::Excess& excess, const Limits& limits,
                 const ByteView& rest) {
  if (fault == Fault::LimitExceeded)
    return log(level_of(MetLimit::OfMessages), {peer, " sent ", text_of_excess(excess, limits),
                                                "; it gets MessageError, and its connection is closed"});
  const bool tls = fault == Fault::BadMagic && rest.size() >= 2 && rest[0] == 0x16 && rest[1] == 3;
  log(LogLevel::Info, {peer, ": ", fault_name(fault),
                       tls ? ": it began a handshake of TLS, and this endpoint is for clients without TLS" : ""});
}

const char* text_of_full(bool of_one_peer) {
  return of_one_peer ? "too many connections of one peer (-ORBMaxConnectionsPerPeer)"
                     : "too many connections (-ORBMaxConnections)";
}

LogLevel level_of(MetLimit limit) {
  std::atomic<TimePoint>& last_warning = last_warnings[static_cast<std::size_t>(limit)];
  const TimePoint now = Clock::steady().now();
  TimePoint last = last_warning.load(std::memory_order_relaxed);
  const bool warns = (last == TimePoint{} || now - last >= kQuiet) && last_warning.compare_exchange_strong(last, now);
  return warns ? LogLevel::Warning : LogLevel::Info;
}

std::string text_of(const MetEnd& end) {
  if (end.message_error) {
    std::size_t bytes = end.sent.size();
    for (std::size_t i = 0; i < end.gathered.count; ++i) bytes += end.gathered.pieces[i].bytes.size();
    return concat({" answered with MessageError to a message of ", Decimal(bytes), " bytes",
                   bytes > kLarge ? "; its limit for messages may be smaller (-ORBMaxMessageSize of callis)" : ""});
  }
  if (end.excess.bytes != 0) return concat({" sent ", text_of_excess(end.excess, end.limits)});
  return " closed the connection: it stops, or it has too many connections (-ORBMaxConnectionsPerPeer of callis)";
}

}  // namespace callis::orb
