// SPDX-License-Identifier: Apache-2.0
// A connection of the pool: its bytes between turns, replies that wait to be sent, its end.
#include <callis/base/log.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server_connection.h>
#include <algorithm>
#include <mutex>
#include <poll.h>

namespace callis::orb {
namespace {

constexpr Duration kLinger{200};        // for a peer to read the last message
constexpr int kFlood = 64;              // messages that were served with more to be read: see arm()

}  // namespace

void ServerConnection::end_in_pool() noexcept { pool_->remove(*this); }

bool ServerConnection::try_add_ref() noexcept {
  std::uint32_t n = refs_.load(std::memory_order_relaxed);
  while (n != 0)
    if (refs_.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) return true;
  return false;
}

void ServerConnection::set_calling(bool calling) noexcept {
  calling_.store(calling, std::memory_order_relaxed);
  std::int64_t used = used_.load(std::memory_order_relaxed);
  const std::int64_t now = pool_->now();
  while (used < now && !used_.compare_exchange_weak(used, now, std::memory_order_relaxed)) {}
}

// --- Time ---

bool ServerConnection::is_late(std::int64_t now) const {
  const auto passed = [now](std::int64_t deadline) { return deadline != 0 && now >= deadline; };
  return passed(deadline_.load(std::memory_order_relaxed)) || passed(send_deadline_.load(std::memory_order_relaxed));
}

// Longer than of others, but not where many connections are open: who claims to be bidirectional must not keep others
// out by saying nothing.
Duration ServerConnection::idle_time_of_bidirectional(const Limits& limits) const {
  const Duration own = limits.bidirectional_idle_timeout, usual = limits.idle_timeout;
  const bool crowded = pool_->connections() > limits.max_connections / 2;
  return crowded && own.count() > 0 && usual.count() > 0 ? std::min(own, usual) : own;
}

std::int64_t ServerConnection::idle_at() const {
  const std::int64_t used = used_.load(std::memory_order_relaxed);
  const bool bidirectional = stays_open_.load(std::memory_order_relaxed);
  if (bidirectional && (conversation_.comes_back() || calling_.load(std::memory_order_relaxed))) return kNever;
  const Limits& limits = pool_->limits();
  const Duration limit = bidirectional ? idle_time_of_bidirectional(limits) : limits.idle_timeout;
  const auto idle = std::chrono::duration_cast<TimePoint::duration>(limit).count();
  const bool may_end = idle > 0 && used != kBusy && in_progress_.load(std::memory_order_seq_cst) == 0 &&
                       queued_bytes() == 0 && deadline_.load(std::memory_order_relaxed) == 0 &&
                       ending_.load(std::memory_order_relaxed) == Ending::None;
  return may_end ? used + idle : kNever;
}

std::int64_t ServerConnection::due() const {
  std::int64_t first = idle_at();
  for (const std::atomic<std::int64_t>* deadline : {&deadline_, &send_deadline_})
    if (const std::int64_t at = deadline->load(std::memory_order_relaxed); at != 0) first = std::min(first, at);
  return first;
}

void ServerConnection::end_in_time(std::int64_t now) {
  if (is_idle(now)) {
    ending_.store(Ending::Idle, std::memory_order_relaxed);
    return end_reading();
  }
  if (!is_late(now)) return;  // a request has come meanwhile
  const bool reads = send_deadline_.load(std::memory_order_relaxed) == 0;
  if (phase_.load(std::memory_order_relaxed) != Phase::Lingering)
    log(LogLevel::Info, {peer(), reads ? ": message not complete in time" : ": does not read its replies"});
  break_off();
}

// --- The reader ---

void ServerConnection::arm(bool again, int served) noexcept {
  used_.store(pool_->now(), std::memory_order_relaxed);
  again |= stream_->pending();
  // A peer that sends faster than it is served waits behind others. Else each call of theirs waits for one of its
  // own, and where many peers do so, for one of each.
  floods_ = static_cast<std::uint8_t>(again || more_ ? std::min(floods_ + served, 4 * kFlood - 1) : floods_ / 2);
  if (!in_poller_) [[unlikely]] {
    in_poller_ = true;
    if (pool_->poller().add(stream_->descriptor(), this, again) != 0) drop();
  } else if (floods_ < kFlood) [[likely]] pool_->poller().arm(stream_->descriptor(), this, again);
  else pool_->poller().arm_behind(stream_->descriptor(), this, again);
}

void ServerConnection::keep(ByteView rest) noexcept {
  if (!rest_.append(rest)) [[unlikely]] return break_off();
  holder_.holds_input(rest_.capacity() + conversation_.engine.reassembly_bytes());
}

[[gnu::hot]] bool ServerConnection::must_park() const noexcept {
  const Limits& limits = pool_->limits();
  return (in_progress_.load(std::memory_order_seq_cst) & ~kDraining) >= limits.max_dispatches_per_connection ||
         queued_.load(std::memory_order_seq_cst) > limits.max_queued_output_bytes;
}

void ServerConnection::let_go(ByteView rest) noexcept {
  if (!rest.empty() || conversation_.engine.reassembly_bytes() != 0) keep(rest);
  add_ref();
  in_progress_.fetch_add(1, std::memory_order_seq_cst);
  if (!must_park()) [[likely]] return arm(!rest_.empty());
  park();
}

// Nothing is read while it is parked: the time of messages in fragments stands still, and goes on afterwards. It does
// not begin anew: a peer may have its connection parked again and again.
void ServerConnection::park() noexcept {
  began_ = {};
  parked_at_ = Clock::steady().now();
  deadline_when_parked_ = deadline_.exchange(0, std::memory_order_relaxed);
  used_.store(pool_->now(), std::memory_order_relaxed);
  parked_.store(true, std::memory_order_seq_cst);
  unpark();  // the reason for parking may have ended before
}

void ServerConnection::unpark() noexcept {
  if (!parked_.load(std::memory_order_seq_cst) || must_park()) return;
  if (!parked_.exchange(false, std::memory_order_seq_cst)) return;
  const TimePoint::duration still = Clock::steady().now() - parked_at_;
  conversation_.engine.stood_still(still);
  if (deadline_when_parked_ != 0) deadline_.store(deadline_when_parked_ + still.count(), std::memory_order_relaxed);
  arm(!rest_.empty());
}

void ServerConnection::answer(std::span<const ByteView> reply) noexcept {
  if (!reply.empty()) (void)send_reply(reply);
  upcall_ended();
  release();
}

void ServerConnection::upcall_ended() noexcept {
  std::int64_t used = used_.load(std::memory_order_relaxed);
  const std::int64_t now = pool_->now();
  if (used < now) (void)used_.compare_exchange_strong(used, now, std::memory_order_relaxed);
  const std::uint32_t before = in_progress_.fetch_sub(1, std::memory_order_seq_cst);
  if (before == (kDraining | 1)) [[unlikely]] return say_close();
  if (parked_.load(std::memory_order_seq_cst)) [[unlikely]] unpark();
}

void ServerConnection::close_in_order() noexcept {
  phase_.store(Phase::Draining, std::memory_order_relaxed);
  conversation_.engine.begin_drain();
  if (in_progress_.fetch_or(kDraining, std::memory_order_seq_cst) == 0) say_close();
}

void ServerConnection::say_close() noexcept {
  const ByteView farewell = conversation_.engine.finish_drain();
  if (!farewell.empty()) (void)send(farewell);
  linger();
}

// Closing with bytes unread would make the kernel send a reset, which may overtake the last output.
void ServerConnection::linger() noexcept {
  end_receiving_replies();
  finish_sending();
  phase_.store(Phase::Lingering, std::memory_order_relaxed);
  began_ = {};
  rest_.clear();
  rest_.shrink(0);
  if (pool_->stopping() && queued_bytes() == 0) return drop();
  const Duration longest = queued_bytes() == 0 ? kLinger : kLinger + pool_->limits().send_timeout;
  deadline_.store(ticks(Clock::steady().now() + longest), std::memory_order_relaxed);
  arm();
}

void ServerConnection::drop() noexcept {
  deadline_.store(0, std::memory_order_relaxed);
  rest_.shrink(0);
  end_receiving_replies();
  conversation_.engine.lost();  // upcalls may keep this for long, but not the messages in pieces
  holder_.holds_input(0);
  release();
}

// --- Output ---

[[gnu::hot]] bool ServerConnection::send(std::span<const ByteView> messages) noexcept {
  const std::lock_guard lock(send_lock_);
  if (broken_.load(std::memory_order_relaxed)) return false;
  if (!output_.empty()) [[unlikely]] return queue(messages, 0);
  const transport::Transfer t = stream_->send_now(messages);
  if (t.ok()) [[likely]] return true;
  if (t.fault == Fault::DeadlinePassed) return queue(messages, t.bytes);
  fail();
  return false;
}

// Called under the lock. Otherwise output that a peer has taken in would pile up if the peer never takes in all.
void ServerConnection::forget_sent() noexcept {
  output_.drop_front(sent_);
  in_time_ -= std::min(in_time_, sent_);
  sent_ = 0;
}

// from: bytes of the messages that have been sent.
bool ServerConnection::queue(std::span<const ByteView> messages, std::size_t from) noexcept {
  const bool first = output_.empty();
  if (sent_ > output_.size() / 2) forget_sent();
  for (ByteView m : messages) {
    const std::size_t sent = std::min(from, m.size());
    from -= sent;
    if (output_.append(m.subspan(sent))) continue;
    fail();
    return false;
  }
  queued_.store(output_.size() - sent_, std::memory_order_seq_cst);
  holder_.holds_output(output_.capacity());
  if (!first) return true;
  in_time_ = output_.size();
  send_deadline_.store(pool_->send_deadline(), std::memory_order_relaxed);
  if (!owns_output_ref_) {
    owns_output_ref_ = true;
    add_ref();
  }
  if (pool_->poller().arm_output(stream_->descriptor(), this) == 0) return true;
  owns_output_ref_ = false;
  refs_.fetch_sub(1, std::memory_order_acq_rel);  // not the last count: the sender's is left
  fail();
  return false;
}

void ServerConnection::send_queued() noexcept {
  bool done;
  {
    const std::lock_guard lock(send_lock_);
    if (!output_.empty()) {
      const ByteView rest = output_.view(sent_);
      const transport::Transfer t = stream_->send_now({&rest, 1});
      sent_ += t.bytes;
      if (!t.ok() && t.fault != Fault::DeadlinePassed) fail();
    }
    done = sent_ == output_.size();
    if (done) {
      output_.clear();
      output_.shrink(0);
      holder_.holds_output(0);
      sent_ = 0;
      send_deadline_.store(0, std::memory_order_relaxed);
      owns_output_ref_ = false;
      if (finish_) stream_->finish_sending();
    } else if (sent_ >= in_time_) {
      in_time_ = output_.size();
      send_deadline_.store(pool_->send_deadline(), std::memory_order_relaxed);
    }
    queued_.store(output_.size() - sent_, std::memory_order_seq_cst);
    if (!done) (void)pool_->poller().arm_output(stream_->descriptor(), this);
  }
  unpark();
  if (done) release();
}

bool ServerConnection::make_room(Deadline deadline) noexcept {
  pollfd p{stream_->descriptor(), POLLOUT, 0};
  if (::poll(&p, 1, deadline.poll_ms()) <= 0) return false;
  const std::lock_guard lock(send_lock_);
  if (sent_ == output_.size()) return true;
  const ByteView rest = output_.view(sent_);
  const transport::Transfer t = stream_->send_now({&rest, 1});
  sent_ += t.bytes;
  if (!t.ok() && t.fault != Fault::DeadlinePassed) fail();
  queued_.store(output_.size() - sent_, std::memory_order_seq_cst);
  return true;
}

// Called under the lock. The poller's events bring the reader and the output's count to their ends.
void ServerConnection::fail() noexcept {
  broken_.store(true, std::memory_order_relaxed);
  output_.clear();
  output_.shrink(0);
  holder_.holds_output(0);
  sent_ = 0;
  queued_.store(0, std::memory_order_seq_cst);
  send_deadline_.store(0, std::memory_order_relaxed);
  stream_->shutdown();
}

void ServerConnection::break_off() noexcept {
  {
    const std::lock_guard lock(send_lock_);
    fail();
  }
  unpark();
}

void ServerConnection::finish_sending() noexcept {
  const std::lock_guard lock(send_lock_);
  finish_ = true;
  if (output_.empty()) stream_->finish_sending();
}

}  // namespace callis::orb
