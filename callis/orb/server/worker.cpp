// SPDX-License-Identifier: Apache-2.0
// A worker's loop for driving a connection, and the waits of a thread that stays with its connection.
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/text.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/worker.h>

namespace callis::orb {
namespace {

constexpr std::size_t kFirstReceiveBytes = 8u << 10;
constexpr std::size_t kManyReceiveBytes = 64u << 10;  // if small messages come in crowds
constexpr std::size_t kKeepBytes = 96u << 10;   // of a buffer, while the connection is idle
constexpr Duration kBusy{1'000};                // so long after a message, large buffers are kept
constexpr Duration kFarewell{200};              // for a peer to read the last message
constexpr std::size_t kFarewellBytes = 1u << 20;
constexpr std::atomic<bool> kAlwaysWatched{true};

// How long the thread waits for a message before wait_longer() looks whether the connection is idle for too long, or
// is for the pool because threads are short.
Duration patience(const Limits& limits) {
  const Duration idle = limits.idle_timeout, thread = limits.thread_idle_timeout;
  return thread.count() > 0 && (idle.count() <= 0 || thread < idle) ? thread : idle;
}

}  // namespace

constinit thread_local Worker* Worker::mine_ __attribute__((tls_model("initial-exec"))) = nullptr;

Worker::Worker(OrbContext& orb, Pool* pool, bool own)
    : orb_(orb),
      pool_(pool),
      stopping_(own ? orb.server().stopping_flag() : pool->stopping_flag()),
      watching_(pool ? &pool->watching_flag() : &kAlwaysWatched),
      is_own_(own),
      session_(orb, this),
      patience_(patience(orb.limits())) {
  if (pool_) enlist();
}

Worker::~Worker() {
  if (pool_) delist();
}

void Worker::stay_with(ServerConnection*& owned) noexcept {
  ServerConnection& c = *owned;
  owned_ = &owned;
  connection_ = &c;
  mine_ = this;
  if (pool_) WorkerGroup::enlist(this);
  MemoryHolder::ask_for(&c.holder_);
  session_.attach(c.conversation_, c.peer(), &c.peer_identity());
  try {
    drive_own();
  } catch (const std::exception& e) {  // memory is exhausted
    log(LogLevel::Error, std::string_view(e.what()));
    if (!owned_) fail();
  }
  MemoryHolder::ask_for(nullptr);
  WorkerGroup::enlist(nullptr);
  mine_ = nullptr;
}

// An upcall waits. A turn comes soon.
void Worker::leaves(Wait what) noexcept {
  if (what != Wait::Turn) waits();
}

// --- The loop ---

// Like drive_in_turns(). Returns when the connection is over or belongs to the pool.
[[gnu::hot]] void Worker::drive_own() {
  bool wanted = true, idle = true;
  for (;;) {
    if (stopping_.load(std::memory_order_seq_cst)) [[unlikely]] return close_own_in_order();
    if (wanted && !receive_own(idle)) return;
    const Session::StepResult did = step();
    if (!owned_) return go_on_in_turns(did);
    idle = did.idle;
    wanted = did.next == Session::Next::NeedBytes;
    if (wanted) continue;
    if (did.views != 0 && !send_own(did.output())) [[unlikely]] return;
    if (did.next != Session::Next::Send) [[unlikely]] return farewell();
    wanted = consumed_ == in_.size() && !did.postponed;
  }
}

[[gnu::noinline]] void Worker::close_own_in_order() {
  const std::span<const ByteView> last = session_.close_in_order(out_);
  if (!last.empty()) (void)send_own(last);
  connection_->stream_->finish_sending();
}

inline bool Worker::receive_own(bool idle) {
  if (consumed_ == in_.size() && idle ? wait_for_message() : read_rest()) [[likely]] return true;
  if (owned_ && stopping_.load(std::memory_order_seq_cst)) close_own_in_order();  // stop() made the receive fail
  return false;
}

inline bool Worker::send_own(std::span<const ByteView> messages) {
  if (out_.capacity() > kKeepBytes) [[unlikely]] return send_much(messages);
  return sent(connection_->stream_->send_within(messages, orb_.limits().send_timeout));
}

std::size_t Worker::large_message() const {
  const std::size_t bytes = session_.message_bytes();
  return bytes >= kLargeMessage && bytes > in_.size() ? bytes : 0;
}

TimePoint Worker::whole_by(TimePoint began, TimePoint now) {
  const Limits& limits = orb_.limits();
  const auto mib = static_cast<long>((in_.size() + session_.incomplete_bytes()) >> 20);
  return session_.incomplete_since(began, now) + limits.message_timeout + limits.message_timeout_per_mib * mib;
}

// --- Staying: sending ---

// Sends a large reply, and may wait for the peer. Meanwhile the account knows what closing the connection would
// return.
[[gnu::cold, gnu::noinline]] bool Worker::send_much(std::span<const ByteView> messages) {
  connection_->holder_.holds_output(in_.capacity() + out_.capacity() + session_.incomplete_bytes());
  const bool all = sent(connection_->stream_->send_within(messages, orb_.limits().send_timeout));
  connection_->holder_.holds_output(0);
  return all;
}

bool Worker::sent(const transport::Transfer& t) {
  out_.clear();
  if (t.ok()) [[likely]] return true;
  if (t.fault == Fault::DeadlinePassed) note("does not read its replies");
  return false;
}

// Closing with bytes unread would make the kernel send a reset, which may overtake the last output.
[[gnu::noinline]] void Worker::farewell() {
  transport::Stream& stream = *connection_->stream_;
  stream.finish_sending();
  const Deadline until = Deadline::in(kFarewell);
  Byte scratch[4096];
  // A receive counts as much as it could have brought: single bytes must not keep the thread.
  for (std::size_t n = 0; n < kFarewellBytes; n += sizeof scratch)
    if (!stream.receive(scratch, until).ok()) return;
}

void Worker::note(const char* what) const { log(LogLevel::Info, {connection_->peer(), ": ", what}); }

// --- Staying: receiving. All return false when the connection is over, or the pool's. ---

[[gnu::always_inline]] inline bool Worker::wait_for_message() {
  in_.clear();
  consumed_ = 0;
  began_ = {};
  if (in_.capacity() - kFirstReceiveBytes > kKeepBytes - kFirstReceiveBytes || out_.capacity() > kKeepBytes ||
      crowded_) [[unlikely]]
    return wait_with_other_buffers();
  const std::size_t room = next_receive();
  const auto t = connection_->stream_->receive_within({in_.data(), room}, patience_);
  received(t.bytes, room);
  if (t.fault == Fault::DeadlinePassed) [[unlikely]] return wait_longer();
  return t.ok();
}

// Patience is over. Without a pool there is nobody to leave the connection to.
[[gnu::cold, gnu::noinline]] bool Worker::wait_longer() {
  if (pool_) return wait_beside_pool();
  const Duration idle = orb_.limits().idle_timeout;
  const auto t = receive_first(idle.count() > 0 ? Deadline::in(idle - patience_) : Deadline());
  return t.fault == Fault::DeadlinePassed ? (close_own_in_order(), false) : t.ok();
}

// A message is likely to be as large as a large one before it.
inline std::size_t Worker::next_receive() {
  if (large_ != 0 && !was_large_) [[unlikely]] large_ = 0;
  return large_ != 0 ? std::min(large_, in_.capacity()) : in_.capacity();
}

inline void Worker::received(std::size_t n, std::size_t room) {
  in_.set_size(n);
  if (large_ != 0) [[unlikely]] was_large_ = n == large_;
  else if (n == room) [[unlikely]] crowded_ = room < kManyReceiveBytes;
}

// Too small yet, or so large that they are kept only while the connection is busy.
[[gnu::cold, gnu::noinline]] bool Worker::wait_with_other_buffers() {
  if (crowded_) (void)in_.reserve(std::min(2 * in_.capacity(), kManyReceiveBytes));
  crowded_ = false;
  if (in_.capacity() > kKeepBytes || out_.capacity() > kKeepBytes) {
    if (!PeerMemory::is_short()) {
      const auto t = receive_first(Deadline::in(kBusy));
      if (t.fault != Fault::DeadlinePassed) return t.ok();
    }
    in_.shrink(kKeepBytes);
    out_.shrink(kKeepBytes);
    large_ = 0;
  }
  const auto t = receive_first(Deadline::in(patience_));
  return t.fault == Fault::DeadlinePassed ? wait_longer() : t.ok();
}

transport::Transfer Worker::receive_first(Deadline deadline) {
  const std::size_t room = in_.capacity() == 0 ? SIZE_MAX : next_receive();
  const auto t = receive_into(deadline, Clock::steady().now(), room);
  received(t.bytes, room);
  return t;
}

[[gnu::noinline]] bool Worker::read_rest() {
  if (consumed_ != 0) began_ = {};  // the present part of a message has begun behind the message before
  drop_consumed();
  const TimePoint now = Clock::steady().now();
  if (began_ == TimePoint{}) began_ = now;
  const std::size_t bytes = large_message();
  was_large_ = bytes != 0;
  if (was_large_) large_ = bytes;
  const Deadline by = orb_.limits().message_timeout.count() > 0 ? Deadline::at(whole_by(began_, now)) : Deadline();
  // Bytes that come do not put the deadline off. But an upcall may have taken the time: so the first look after the
  // deadline still receives what has come by then.
  const bool late = now >= by.time();
  transport::Transfer t;
  if (late && late_) t.fault = Fault::DeadlinePassed;
  else t = receive_into(by, now, was_large_ ? bytes : SIZE_MAX);
  late_ = late;
  if (t.fault == Fault::DeadlinePassed) note("message not complete in time");
  return t.ok();
}

// Until there are at most so many bytes.
transport::Transfer Worker::receive_into(Deadline deadline, TimePoint now, std::size_t most) {
  // Between messages the engine may still want the bytes of a message that the session has taken without the engine.
  const std::size_t wanted = in_.empty() ? kFirstReceiveBytes : std::max(session_.wanted_bytes(), kFirstReceiveBytes);
  if (in_.capacity() < wanted && !in_.reserve(wanted)) return {0, Fault::OutOfMemory, 0};
  MemoryHolder& holder = connection_->holder_;
  if (in_.capacity() > kManyReceiveBytes || session_.reassembling()) [[unlikely]]
    holder.holds_input(in_.capacity() + session_.incomplete_bytes());
  const auto t = connection_->stream_->receive(
      {in_.data() + in_.size(), std::min(in_.capacity(), most) - in_.size()}, deadline, now);
  holder.holds_input(0);
  in_.set_size(in_.size() + t.bytes);
  return t;
}

}  // namespace callis::orb
