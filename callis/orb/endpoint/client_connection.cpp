// SPDX-License-Identifier: Apache-2.0
// Sending in pieces and receiving in full: everything but the usual request and reply.
#include <callis/base/peer_memory.h>
#include <callis/base/text.h>
#include <callis/orb/diagnostics/limit_texts.h>
#include <callis/orb/endpoint/client_connection.h>
#include <callis/orb/endpoint/shared_connection.h>

namespace callis::orb {

ClientConnection* ConnectionPlace::take_away() noexcept {
  ClientConnection* const c = take();
  if (c) c->leave_place();
  return c;
}

bool ConnectionPlace::put(ClientConnection* c, ClientConnection*& before) noexcept {
  before = take();
  if (before) {  // the place is kept, by us
    before->place_ = nullptr;
    put_back(c);
    return true;
  }
  std::uintptr_t empty = kEmpty;
  return held_.compare_exchange_strong(empty, value(c), std::memory_order_acq_rel);
}

ClientConnection* ConnectionPlace::empty_in_child() noexcept {
  ClientConnection* const c = take_away();
  held_.store(kEmpty, std::memory_order_relaxed);  // nobody comes back who has kept it
  return c;
}

ClientConnection::ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits,
                                   std::size_t fragment_bytes, std::uint32_t first_id, OnewayFlusher* flusher)
    : stream_(std::move(stream)),
      flusher_(flusher),
      held_(flusher && stream_->gathers() ? HeldOneways::make(*stream_) : nullptr),
      engine_(giop::Role::Client, limits),
      limits_(limits),
      whole_bytes_(fragment_bytes == 0 ? SIZE_MAX : fragment_bytes),
      gather_if_any_(stream_->gathers() && fragment_bytes == 0 ? &gather_ : nullptr),
      next_id_(first_id),
      from_(MessageSource::of(&stream_->peer_identity())),
      reach_(stream_->peer_identity().reach) {}

std::uint32_t ClientConnection::new_id() { return lane_ ? lane_->id() : next_id_++; }

void ClientConnection::cancel(std::uint32_t id, giop::Version version) {
  const auto bytes = giop::cancel_request(version, id);
  const ByteView message(bytes);
  (void)send_parts({&message, 1}, Deadline::at({}));
}

ClientConnection::~ClientConnection() {
  leave_place();
  if (held_) held_->forget();
}

void ClientConnection::hold_oneways(OnewayFlusher* flusher) {
  if (!flusher || held_ || !stream_->gathers()) return;
  flusher_ = flusher;
  held_ = HeldOneways::make(*stream_);
}

transport::Transfer ClientConnection::send_parts(std::span<const ByteView> parts, Deadline deadline) {
  return held_ ? held_->send(parts, deadline) : stream_->send(parts, deadline);
}

[[gnu::noinline]] transport::Transfer ClientConnection::send_after_held(Deadline deadline) {
  const ByteView whole = request_.view();
  return send_parts({&whole, 1}, deadline);
}

transport::Transfer ClientConnection::send_cut(Deadline deadline) {
  templates_.front_changes();  // cut() patches the header
  const Fault f = pieces_.cut({request_.data(), request_.size()}, whole_bytes_);
  if (f != Fault::None) return {0, f, 0};
  return send_parts(pieces_.views(), deadline);
}

// The request's bytes and the pieces gathered, in turn.
transport::Transfer ClientConnection::send_gathered(Deadline deadline) {
  ByteView parts[2 * cdr::Gather::kMaxPieces + 1];
  std::size_t n = 0, from = 0;
  for (std::size_t i = 0; i < gather_.count; ++i) {
    const cdr::Gather::Piece& piece = gather_.pieces[i];
    if (piece.at != from) parts[n++] = request_.view().subspan(from, piece.at - from);
    parts[n++] = piece.bytes;
    from = piece.at;
  }
  if (from != request_.size()) parts[n++] = request_.view(from);
  return send_parts({parts, n}, deadline);
}

void ClientConnection::receive(std::uint32_t request_id, Deadline deadline, bool waits, Arrival& a) {
  for (bool first = true;;) {
    if (consumed_ == in_.size() && !fill(deadline, std::exchange(first, false), waits, a)) return;
    a.plain = take_plain(request_id, a.body);
    if (a.plain) return;
    const giop::Event ev = engine_.receive(in_.view(consumed_));
    consumed_ += ev.consumed;
    switch (ev.kind) {
      case giop::EventKind::Message: {
        std::uint32_t id = 0;
        if (!giop::reply_id(ev.message, limits_, id)) {
          a.fault = Fault::BadHeader;
          const ByteView refusal = engine_.refuse(ev.message.header.version, a.fault);
          (void)send_parts({&refusal, 1}, deadline);
          return;
        }
        if (id != request_id) break;  // answers nothing that is asked now
        a.message = ev.message;
        return;
      }
      case giop::EventKind::NeedBytes:
        if (!fill(deadline, std::exchange(first, false), waits, a)) return;
        break;
      case giop::EventKind::PeerClosing: a.fault = Fault::ConnectionClosed; return;
      case giop::EventKind::PeerError:
        a.fault = Fault::BadHeader;
        a.message_error = true;
        return;
      case giop::EventKind::ProtocolError:
        a.fault = ev.fault;
        (void)send_parts({&ev.to_send, 1}, deadline);
        return;
      case giop::EventKind::Closed: a.fault = engine_.end_fault(); return;
    }
  }
}

[[gnu::cold, gnu::noinline]] void ClientConnection::give_back() {
  if (PeerMemory::is_short()) in_.shrink(0);
}

// first: this is the first read of receive(). Its bytes may have come in time; after that only the clock decides.
bool ClientConnection::fill(Deadline deadline, bool first, bool waits, Arrival& a) {
  in_.drop_front(consumed_);
  consumed_ = 0;
  // If no part of a message is here, the engine may still want the bytes of a reply that it was not shown.
  const std::size_t wanted = in_.empty() ? kFirstReceiveBytes : std::max(engine_.wanted_bytes(), kFirstReceiveBytes);
  if (in_.capacity() < wanted && !in_.reserve(wanted)) {
    a.fault = Fault::OutOfMemory;
    return false;
  }
  transport::Transfer t = std::exchange(failed_, {});
  if (t.ok() && !waits) {
    t = stream_->receive_now({in_.data() + in_.size(), in_.capacity() - in_.size()});
  } else if (t.ok()) {
    const TimePoint now = Clock::steady().now();
    if (!first && now >= deadline.time()) t.fault = Fault::DeadlinePassed;
    else t = stream_->receive({in_.data() + in_.size(), in_.capacity() - in_.size()}, deadline, now);
  }
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
  const bool closed = a.fault == Fault::ConnectionClosed;
  const bool beyond = a.fault == Fault::LimitExceeded && engine_.excess().bytes != 0;
  if (CALLIS_HAS(limit_texts) && (a.message_error || closed || beyond))
    return {a.fault, 0,
            concat({peer(), text_of(MetEnd{a.message_error, engine_.excess(), limits_, request_, gather_})})};
  if (a.message_error || closed)
    return {a.fault, 0, concat({peer(), closed ? " closed the connection" : " answered with MessageError"})};
  return {a.fault, a.os_error, concat({"waiting for a reply from ", peer()})};
}

}  // namespace callis::orb
