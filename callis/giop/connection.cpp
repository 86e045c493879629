// SPDX-License-Identifier: Apache-2.0
// The state of a GIOP connection: bytes in, messages and faults out, fragments put together.
#include <callis/giop/connection.h>

namespace callis::giop {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

bool is_request(MessageType t) { return t == MessageType::Request || t == MessageType::LocateRequest; }

// The request id that stands first in a body; the body has 4 bytes.
std::uint32_t first_ulong(const MessageHeader& h, ByteView body) {
  return load<std::uint32_t>(body.data(), h.order != kNativeOrder);
}

}  // namespace

// What the header alone tells, before the body is waited for.
Fault Connection::judge(const MessageHeader& h) const {
  switch (h.type) {
    case MessageType::Request:
    case MessageType::LocateRequest:
    case MessageType::CancelRequest:
      if (!takes(Role::Server, h)) return Fault::BadMessageType;
      break;
    case MessageType::Reply:
    case MessageType::LocateReply:
      if (!takes(Role::Client, h)) return Fault::BadMessageType;
      break;
    case MessageType::CloseConnection:
      if (role_ == Role::Server && h.version < kGiop12) return Fault::BadMessageType;
      break;
    case MessageType::MessageError:
    case MessageType::Fragment: break;
  }
  if (h.type == MessageType::CancelRequest && h.body_bytes != 4) return Fault::BadHeader;
  const bool piece = h.more_fragments || h.type == MessageType::Fragment;
  if (!piece) return Fault::None;
  if (h.version >= kGiop12) {
    if (h.body_bytes < 4) return Fault::BadFragment;  // no request id
    if (h.more_fragments && h.message_bytes() % 8 != 0) return Fault::BadFragment;
  }
  const std::size_t data = h.body_bytes - (h.type == MessageType::Fragment && h.version >= kGiop12 ? 4 : 0);
  if (data > limits_->max_message_bytes - reassembly_bytes_) return Fault::LimitExceeded;
  return Fault::None;
}

Event Connection::receive(ByteView bytes) {
  Event ev;
  done_.clear();
  if (state_ == State::Closed) {
    ev.kind = EventKind::Closed;
    return ev;
  }
  for (;;) {
    const ByteView rest = bytes.subspan(ev.consumed);
    MessageHeader h;
    Fault f = parse_header(rest, *limits_, h);
    if (f == Fault::Truncated) {
      need(rest.size(), kHeaderBytes);
      return ev;
    }
    if (f == Fault::None) f = judge(h);
    if (f != Fault::None) {
      fail(f, h, ev);
      return ev;
    }
    peer_version_ = h.version;
    if (h.type != MessageType::MessageError && rest.size() < h.message_bytes()) {
      need(rest.size(), h.message_bytes());
      return ev;
    }
    in_message_ = false;
    wanted_bytes_ = message_bytes_ = kHeaderBytes;  // not the room that this one wanted: the next may be small
    if (h.type == MessageType::MessageError) {  // its body, if any, does not matter
      ev.kind = EventKind::PeerError;
      ev.message.header = h;
      ev.consumed += kHeaderBytes;
      close(Fault::ConnectionLost);
      return ev;
    }
    ev.consumed += h.message_bytes();
    f = take(h, rest.subspan(kHeaderBytes, h.body_bytes), ev);
    if (f != Fault::None) fail(f, h, ev);
    if (ev.kind != EventKind::NeedBytes) return ev;
  }
}

void Connection::need(std::size_t have, std::size_t message_bytes) {
  in_message_ = have != 0;
  message_bytes_ = message_bytes;
  std::uint64_t commit = std::uint64_t{have} * 2;
  if (commit < limits_->initial_message_bytes) commit = limits_->initial_message_bytes;
  if (commit < kHeaderBytes) commit = kHeaderBytes;
  wanted_bytes_ = message_bytes < commit ? message_bytes : static_cast<std::size_t>(commit);
}

void Connection::fail(Fault why, const MessageHeader& h, Event& ev) {
  if (why == Fault::LimitExceeded) {
    const bool fragment = h.type == MessageType::Fragment;
    excess_ = {std::uint64_t{h.body_bytes} + reassembly_bytes_, fragment ? most_fragments(*limits_) : 0,
               fragment || h.more_fragments};
  }
  ev.kind = EventKind::ProtocolError;
  ev.to_send = refuse(why == Fault::BadMagic ? kGiop10 : why == Fault::BadVersion ? kHighestVersion : h.version, why);
  ev.fault = why;
}

ByteView Connection::refuse(Version v, Fault why) {
  farewell_ = message_error(v);
  close(why);
  return farewell_;
}

Fault Connection::take(const MessageHeader& h, ByteView body, Event& ev) {
  switch (h.type) {
    case MessageType::Fragment: return resume(h, body, ev);
    case MessageType::CancelRequest: cancel(h, body, ev); return Fault::None;
    case MessageType::CloseConnection:
      ev.kind = EventKind::PeerClosing;
      close(Fault::ConnectionClosed);
      return Fault::None;
    default: break;
  }
  if (h.more_fragments) return start(h, body);
  if (cancelled_count_ != 0 && is_request(h.type) && h.version >= kGiop12 && body.size() >= 4) {
    forget_cancelled(first_ulong(h, body));  // the id is in use again
  }
  Message m;
  m.header = h;
  m.body = body;
  deliver(m, ev);
  return Fault::None;
}

void Connection::deliver(const Message& m, Event& ev) {
  if (state_ == State::Draining && (role_ == Role::Server || bidirectional_) && is_request(m.header.type)) {
    ++counts_.dropped_requests;
    return;
  }
  ++counts_.messages;
  ev.kind = EventKind::Message;
  ev.message = m;
}

Fault Connection::start(const MessageHeader& h, ByteView body) {
  std::uint32_t id = 0;
  if (h.version >= kGiop12) {
    id = first_ulong(h, body);
    forget_cancelled(id);
  } else {
    ignore_11_ = false;
  }
  // Without ids (1.1) only one message can come in pieces at a time.
  if (find(h.version, id) != kNone) return Fault::BadFragment;
  if (reassemblies_.size() >= limits_->max_reassemblies) return Fault::LimitExceeded;
  reassemblies_.emplace_back(h, id);
  return append(reassemblies_.back(), body);
}

Fault Connection::resume(const MessageHeader& h, ByteView body, Event& ev) {
  std::uint32_t id = 0;
  if (h.version >= kGiop12) {
    id = first_ulong(h, body);
    body = body.subspan(4);
  }
  ++counts_.fragments;
  const std::size_t at = find(h.version, id);
  if (at == kNone) {
    if (!ignores(h, id)) return Fault::BadFragment;
    ++counts_.ignored_fragments;
    return Fault::None;
  }
  Reassembly& r = reassemblies_[at];
  if (r.header().order != h.order) return Fault::BadFragment;
  if (const Fault f = append(r, body); f != Fault::None) return f;
  if (h.more_fragments) return Fault::None;
  reassembly_bytes_ -= r.bytes();
  done_.clear();  // a message dropped while draining may be left
  done_.push_back(std::move(r));
  remove(at);
  deliver(done_.front().message(), ev);
  return Fault::None;
}

// All reassemblies of a connection together stay within the limit of one message.
Fault Connection::append(Reassembly& r, ByteView data) {
  if (data.size() > limits_->max_message_bytes - reassembly_bytes_) return Fault::LimitExceeded;
  const Fault f = r.add(data, *limits_);
  if (f == Fault::None) reassembly_bytes_ += data.size();
  return f;
}

void Connection::cancel(const MessageHeader& h, ByteView body, Event& ev) {
  const std::uint32_t id = first_ulong(h, body);
  const std::size_t at = find_cancelled(id);
  if (at != kNone) {  // the request has not been delivered: nobody else needs to know
    remember_cancelled(reassemblies_[at].header().version, id);
    reassembly_bytes_ -= reassemblies_[at].bytes();
    remove(at);
    ++counts_.cancelled_in_pieces;
    return;
  }
  Message m;
  m.header = h;
  m.body = body;
  deliver(m, ev);
}

std::size_t Connection::find(Version v, std::uint32_t request_id) const {
  for (std::size_t i = 0; i < reassemblies_.size(); ++i) {
    if (reassemblies_[i].header().version == v && reassemblies_[i].request_id() == request_id) return i;
  }
  return kNone;
}

std::size_t Connection::find_cancelled(std::uint32_t request_id) {
  for (std::size_t i = 0; i < reassemblies_.size(); ++i) {
    Reassembly& r = reassemblies_[i];
    if (!is_request(r.header().type)) continue;
    std::uint32_t id = r.request_id();
    if (r.header().version < kGiop12 && !r.find_request_id(counts_.header_words_read, id)) continue;
    if (id == request_id) return i;
  }
  return kNone;
}

void Connection::stood_still(TimePoint::duration time) {
  for (Reassembly& r : reassemblies_)
    if (r.began != TimePoint{}) r.began += time;
}

TimePoint Connection::oldest_reassembly(TimePoint now) {
  TimePoint oldest = TimePoint::max();
  for (Reassembly& r : reassemblies_) {
    if (r.began == TimePoint{}) r.began = now;
    if (r.began < oldest) oldest = r.began;
  }
  return oldest;
}

void Connection::remove(std::size_t at) {
  if (at + 1 != reassemblies_.size()) reassemblies_[at] = std::move(reassemblies_.back());
  reassemblies_.pop_back();
}

bool Connection::ignores(const MessageHeader& h, std::uint32_t request_id) {
  if (h.version < kGiop12) {
    const bool ignored = ignore_11_;
    if (!h.more_fragments) ignore_11_ = false;
    return ignored;
  }
  for (std::uint32_t i = 0; i < cancelled_count_; ++i) {
    if (cancelled_[i] != request_id) continue;
    if (!h.more_fragments) forget_cancelled(request_id);
    return true;
  }
  return false;
}

void Connection::remember_cancelled(Version v, std::uint32_t request_id) {
  if (v < kGiop12) {
    ignore_11_ = true;
    return;
  }
  if (cancelled_count_ == kRemembered) forget_cancelled(cancelled_[0]);  // the oldest
  cancelled_[cancelled_count_++] = request_id;
}

bool Connection::forget_cancelled(std::uint32_t request_id) {
  for (std::uint32_t i = 0; i < cancelled_count_; ++i) {
    if (cancelled_[i] != request_id) continue;
    for (std::uint32_t k = i + 1; k < cancelled_count_; ++k) cancelled_[k - 1] = cancelled_[k];
    --cancelled_count_;
    return true;
  }
  return false;
}

void Connection::begin_drain() {
  if (state_ == State::Open) state_ = State::Draining;
}

ByteView Connection::finish_drain() {
  if (state_ != State::Draining || in_progress_ != 0) return {};
  close(Fault::ConnectionClosed);
  if (role_ == Role::Client && peer_version_ < kGiop12) return {};
  farewell_ = close_connection(peer_version_);
  return farewell_;
}

void Connection::lost(Fault why) { close(why); }

void Connection::close(Fault why) {
  if (state_ == State::Closed) return;
  state_ = State::Closed;
  end_fault_ = why;
  in_message_ = false;
  reassemblies_.clear();
  reassembly_bytes_ = 0;
}

}  // namespace callis::giop
