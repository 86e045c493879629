// SPDX-License-Identifier: Apache-2.0
// Sending in turn, and reading by one of the threads that wait, or by the pool.
#include <callis/base/blocking_scope.h>
#include <callis/base/peer_memory.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <cstring>

namespace callis::orb {

using transport::Transfer;

namespace {

constexpr std::size_t kReceiveBytes = 16u << 10;
constexpr std::size_t kKeepBytes = 256u << 10;  // of buffers, from one message to the next
constexpr std::size_t kLookBytes = 64u << 10;   // of fragments, until their reader is to judge them
constexpr std::size_t kMostLanes = 256;         // kept for calls to come
constexpr int kMostLooks = 64;                  // receives of bytes that have come while nobody waited

}  // namespace

SharedConnection::SharedConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits,
                                   std::size_t fragment_bytes, std::chrono::microseconds spin, std::uint32_t first_id)
    : stream_(std::move(stream)), limits_(limits), fragment_bytes_(fragment_bytes), spin_(spin), table_(first_id) {}

SharedConnection::SharedConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits,
                                   std::size_t fragment_bytes, std::chrono::microseconds spin, std::uint32_t first_id,
                                   Watcher& watcher, std::vector<Byte> listen_points)
    : stream_(std::move(stream)),
      limits_(limits),
      fragment_bytes_(fragment_bytes),
      spin_(spin),
      watcher_(&watcher),
      listen_points_(std::move(listen_points)),
      tells_(!listen_points_.empty()),
      table_(first_id, giop::RequestTable::kDefaultMaxRequests, giop::RequestTable::Ids::EveryOther),
      reading_(true) {}

SharedConnection::~SharedConnection() = default;

// --- Lanes ---

std::unique_ptr<ClientConnection> SharedConnection::take(bool alone, TimePoint now) {
  Lock lock(mutex_);
  if (now - last_used_ > kTrust) look(lock);
  if (worn_ || send_failed_ || ended_ || (alone && table_.pending() != 0)) return nullptr;
  std::unique_ptr<ClientConnection> c;
  if (idle_.empty()) {
    auto lane = std::make_unique<Lane>(*this);
    Lane& its = *lane;
    c = std::make_unique<ClientConnection>(std::move(lane), limits_, fragment_bytes_);
    c->set_lane(its);
  } else {
    c = std::move(idle_.back());
    idle_.pop_back();
  }
  Lane& lane = *c->lane();
  const Result<std::uint32_t> id = table_.open(&lane);
  if (!id) {
    worn_ = true;
    return nullptr;
  }
  lane.id_ = id.value();
  lane.held_ = shared_from_this();
  if (watcher_) watcher_->used();
  return c;
}

void SharedConnection::give_back(std::unique_ptr<ClientConnection> c, TimePoint now) {
  c->finish();
  Lane& lane = *c->lane();
  const std::shared_ptr<SharedConnection> of = std::move(lane.held_);
  Lock lock(of->mutex_);
  lane.answerable_ = false;
  of->settle(lane);
  of->last_used_ = now;
  const bool keep = lane.inbox_.empty() && lane.taken_ == lane.mine_.size() && lane.fault_ == Fault::None &&
                    !of->worn_ && !of->send_failed_ && !of->ended_ && of->idle_.size() < kMostLanes &&
                    (lane.inbox_.capacity() + lane.mine_.capacity() <= kKeepBytes || !PeerMemory::is_short());
  if (keep) of->idle_.push_back(std::move(c));
  lock.unlock();
}

bool SharedConnection::may_cancel(ByteView iiop_profile, const Limits& limits) {
  const Result<ior::IiopProfile> p = ior::parse_iiop(iiop_profile, limits);
  return !p.ok() || ior::orb_type(p.value()) != ior::kOmniOrbType;
}

// The lane goes, perhaps in the middle of a call; perhaps before anybody could wait for its reply, which may come all
// the same.
void SharedConnection::leave(Lane& lane) {
  if (!lane.held_) return;
  std::lock_guard lock(mutex_);
  lane.answerable_ |= lane.sent_;
  settle(lane);
}

// Decides about the id: it is used again only when no reply to it can come.
void SharedConnection::settle(Lane& lane) {
  if (lane.sent_ && lane.answerable_) {
    if (!table_.retire(lane.id_) && lane.came_ && !ended_) ++too_late_;
  } else {
    (void)table_.forget(lane.id_);
  }
  lane.id_ = 0;
  lane.sent_ = lane.answerable_ = lane.came_ = false;
  lane.sink_ = nullptr;
  if (watcher_ && table_.pending() == 0) worn_ |= watcher_->unused();
}

bool SharedConnection::over() const {
  std::lock_guard lock(mutex_);
  return worn_ || send_failed_ || ended_;
}

bool SharedConnection::over_by_now() {
  Lock lock(mutex_);
  look(lock);
  return worn_ || send_failed_ || ended_;
}

bool SharedConnection::unused_since(TimePoint then) const {
  std::lock_guard lock(mutex_);
  return table_.pending() == 0 && last_used_ <= then;
}

SharedConnection::Counts SharedConnection::counts() const {
  std::lock_guard lock(mutex_);
  return {table_.pending(), table_.retired(), table_.late_replies() + too_late_, table_.unknown_replies()};
}

// --- Sending ---

Transfer SharedConnection::send(Lane& lane, std::span<const ByteView> parts, Deadline deadline) {
  Lock lock(mutex_);
  while (sending_ && !send_failed_ && !ended_) {
    ++senders_;
    const BlockingScope blocked;
    const bool called = wait(turn_to_send_, lock, deadline);
    --senders_;
    if (called || !sending_) continue;
    return {0, Fault::DeadlinePassed};
  }
  if (send_failed_ || ended_) return {0, Fault::ConnectionLost};
  sending_ = true;
  lock.unlock();
  const Transfer t = send_now(parts, deadline);
  lock.lock();
  sending_ = false;
  lane.sent_ |= t.ok() || t.bytes != 0;
  lane.answerable_ |= !t.ok();
  if (!t.ok() && t.fault != Fault::DeadlinePassed) {
    send_failed_ = true;
    turn_to_send_.notify_all();
  } else if (senders_ != 0) {
    turn_to_send_.notify_one();
  }
  return t;
}

// Called by the sender.
Transfer SharedConnection::send_now(std::span<const ByteView> parts, Deadline deadline) {
  if (!carry_.empty()) {
    const Transfer t = stream_->send(carry_.view(), deadline);
    carry_.drop_front(t.bytes);
    if (!t.ok()) return {0, t.fault, t.os_error};
    carry_.shrink(kKeepBytes);
  }
  const Transfer t = stream_->send(parts, deadline);
  if (t.fault == Fault::DeadlinePassed && t.bytes != 0) keep_rest(parts, t.bytes);
  return t;
}

// The message has been begun, so it must be sent whole: the next sender sends the rest.
void SharedConnection::keep_rest(std::span<const ByteView> parts, std::size_t sent) {
  for (const ByteView part : parts) {
    const std::size_t skip = std::min(sent, part.size());
    sent -= skip;
    if (carry_.append(part.subspan(skip))) continue;
    stream_->shutdown();
    return;
  }
}

// --- Receiving ---

Transfer SharedConnection::receive(Lane& lane, MutableBytes into, Deadline deadline, TimePoint now) {
  if (lane.taken_ == lane.mine_.size()) {
    Lock lock(mutex_);
    lane.answerable_ = true;
    Fault f = Fault::None;
    while (f == Fault::None && !lane.came_ && lane.fault_ == Fault::None && !ended_) {
      if (!reading_) f = lead(lock, deadline, now);
      else if (!follow(lane, lock, deadline)) f = Fault::DeadlinePassed;
      if (f != Fault::None || lane.came_ || reading_) continue;
      now = Clock::steady().now();  // also when something comes all the time, for others or for nobody
      if (now >= deadline.time()) f = Fault::DeadlinePassed;
    }
    pass_on();
    if (!lane.came_) {
      if (lane.fault_ != Fault::None) return {0, lane.fault_};
      return ended_ ? Transfer{0, why_, os_error_} : Transfer{0, f};
    }
    lane.came_ = false;
    lane.taken_ = 0;
    lane.mine_.clear();
    lane.mine_.shrink(kKeepBytes);
    std::swap(lane.mine_, lane.inbox_);
  }
  const std::size_t n = std::min(into.size(), lane.mine_.size() - lane.taken_);
  if (n != 0) std::memcpy(into.data(), lane.mine_.data() + lane.taken_, n);  // of none there may be no bytes at all
  lane.taken_ += n;
  return {n};
}

// Reads once, and hands out the messages. Meanwhile others wait.
Fault SharedConnection::lead(Lock& lock, Deadline deadline, TimePoint now) {
  reading_ = true;
  lock.unlock();
  Transfer t;
  if (make_room()) {
    t = stream_->receive({in_.data() + in_.size(), in_.capacity() - in_.size()}, deadline, now);
    in_.set_size(in_.size() + t.bytes);
  } else {
    t.fault = Fault::OutOfMemory;
  }
  lock.lock();
  ByteView complaint;
  if (t.ok()) complaint = hand_out();
  else if (t.fault != Fault::DeadlinePassed && t.fault != Fault::OutOfMemory) end(t.fault, t.os_error, {});
  if (ended_) {
    const bool complain = !complaint.empty() && !sending_;  // nobody begins to send any more
    lock.unlock();
    if (complain) (void)stream_->send(complaint, Deadline::at({}));
    stream_->finish_sending();
    stream_->stop_receiving();
    lock.lock();
  }
  reading_ = false;
  return ended_ ? Fault::None : t.fault;
}

// A header alone does not make anybody commit a large buffer.
bool SharedConnection::make_room() {
  in_.drop_front(consumed_);
  consumed_ = 0;
  if (in_.empty()) in_.shrink(kKeepBytes);
  std::size_t wanted = kReceiveBytes;
  giop::MessageHeader h;
  if (giop::parse_header(in_.view(), limits_, h) == Fault::None)
    wanted = std::max(wanted, std::min(h.message_bytes(), std::max(limits_.initial_message_bytes, 2 * in_.size())));
  return in_.capacity() > in_.size() + kReceiveBytes / 2 || in_.capacity() >= wanted || in_.reserve(wanted);
}

// While another thread reads. False when the deadline has passed.
bool SharedConnection::follow(Lane& lane, Lock& lock, Deadline deadline) {
  Follower& me = lane.thread_;
  followers_.add(me);
  lane.sink_ = &me;
  me.look(lock);
  if (watcher_) serve(lane, lock, deadline);
  while (me.follows()) {
    if (me.sleep(lock, deadline) || !me.follows()) continue;
    call(lane);
    return false;
  }
  return true;
}

// A thread that stops waiting makes another waiting thread read.
void SharedConnection::pass_on() {
  if (!reading_ && followers_.first()) call(followers_.first()->lane());
}

void SharedConnection::call(Lane& lane) {
  ReplySink* const sink = std::exchange(lane.sink_, nullptr);
  if (!sink) return;
  sink->came();
  if (lane.serves_) watcher_->wake();
}

SharedConnection::Outcome SharedConnection::read(Deadline deadline) {
  Lock lock(mutex_);
  if (ended_) return Outcome::Ended;
  if (reading_) return Outcome::ReadByOther;
  const Fault fault = lead(lock, deadline, Clock::steady().now());
  pass_on();
  return fault == Fault::DeadlinePassed ? Outcome::DeadlinePassed
         : fault == Fault::OutOfMemory  ? Outcome::OutOfMemory
                                        : Outcome::Read;
}

bool SharedConnection::tell(Lane& lane, ReplySink& sink) {
  const Lock lock(mutex_);
  lane.answerable_ = true;
  if (lane.came_ || lane.fault_ != Fault::None || ended_ || lane.taken_ != lane.mine_.size()) return false;
  lane.sink_ = &sink;
  return true;
}

void SharedConnection::forget_sink(Lane& lane) {
  const Lock lock(mutex_);
  lane.sink_ = nullptr;
}

// Hands out all messages that are whole. Returns the message to a peer that broke the protocol, or nothing.
ByteView SharedConnection::hand_out() {
  static const auto kComplaint = giop::message_error(giop::kGiop12);
  for (;;) {
    const ByteView rest = in_.view(consumed_);
    giop::MessageHeader h;
    const Fault f = giop::parse_header(rest, limits_, h);
    if (f == Fault::Truncated) return {};
    if (f == Fault::LimitExceeded && h.type == giop::MessageType::Reply && h.version >= giop::kGiop12) {
      // Only one call is too large, the others are lost.
      if (rest.size() < giop::kFragmentHeaderBytes) return {};
      bool malformed = false;
      h.more_fragments = false;
      if (Lane* const lane = addressee(h, rest, malformed)) {
        if (!lane->inbox_.append(rest.first(giop::kFragmentHeaderBytes))) lane->fault_ = Fault::OutOfMemory;
        lane->came_ = true;
        call(*lane);
      }
      end(Fault::ConnectionLost, 0, {});
      return kComplaint;
    }
    if (f != Fault::None) {
      end(Fault::ConnectionLost, 0, rest.first(std::min(rest.size(), giop::kHeaderBytes)));
      return kComplaint;
    }
    if (h.type == giop::MessageType::CloseConnection || h.type == giop::MessageType::MessageError) {
      end(Fault::ConnectionLost, 0, rest.first(giop::kHeaderBytes));
      return {};
    }
    if (rest.size() < h.message_bytes()) return {};
    if (!hand_out(h, consumed_)) {
      end(Fault::ConnectionLost, 0, rest.first(h.message_bytes()));
      return kComplaint;
    }
  }
}

// The message at that place of in_. False when it breaks the protocol.
bool SharedConnection::hand_out(const giop::MessageHeader& h, std::size_t at) {
  bool malformed = false;
  Lane* const lane = addressee(h, in_.view(at).first(h.message_bytes()), malformed);
  if (malformed) return false;
  consumed_ = at + h.message_bytes();
  if (lane) give_to(*lane, h, at);
  return true;
}

// Returns nullptr for a message for which nobody waits.
Lane* SharedConnection::addressee(const giop::MessageHeader& h, ByteView message, bool& malformed) {
  std::uint32_t id = 0;
  malformed = true;
  if (h.type == giop::MessageType::Fragment) {
    if (h.version >= giop::kGiop12 && message.size() < giop::kFragmentHeaderBytes) return nullptr;
    id = h.version >= giop::kGiop12
             ? load<std::uint32_t>(message.data() + giop::kHeaderBytes, h.order != kNativeOrder)
             : in_pieces_11_;
  } else {
    giop::Message m;
    m.header = h;
    m.body = message.subspan(giop::kHeaderBytes);
    if (h.type != giop::MessageType::Reply && h.type != giop::MessageType::LocateReply) return nullptr;
    if (!giop::reply_id(m, limits_, id)) return nullptr;
    if (h.more_fragments && h.version < giop::kGiop12) in_pieces_11_ = id;
  }
  malformed = false;
  if (h.more_fragments) return static_cast<Lane*>(table_.find(id));
  void* found = nullptr;
  return table_.match(id, found) == giop::RequestTable::Match::Pending ? static_cast<Lane*>(found) : nullptr;
}

void SharedConnection::give_to(Lane& lane, const giop::MessageHeader& h, std::size_t at) {
  const std::size_t n = h.message_bytes();
  if (lane.inbox_.size() > limits_.max_message_bytes) {
    lane.fault_ = Fault::LimitExceeded;  // in fragments that its reader has had no time to refuse
  } else if (n >= kReceiveBytes && at == 0 && in_.size() == n && lane.inbox_.empty()) {
    std::swap(lane.inbox_, in_);
    consumed_ = 0;
  } else if (!lane.inbox_.append(in_.view(at).first(n))) {
    lane.fault_ = Fault::OutOfMemory;
  }
  if (h.more_fragments && lane.inbox_.size() < kLookBytes && lane.fault_ == Fault::None) return;
  lane.came_ = true;
  call(lane);
}

// Called when nothing more will be received. last_words: the message that each call under way reads before the end.
void SharedConnection::end(Fault why, int os_error, ByteView last_words) {
  if (ended_) return;
  ended_ = true;
  why_ = why;
  os_error_ = os_error;
  while (void* const p = table_.take_any()) {
    Lane& lane = *static_cast<Lane*>(p);
    if (!lane.inbox_.append(last_words)) lane.fault_ = Fault::OutOfMemory;
    if (!last_words.empty()) lane.came_ = true;
    call(lane);
  }
  turn_to_send_.notify_all();
}

// Takes in the bytes that have come while nobody waited: late replies, CloseConnection, the end. If the peer never
// stops sending, the call that begins takes in the rest, until its deadline. If there is no memory now, that call
// takes in everything.
void SharedConnection::look(Lock& lock) {
  Fault f = Fault::None;
  for (int n = 0; n < kMostLooks && f == Fault::None && !reading_ && !ended_ && !stream_->quiet(); ++n)
    f = lead(lock, Deadline(), last_used_);
  pass_on();
}

// --- Bidirectional connections, whose replies the pool reads ---

bool SharedConnection::deliver(const giop::Message& m) {
  std::uint32_t id = 0;
  if (!giop::reply_id(m, limits_, id)) return false;
  Lock lock(mutex_);
  void* found = nullptr;
  if (table_.match(id, found) == giop::RequestTable::Match::Pending) hand_over(*static_cast<Lane*>(found), m);
  return true;
}

// In one piece, however it came.
void SharedConnection::hand_over(Lane& lane, const giop::Message& m) {
  giop::MessageHeader h = m.header;
  h.more_fragments = false;
  Byte header[giop::kHeaderBytes];
  giop::write_header(header, h);
  if (!lane.inbox_.append(header) || !lane.inbox_.append(m.body)) lane.fault_ = Fault::OutOfMemory;
  lane.came_ = true;
  call(lane);
}

// While others read.
void SharedConnection::serve(Lane& lane, Lock& lock, Deadline deadline) {
  if (!lane.thread_.follows()) return;
  lane.serves_ = true;
  lock.unlock();
  (void)watcher_->serve_until(lane.thread_.called(), deadline);
  lock.lock();
  lane.serves_ = false;
}

void SharedConnection::look_for_calls() {
  const Lock lock(mutex_);
  if (table_.pending() == 0) worn_ |= watcher_->unused();
}

void SharedConnection::lost(Fault why) {
  static const auto kClose = giop::close_connection(giop::kGiop12);
  Lock lock(mutex_);
  const bool closed = why == Fault::ConnectionClosed;
  end(closed ? Fault::ConnectionLost : why, 0, closed ? ByteView(kClose) : ByteView());
}

}  // namespace callis::orb
