// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/endpoint/followers.h>

namespace callis::orb {
namespace {

// Looks for the flag a short while. It does not yield between two looks, as look_again() does: whether that pays
// where threads share a connection has not been measured.
void spin(const std::atomic<bool>& flag, SpinPolicy& policy) {
  constexpr std::chrono::microseconds kPreempted{100};
  const transport::tcp::SpinPermit permit;
  if (!permit) return;
  TimePoint last = Clock::steady().now();
  const TimePoint end = last + policy.longest();
  while (!flag.load(std::memory_order_acquire)) {
    const TimePoint now = Clock::steady().now();
    const bool preempted = now - last > kPreempted;
    if (now > end || preempted) return policy.in_vain(preempted);
    last = now;
  }
  policy.came();
}

}  // namespace

bool wait(std::condition_variable& c, std::unique_lock<std::mutex>& lock, Deadline deadline) {
  if (!deadline.is_never()) return c.wait_until(lock, deadline.time()) == std::cv_status::no_timeout;
  c.wait(lock);
  return true;
}

void Follower::look(std::unique_lock<std::mutex>& lock) {
  if (!policy_.due()) return;
  lock.unlock();
  spin(called_, policy_);
  lock.lock();
}

bool Follower::sleep(std::unique_lock<std::mutex>& lock, Deadline deadline) { return wait(wake_, lock, deadline); }

void Follower::came() noexcept {
  if (!among_) return;
  among_->remove(*this);
  called_.store(true, std::memory_order_release);
  wake_.notify_one();
}

void Followers::add(Follower& f) {
  f.called_.store(false, std::memory_order_relaxed);
  f.among_ = this;
  f.before_ = last_;
  f.behind_ = nullptr;
  (last_ ? last_->behind_ : first_) = &f;
  last_ = &f;
}

void Followers::remove(Follower& f) {
  (f.before_ ? f.before_->behind_ : first_) = f.behind_;
  (f.behind_ ? f.behind_->before_ : last_) = f.before_;
  f.among_ = nullptr;
}

}  // namespace callis::orb
