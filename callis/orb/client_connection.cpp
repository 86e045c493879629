// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/client_connection.h>

namespace callis::orb {
namespace {

constexpr std::size_t kFirstReceiveBytes = 16u << 10;
constexpr std::size_t kPlainReplyHeader = 24;  // of GIOP 1.2, without contexts

// Of a Reply or LocateReply; nothing else can be asked for an id without decoding more.
bool id_of(const giop::Message& m, const Limits& limits, std::uint32_t& id) {
  cdr::Budget budget = cdr::Budget::of(limits, m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  if (m.header.type == giop::MessageType::Reply && m.header.version < giop::kGiop12) {
    giop::ReplyHeader h;
    if (!giop::decode(d, m.header.version, h, limits)) return false;
    id = h.request_id;
    return true;
  }
  id = d.get_ulong();  // the first member of LocateReply, and of Reply since 1.2
  return d.ok();
}

}  // namespace

ClientConnection::ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits,
                                   std::uint32_t first_id)
    : stream_(std::move(stream)), engine_(giop::Role::Client, limits), limits_(limits), next_id_(first_id) {}

transport::Transfer ClientConnection::send(std::size_t fragment_bytes, Deadline deadline) {
  if (fragment_bytes == 0 || request_.size() <= fragment_bytes) return stream_->send(request_.view(), deadline);
  header = {};  // cut() patches the header
  const Fault f = pieces_.cut({request_.data(), request_.size()}, fragment_bytes);
  if (f != Fault::None) return {0, f, 0};
  return stream_->send(pieces_.views(), deadline);
}

// The reply that nearly every call gets, recognised by a few comparisons.
bool ClientConnection::take_plain(std::uint32_t request_id, Arrival& a) {
  static const auto kStart = [] {
    std::array<Byte, kPlainReplyHeader> h{};
    giop::write_header(h.data(), {giop::kGiop12, kNativeOrder, false, giop::MessageType::Reply, 0});
    return load<std::uint64_t>(h.data());  // magic, version, flags, type
  }();
  const ByteView in = in_.view(consumed_);
  if (in.size() < kPlainReplyHeader || load<std::uint64_t>(in.data()) != kStart) return false;
  const std::size_t message_bytes = giop::kHeaderBytes + std::size_t{load<std::uint32_t>(in.data() + 8)};
  if (message_bytes != in.size() || load<std::uint32_t>(in.data() + 12) != request_id) return false;
  if (load<std::uint64_t>(in.data() + 16) != 0) return false;  // status and number of contexts
  if (engine_.reassemblies() != 0 || engine_.state() != giop::State::Open) return false;
  if (message_bytes - giop::kHeaderBytes > limits_.max_message_bytes) return false;
  consumed_ = in_.size();
  a.plain = true;
  a.body = in.subspan(kPlainReplyHeader);
  return true;
}

void ClientConnection::receive(std::uint32_t request_id, Deadline deadline, Arrival& a) {
  for (;;) {
    if (consumed_ == in_.size() && !fill(deadline, a)) return;
    if (take_plain(request_id, a)) return;
    const giop::Event ev = engine_.receive(in_.view(consumed_));
    consumed_ += ev.consumed;
    switch (ev.kind) {
      case giop::EventKind::Message: {
        std::uint32_t id = 0;
        if (!id_of(ev.message, limits_, id)) {
          a.fault = Fault::BadHeader;
          (void)stream_->send(engine_.refuse(ev.message.header.version, a.fault), deadline);
          return;
        }
        if (id != request_id) break;  // answers nothing that is asked now
        a.message = ev.message;
        return;
      }
      case giop::EventKind::NeedBytes:
        if (!fill(deadline, a)) return;
        break;
      case giop::EventKind::PeerClosing: a.fault = Fault::ConnectionClosed; return;
      case giop::EventKind::PeerError:
        a.fault = Fault::BadHeader;
        a.message_error = true;
        return;
      case giop::EventKind::ProtocolError:
        a.fault = ev.fault;
        (void)stream_->send(ev.to_send, deadline);
        return;
      case giop::EventKind::Closed: a.fault = engine_.end_fault(); return;
    }
  }
}

bool ClientConnection::fill(Deadline deadline, Arrival& a) {
  in_.drop_front(consumed_);
  consumed_ = 0;
  const std::size_t wanted = std::max(engine_.wanted_bytes(), kFirstReceiveBytes);
  if (in_.capacity() < wanted && !in_.reserve(wanted)) {
    a.fault = Fault::OutOfMemory;
    return false;
  }
  const transport::Transfer t = stream_->receive({in_.data() + in_.size(), in_.capacity() - in_.size()}, deadline);
  if (t.ok()) {
    in_.set_size(in_.size() + t.bytes);
    return true;
  }
  if (t.fault != Fault::DeadlinePassed) engine_.lost(t.fault);
  a.fault = t.fault;
  a.os_error = t.os_error;
  return false;
}

Error ClientConnection::error_of(const Arrival& a) const {
  if (a.message_error) return {a.fault, 0, peer() + " answered with MessageError"};
  if (a.fault == Fault::ConnectionClosed) return {a.fault, 0, peer() + " closed the connection"};
  return {a.fault, a.os_error, "waiting for a reply from " + peer()};
}

void ClientConnection::finish() {
  if (consumed_ == in_.size()) {
    in_.clear();
    consumed_ = 0;
  }
}

}  // namespace callis::orb
