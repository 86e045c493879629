// SPDX-License-Identifier: Apache-2.0
// A worker that serves in turns: its work with a connection for which the poller has an event; and how a connection
// passes from a worker to the pool.
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/thread_state.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/worker.h>
#include <sched.h>
#include <algorithm>
#include <mutex>

namespace callis::orb {
namespace {

constexpr std::size_t kReceiveBytes = 64u << 10;
constexpr std::size_t kKeepBytes = 128u << 10;  // of the worker's buffers, between connections, while memory is short
constexpr std::size_t kKeepBusyBytes = 8u << 20;      // while there is enough: until there is no work for a moment
constexpr std::size_t kSmallRest = 4u << 10;          // is copied, so that the connection keeps little memory
constexpr std::size_t kIdleRest = 512;                // of a connection's memory for it, while there is none
constexpr std::size_t kDiscardBytes = 1u << 20;
// Receives for one large message before other connections have their turn. Behind small ones they have it after the
// first.
constexpr unsigned kReceivesInTurn = 16;
// Messages that the connection is not let go for, before others have their turn: one-way calls, and LocateRequests,
// whose answers are a system call each. Fewer once they have taken so long.
constexpr int kMessagesInTurn = 32, kBetweenLooks = 4;
constexpr std::chrono::microseconds kTurn{40};
constexpr Duration kStay{10};         // with a connection that says nothing
constexpr Duration kLongUpcall{100};  // that computes: others should be served meanwhile
constexpr Duration kLongOneway{1'000};  // nobody waits for its end: a thread keeps its connection for so long

std::uint64_t running_request(std::uint32_t serial, std::uint32_t id) {
  return std::uint64_t{serial} << 33 | std::uint64_t{id} << 1;
}
constexpr std::uint64_t kCancelled = 1;

}  // namespace

bool Worker::take_place(OrbContext& orb) noexcept { return orb.upcalls().take_place(); }
void Worker::give_place_back(OrbContext& orb) noexcept { orb.upcalls().give_place_back(); }

void Worker::enlist() { pool_->enlist(*this); }
void Worker::delist() noexcept { pool_->delist(*this); }
void Worker::begin_watching() { pool_->begin_watching(); }

// --- Any thread ---

bool Worker::gets_on(TimePoint now) {
  const std::uint64_t turns = turns_.load(std::memory_order_relaxed);
  if (std::exchange(turns_seen_, turns) == turns) return false;
  got_on_ = now;
  return true;
}

bool Worker::wants_to_get_on(TimePoint now) const {
  const pid_t thread = thread_.load(std::memory_order_relaxed);
  return thread != 0 && got_on_ != now && now - got_on_ < kLongUpcall && is_runnable(thread);
}

void Worker::cancel(std::uint32_t serial, std::uint32_t request_id) {
  std::uint64_t request = running_request(serial, request_id);
  (void)running_.compare_exchange_strong(request, request | kCancelled, std::memory_order_relaxed);
}

// --- A connection that is kept during an upcall ---

void Worker::waits() noexcept {
  Worker* const w = mine_;
  if (!w || !w->keeps_.load(std::memory_order_relaxed)) return;
  if (!w->two_way_.load(std::memory_order_relaxed) &&
      !w->connection_->stays_open_.load(std::memory_order_relaxed))
    return;
  if (!w->owned_) return w->let_go_of_kept();
  const std::lock_guard lock(w->pool_->mutex_);
  w->let_go_of_kept();
}

// Called with the pool's mutex. The upcall that was seen may have ended, and another may have begun: then the new
// upcall lets go of its connection early.
bool Worker::let_go_of_slow(TimePoint now) noexcept {
  const std::uint64_t turns = turns_.load(std::memory_order_relaxed);
  if (std::exchange(slow_turns_seen_, turns) != turns) slow_since_ = now;
  else if (!is_own_ || two_way_.load(std::memory_order_relaxed) || now - slow_since_ >= kLongOneway)
    return let_go_of_kept(), false;
  return keeps_.load(std::memory_order_relaxed);
}

// Called by the worker's thread inside the upcall, or by another thread. If the worker's thread has the connection
// for its own, the caller holds the pool's mutex.
void Worker::let_go_of_kept() noexcept {
  const std::lock_guard lock(letting_go_);
  if (refused_) return;
  if (!keeps_.exchange(false, std::memory_order_acq_rel)) return;
  if (owned_ && !pool_->adopt(*connection_, *owned_, true)) {
    refused_ = true;
    keeps_.store(true, std::memory_order_release);
    return;
  }
  connection_->let_go(behind_);
}

// Called at the upcall's end, if another thread has taken the connection, or tries to.
bool Worker::has_let_go() noexcept {
  const std::lock_guard lock(letting_go_);  // until the bytes behind the message have been copied
  if (keeps_.exchange(false, std::memory_order_acquire)) return false;  // the pool could not take it
  owned_ = nullptr;
  connection_->is_shared_.store(true, std::memory_order_relaxed);
  return true;
}

// Called between two upcalls. Returns false, and changes nothing, if the pool cannot have the connection.
bool Worker::leave_to_pool() noexcept {
  {
    const std::lock_guard lock(pool_->mutex_);
    if (!pool_->adopt(*connection_, *owned_, false)) return false;
  }
  owned_ = nullptr;
  return true;
}

// The thread of an idle connection. Patience is over for the first time.
bool Worker::wait_beside_pool() {
  const Duration idle = orb_.limits().idle_timeout;
  const TimePoint began = Clock::steady().now() - patience_;
  for (;;) {
    const auto waited = std::chrono::floor<Duration>(Clock::steady().now() - began);
    if (idle.count() > 0 && waited >= idle) return close_own_in_order(), false;
    if (orb_.server().short_of_threads() && leave_to_pool()) {
      connection_->arm();
      return false;
    }
    const Duration left = idle.count() > 0 ? idle - waited : Duration::max();
    if (pool_->sleep_idle(connection_->stream_->descriptor(), left) == Pool::Woken::Otherwise) continue;
    const auto t = receive_first(Deadline::in(std::min(patience_, left)));
    if (t.fault != Fault::DeadlinePassed) return t.ok();
  }
}

// --- Inside a step of the session ---

[[gnu::hot]] bool Worker::begins_in_turn(const giop::RequestHeader& request, ByteView behind) {
  ServerConnection& c = *connection_;
  message_ended_ = true;
  time_message(c, session_.reassembling());
  // Nobody waits for a one-way's end: the next message does. Or there is a thread for each connection.
  if (!two_way_.load(std::memory_order_relaxed) || stays(c, behind)) {
    keep(behind);
    (void)pool_->now();  // wakes the timekeeper, whose sweeps let go of upcalls that last
    return false;
  }
  running_.store(running_request(c.serial(), request.request_id), std::memory_order_relaxed);
  c.let_go(behind);
  return true;
}

void Worker::cancel_in_pool(std::uint32_t request_id) { pool_->cancel(*connection_, request_id); }

void Worker::listen_points(ByteView context) {
  if (owned_ && !(pool_ && leave_to_pool())) return;
  orb_.bidirectional()->offered(*connection_, context);
}

// --- Serving a connection ---

void Worker::handle(const transport::Poller::Event& event) noexcept {
  turn();
  if (event.kind == transport::Poller::Kind::Output) return static_cast<ServerConnection*>(event.tag)->send_queued();
  if (event.kind != transport::Poller::Kind::Input) return;
  ServerConnection& c = *static_cast<ServerConnection*>(event.tag);
  connection_ = &c;
  Worker* const outer = std::exchange(mine_, this);
  MemoryHolder* const outer_asker = MemoryHolder::ask_for(&c.holder_);
  c.used_.store(ServerConnection::kBusy, std::memory_order_relaxed);
  session_.attach(c.conversation_, c.peer(), &c.peer_identity());
  try {
    if (c.phase_.load(std::memory_order_relaxed) == ServerConnection::Phase::Lingering) discard(c);
    else serve(c);
  } catch (const std::exception& e) {  // memory is exhausted
    log(LogLevel::Error, std::string_view(e.what()));
    fail();
  }
  MemoryHolder::ask_for(outer_asker);
  mine_ = outer;
  shrink();
}

// Memory is exhausted, in the middle of something.
void Worker::fail() noexcept {
  connection_->break_off();
  if (session_.has_let_go()) answer({});
  else connection_->drop();
}

void Worker::serve(ServerConnection& c) {
  consumed_ = 0;
  message_ended_ = false;
  receives_ = 0;
  messages_ = 0;
  // Sending has failed: no peer waits for an answer. The bytes that have been read and not served may be many.
  if (c.broken_.load(std::memory_order_relaxed)) [[unlikely]] return c.drop();
  if (!take_up(c)) return c.drop();
  drive_in_turns(true, in_.empty());
}

// Returns when the connection is over or another thread's. in_ has the bytes that have come. idle: the session has
// begun no message; wanted: more bytes must come before the next step.
[[gnu::hot]] void Worker::drive_in_turns(bool idle, bool wanted) {
  for (;;) {
    if (must_close()) [[unlikely]] return connection_->close_in_order();
    if (wanted && !receive_in_turn(idle)) return;
    const Session::StepResult did = step();
    if (!end_step(did)) return;
    idle = did.idle;
    wanted = wants_bytes(did);
  }
}

// The connection that the thread stayed with has become the pool's during this step.
void Worker::go_on_in_turns(const Session::StepResult& did) {
  if (end_step(did)) drive_in_turns(did.idle, wants_bytes(did));
}

// False: the connection is over or somebody else's.
[[gnu::hot]] bool Worker::end_step(const Session::StepResult& did) {
  ServerConnection& c = *connection_;
  if (did.next == Session::Next::NeedBytes) return true;
  if (did.next == Session::Next::LetGo) return answer(did.output()), false;
  const bool sent = did.views == 0 || c.send(did.output());
  out_.clear();
  if (!sent) return c.drop(), false;
  if (did.next == Session::Next::Close) return c.linger(), false;
  return has_turn(did);
}

inline bool Worker::must_close() { return stopping_.load(std::memory_order_seq_cst) && must_close_now(); }

inline bool Worker::may_stay(const ServerConnection& c) const {
  return pool_->has_thread_for_each() && !c.is_shared_.load(std::memory_order_relaxed);
}

bool Worker::receive_in_turn(bool idle) {
  ServerConnection& c = *connection_;
  messages_ = 0;
  if (idle && consumed_ == in_.size() && may_stay(c)) [[unlikely]] return wait_for_next(c);
  if (++receives_ > kReceivesInTurn || (receives_ > 1 && turn_is_over())) return give_back(c), false;
  const transport::Transfer t = receive_now(c);
  if (t.ok()) [[likely]] return true;
  return not_received(c, t);
}

bool Worker::not_received(ServerConnection& c, const transport::Transfer& t) {
  if (t.fault == Fault::DeadlinePassed) give_back(c);
  // Our own end of it, too, shows as a failure.
  else if (c.ending_.load(std::memory_order_relaxed) != ServerConnection::Ending::None) c.close_in_order();
  else c.drop();
  return false;
}

// Whether the thread keeps the connection during the upcall of a two-way request, and then waits for the next
// request. True if the pool has a thread for each connection, and the client sends one request after the other.
[[gnu::hot]] bool Worker::stays(ServerConnection& c, ByteView rest) {
  if (!may_stay(c)) [[likely]] return false;
  if (!rest.empty()) {
    c.is_shared_.store(true, std::memory_order_relaxed);
    return false;
  }
  watch();
  return true;
}

// This takes two system calls less than the poller. A thread of a real-time policy runs on after its reply until it
// waits, while an ordinary thread is preempted by the reply's receiver. So the former lets others of its priority run
// first.
[[gnu::hot]] bool Worker::wait_for_next(ServerConnection& c) {
  if (consumed_ != 0 && pool_->yields()) ::sched_yield();
  message_ended_ |= consumed_ != 0;
  drop_consumed();
  receives_ = 1;
  if (in_.capacity() < kReceiveBytes && !in_.reserve(kReceiveBytes)) return c.drop(), false;
  const transport::Transfer t = c.stream_->receive_within({in_.data(), in_.capacity()}, kStay);
  in_.set_size(t.bytes);
  c.more_ = false;
  return t.ok() || not_received(c, t);
}

// Whether the connection is served on, after a message that it was not let go for.
inline bool Worker::has_turn(const Session::StepResult& did) {
  ServerConnection& c = *connection_;
  if (must_close()) [[unlikely]] return c.close_in_order(), false;
  if (c.must_park() && !did.postponed) [[unlikely]] return park(c), false;
  if (++messages_ % kBetweenLooks != 0 || consumed_ == in_.size() || did.postponed) [[likely]] return true;
  const TimePoint now = Clock::steady().now();
  if (messages_ == kBetweenLooks) turn_began_ = now;
  if (messages_ >= kMessagesInTurn || now - turn_began_ >= kTurn) return give_back(c, true), false;
  return true;
}

// Whether other connections have their turn after a receive: yes if the receive has brought whole messages. But if
// the beginning of a large message follows, the large message is read on.
inline bool Worker::turn_is_over() const {
  return consumed_ != 0 && (consumed_ == in_.size() || session_.message_bytes() < kLargeMessage);
}

// Called when the ORB is being shut down. A connection with outgoing calls is still read for their replies. The
// peer's requests are refused meanwhile, or both sides would wait for each other.
[[gnu::cold, gnu::noinline]] bool Worker::must_close_now() {
  if (!connection_->stays_open_.load(std::memory_order_seq_cst)) return true;
  session_.refuse_requests();
  return false;
}

// Takes over the input that the connection has kept. Returns false when memory is exhausted.
bool Worker::take_up(ServerConnection& c) {
  in_.clear();
  c.holder_.holds_input(0);
  if (c.rest_.empty()) [[likely]] return true;
  if (c.rest_.size() > kSmallRest) {
    std::swap(in_, c.rest_);
    c.rest_.clear();
    c.rest_.shrink(kSmallRest);
    return true;
  }
  if (!in_.append(c.rest_.view())) return false;
  c.rest_.clear();
  return true;
}

// The upcall that the connection was let go for is over.
void Worker::answer(std::span<const ByteView> reply) {
  const bool cancelled = (running_.exchange(0, std::memory_order_relaxed) & kCancelled) != 0;
  connection_->answer(cancelled ? std::span<const ByteView>() : reply);
  out_.clear();
}

transport::Transfer Worker::receive_now(ServerConnection& c) {
  message_ended_ |= consumed_ != 0;
  drop_consumed();
  const std::size_t begun = in_.size();
  std::size_t bytes = 0, wanted = kReceiveBytes;
  // Between messages the engine may still want the bytes of a message that the session has taken without the engine.
  if (begun != 0) {
    bytes = large_message();
    wanted = std::max(session_.wanted_bytes(), kReceiveBytes);
  }
  if (in_.capacity() < wanted && !in_.reserve(wanted)) return {0, Fault::OutOfMemory, 0};
  const std::size_t room = bytes != 0 ? std::min(in_.capacity(), bytes) : in_.capacity();
  const transport::Transfer t = c.stream_->receive_now({in_.data() + begun, room - begun});
  in_.set_size(begun + t.bytes);
  c.more_ = t.bytes == room - begun;
  return t;
}

// Nothing more is there now, or others have their turn. again: whole messages may be left.
void Worker::give_back(ServerConnection& c, bool again) {
  message_ended_ |= consumed_ != 0;
  drop_consumed();
  const bool part = !in_.empty() || session_.reassembling();
  time_message(c, part);
  if (!part) {
    if (c.ending_.load(std::memory_order_relaxed) != ServerConnection::Ending::None && must_close_now())
      return c.close_in_order();
    c.rest_.shrink(kIdleRest);
    return c.arm();
  }
  if (!keep_rest(c)) return c.drop();
  c.arm(again, again ? kMessagesInTurn / 2 : 1);
}

// The peer does not take in its replies; its requests are read on when it does. The time of a request that has come
// in part begins then; the time of messages in fragments stands still.
[[gnu::cold, gnu::noinline]] void Worker::park(ServerConnection& c) {
  message_ended_ = true;
  drop_consumed();
  time_message(c, session_.reassembling());
  if (!keep_rest(c)) return c.drop();
  c.park();
}

// Sets the deadline for a message that has come in part; none if there is no such message.
[[gnu::hot]] void Worker::time_message(ServerConnection& c, bool part) {
  if (message_ended_ || !part) c.began_ = {};
  if (!part) return c.deadline_.store(0, std::memory_order_relaxed);
  TimePoint now = c.began_;
  if (now == TimePoint{} || session_.reassembling()) now = Clock::steady().now();
  if (c.began_ == TimePoint{}) c.began_ = now;
  const Limits& limits = orb_.limits();
  if (limits.message_timeout.count() <= 0) return;
  c.deadline_.store(ticks(whole_by(c.began_, now)), std::memory_order_relaxed);
}

// Leaves the rest of the input with the connection. Returns false when memory is exhausted.
bool Worker::keep_rest(ServerConnection& c) {
  if (in_.size() > kSmallRest) std::swap(in_, c.rest_);
  else if (!c.rest_.append(in_.view())) return false;
  c.holder_.holds_input(c.rest_.capacity() + session_.incomplete_bytes());
  return true;
}

// After the last word: until the peer closes, too.
void Worker::discard(ServerConnection& c) {
  if (!in_.reserve(kReceiveBytes)) return c.drop();
  for (;;) {
    const transport::Transfer t = c.stream_->receive_now({in_.data(), in_.capacity()});
    c.lingered_bytes_ += static_cast<std::uint32_t>(t.bytes);
    if (t.fault == Fault::DeadlinePassed && !pool_->stopping()) return c.arm();
    if (!t.ok() || c.lingered_bytes_ > kDiscardBytes) return c.drop();
  }
}

void Worker::shrink() {
  if (in_.capacity() <= kKeepBytes && out_.capacity() <= kKeepBytes) [[likely]] return;
  const std::size_t keep = PeerMemory::is_short() ? kKeepBytes : kKeepBusyBytes;
  in_.shrink(keep);
  out_.shrink(keep);
}

}  // namespace callis::orb
