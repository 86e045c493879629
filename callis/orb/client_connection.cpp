// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/client_connection.h>

namespace callis::orb {
namespace {

constexpr std::size_t kFirstReceiveBytes = 16u << 10;

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

ClientConnection::Arrival ClientConnection::receive(std::uint32_t request_id, Deadline deadline) {
  Arrival a;
  for (;;) {
    const giop::Event ev = engine_.receive(in_.view(consumed_));
    consumed_ += ev.consumed;
    switch (ev.kind) {
      case giop::EventKind::Message: {
        std::uint32_t id = 0;
        if (!id_of(ev.message, limits_, id)) {
          a.error = {Fault::BadHeader, 0, "reply from " + peer()};
          (void)stream_->send(engine_.refuse(ev.message.header.version, Fault::BadHeader), deadline);
          return a;
        }
        if (id != request_id) break;  // answers nothing that is asked now
        a.message = ev.message;
        return a;
      }
      case giop::EventKind::NeedBytes:
        if (!fill(deadline, a)) return a;
        break;
      case giop::EventKind::PeerClosing:
        a.error = {Fault::ConnectionClosed, 0, peer() + " closed the connection"};
        return a;
      case giop::EventKind::PeerError:
        a.error = {Fault::BadHeader, 0, peer() + " answered with MessageError"};
        a.message_error = true;
        return a;
      case giop::EventKind::ProtocolError:
        a.error = {ev.fault, 0, "message from " + peer()};
        (void)stream_->send(ev.to_send, deadline);
        return a;
      case giop::EventKind::Closed:
        a.error = {engine_.end_fault(), 0, peer()};
        return a;
    }
  }
}

bool ClientConnection::fill(Deadline deadline, Arrival& a) {
  in_.drop_front(consumed_);
  consumed_ = 0;
  const std::size_t wanted = std::max(engine_.wanted_bytes(), kFirstReceiveBytes);
  if (in_.capacity() < wanted && !in_.reserve(wanted)) {
    a.error = {Fault::OutOfMemory, 0, "reply from " + peer()};
    return false;
  }
  const transport::Transfer t = stream_->receive({in_.data() + in_.size(), in_.capacity() - in_.size()}, deadline);
  if (t.ok()) {
    in_.set_size(in_.size() + t.bytes);
    return true;
  }
  if (t.fault != Fault::DeadlinePassed) engine_.lost(t.fault);
  a.error = {t.fault, t.os_error, "waiting for a reply from " + peer()};
  return false;
}

void ClientConnection::finish() {
  if (consumed_ == in_.size()) {
    in_.clear();
    consumed_ = 0;
  }
}

}  // namespace callis::orb
