// SPDX-License-Identifier: Apache-2.0
// Connections as the log tells of them: opened, lost or closed, and with trace each message, decoded as far as its
// header goes.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/giop/giop.h>
#include <callis/orb/diagnostics/log_texts.h>
#include <callis/orb/diagnostics/logged_stream.h>
#include <algorithm>
#include <atomic>
#include <vector>

CALLIS_PROVIDE(logged_stream);

namespace callis::orb {
namespace {

std::string name_of_context(std::uint32_t id) {
  static constexpr const char* kNames[] = {
      "TransactionService", "CodeSets", "ChainBypassCheck", "ChainBypassInfo", "LogicalThreadId", "BI_DIR_IIOP",
      "SendingContextRunTime", "INVOCATION_POLICIES", "FORWARDED_IDENTITY", "UnknownExceptionInfo",
      "RTCorbaPriority", "RTCorbaPriorityRange", "FT_GROUP_VERSION", "FT_REQUEST", "ExceptionDetailMessage",
      "SecurityAttributeService", "ActivityService", "RMICustomMaxStreamFormat"};
  return id < std::size(kNames) ? kNames[id] : concat({"#", Decimal(id)});
}

const char* name_of(giop::ReplyStatus status) {
  static constexpr const char* kNames[] = {"NO_EXCEPTION", "USER_EXCEPTION", "SYSTEM_EXCEPTION", "LOCATION_FORWARD",
                                           "LOCATION_FORWARD_PERM", "NEEDS_ADDRESSING_MODE"};
  const auto i = static_cast<std::size_t>(status);
  return i < std::size(kNames) ? kNames[i] : "?";
}

std::string names_of(const giop::ServiceContexts& contexts) {
  std::string names;
  for (std::size_t i = 0; i < contexts.size(); ++i)
    names += concat({i == 0 ? ", contexts " : " ", name_of_context(contexts[i].id)});
  return names;
}

// Describes a message: its type, version, order and size, and the contents of its header. body: the part that has
// come, from the peer.
std::string describe(const giop::MessageHeader& h, ByteView body) {
  std::string text =
      concat({"GIOP 1.", Decimal(h.version.minor), " ", giop::message_type_name(h.type), ", ",
              h.order == ByteOrder::Little ? "little-endian" : "big-endian", ", ", Decimal(h.message_bytes()),
              " bytes", h.more_fragments ? ", more fragments follow" : ""});
  cdr::Budget budget{1 << 16, 8};
  cdr::Decoder d(body, h.order, budget, giop::kBodyPhase, giop::wide_form(h.version));
  const Limits limits;
  switch (h.type) {
    case giop::MessageType::Request: {
      giop::RequestHeader r;
      if (!giop::decode(d, h.version, r, limits)) break;
      return text + concat({", id ", Decimal(r.request_id), ", operation ", r.operation, ", key ",
                            short_key(r.target.object_key), r.response_expected() ? "" : ", no reply wanted",
                            names_of(r.contexts)});
    }
    case giop::MessageType::Reply: {
      giop::ReplyHeader r;
      if (!giop::decode(d, h.version, r, limits)) break;
      return text + concat({", id ", Decimal(r.request_id), ", ", name_of(r.status), names_of(r.contexts)});
    }
    case giop::MessageType::CancelRequest: case giop::MessageType::LocateRequest:
    case giop::MessageType::LocateReply: {
      const std::uint32_t id = d.get_ulong();
      return d.ok() ? text + concat({", id ", Decimal(id)}) : text;
    }
    case giop::MessageType::Fragment: {
      const std::uint32_t id = h.version >= giop::kGiop12 ? d.get_ulong() : 0;
      return d.ok() && h.version >= giop::kGiop12 ? text + concat({", id ", Decimal(id)}) : text;
    }
    case giop::MessageType::CloseConnection: case giop::MessageType::MessageError: break;
  }
  return text;
}

// Finds the messages in the bytes of one direction. After bytes that are no GIOP it says no more.
class Messages final {
 public:
  Messages(const std::string& peer, const char* way) : peer_(peer), way_(way) {}

  void take(ByteView bytes) {
    while (!bytes.empty() && !lost_) {
      if (head_.size() < giop::kHeaderBytes) {
        bytes = keep(bytes, giop::kHeaderBytes - head_.size());
        if (head_.size() == giop::kHeaderBytes) begin();
      } else {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_));
        const ByteView part = bytes.first(n);
        keep(part, std::min(n, kMost - std::min(kMost, head_.size())));
        left_ -= n;
        bytes = bytes.subspan(n);
      }
      if (head_.size() >= giop::kHeaderBytes && left_ == 0) end();
    }
  }

 private:
  static constexpr std::size_t kMost = 4096;  // of a message that are looked at

  ByteView keep(ByteView bytes, std::size_t most) {
    const std::size_t n = std::min(bytes.size(), most);
    head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    return bytes.subspan(n);
  }
  void begin() {
    Limits limits;
    limits.max_message_bytes = ~0u;
    lost_ = giop::parse_header(head_, limits, header_) != Fault::None;
    if (lost_) log(LogLevel::Trace, {way_, peer_, ": what is no GIOP message"});
    left_ = header_.body_bytes;
  }
  void end() {
    log(LogLevel::Trace, {way_, peer_, ": ", describe(header_, ByteView(head_).subspan(giop::kHeaderBytes))});
    head_.clear();
  }

  const std::string& peer_;
  const char* const way_;
  std::vector<Byte> head_;  // of the message that is passing
  giop::MessageHeader header_;
  std::uint64_t left_ = 0;
  bool lost_ = false;
};

class LoggedStream final : public transport::Stream {
 public:
  LoggedStream(std::unique_ptr<transport::Stream> inner, Opened by) : inner_(std::move(inner)) {
    log(LogLevel::Info, {by == Opened::Here ? "connection opened to " : "connection accepted from ", peer()});
  }
  ~LoggedStream() override {
    const Fault f = fault_.load(std::memory_order_relaxed);
    const int error = error_.load(std::memory_order_relaxed);
    const bool by_peer = f == Fault::ConnectionLost && error == 0;
    const std::string why = by_peer ? "the peer has closed it" : Error{f, error, {}}.text();
    if (f == Fault::None) log(LogLevel::Info, {"connection closed: ", peer()});
    else log(LogLevel::Info, {"connection lost: ", peer(), ": ", why});
  }

  transport::Transfer send(std::span<const ByteView> parts, Deadline deadline) override {
    return sent(parts, inner_->send(parts, deadline));
  }
  transport::Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) override {
    return received(into, inner_->receive(into, deadline, now));
  }
  transport::Transfer send_within(std::span<const ByteView> parts, Duration limit) override {
    return sent(parts, inner_->send_within(parts, limit));
  }
  transport::Transfer receive_within(MutableBytes into, Duration limit) override {
    return received(into, inner_->receive_within(into, limit));
  }
  int descriptor() const override { return inner_->descriptor(); }
  transport::Transfer send_now(std::span<const ByteView> parts) override {
    return sent(parts, inner_->send_now(parts));
  }
  transport::Transfer receive_now(MutableBytes into) override { return received(into, inner_->receive_now(into)); }
  bool pending() const override { return inner_->pending(); }
  void set_spin(std::chrono::microseconds time) override { inner_->set_spin(time); }
  bool gathers() const override { return inner_->gathers(); }
  bool quiet() override { return inner_->quiet(); }
  void finish_sending() noexcept override { inner_->finish_sending(); }
  void stop_receiving() noexcept override { inner_->stop_receiving(); }
  void shutdown() noexcept override { inner_->shutdown(); }
  const std::string& peer() const override { return inner_->peer(); }
  const transport::Peer& peer_identity() const override { return inner_->peer_identity(); }

 private:
  transport::Transfer note(const transport::Transfer& t) {
    if (!t.ok() && t.fault != Fault::DeadlinePassed) {
      error_.store(t.os_error, std::memory_order_relaxed);
      fault_.store(t.fault, std::memory_order_relaxed);
    }
    return t;
  }
  transport::Transfer sent(std::span<const ByteView> parts, const transport::Transfer& t) {
    std::size_t left = t.bytes;
    if (logging(LogLevel::Trace)) {
      for (const ByteView part : parts) {
        const std::size_t n = std::min(left, part.size());
        out_.take(part.first(n));
        left -= n;
      }
    }
    return note(t);
  }
  transport::Transfer received(MutableBytes into, const transport::Transfer& t) {
    if (logging(LogLevel::Trace)) in_.take(ByteView(into.data(), t.bytes));
    return note(t);
  }

  const std::unique_ptr<transport::Stream> inner_;
  Messages out_{inner_->peer(), "-> "}, in_{inner_->peer(), "<- "};  // by the sending thread, by the receiving one
  std::atomic<Fault> fault_{Fault::None};
  std::atomic<int> error_{0};
};

}  // namespace

void log_stream(std::unique_ptr<transport::Stream>& stream, Opened by) {
  if (logging(LogLevel::Info)) stream = std::make_unique<LoggedStream>(std::move(stream), by);
}

}  // namespace callis::orb
