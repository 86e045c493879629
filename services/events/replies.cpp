// SPDX-License-Identifier: Apache-2.0
// The thread of Replies, over epoll: each descriptor is armed for one event.
#include <callis/base/log.h>
#include <services/events/replies.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <cerrno>

namespace callis::events {

namespace {

constexpr std::uint64_t kWake = UINT64_MAX;

void write_to(int event) {
  const std::uint64_t one = 1;
  if (event >= 0) (void)!::write(event, &one, sizeof one);
}

}  // namespace

// Called under mutex_.
bool Replies::start() {
  if (started_) return events_ >= 0;
  started_ = true;
  places_.resize(kMost);
  for (int i = kMost; i-- > 0;) free_.push_back(i);
  events_ = ::epoll_create1(EPOLL_CLOEXEC);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event e{};
  e.events = EPOLLIN;
  e.data.u64 = kWake;
  int error = events_ < 0 || wake_ < 0 || ::epoll_ctl(events_, EPOLL_CTL_ADD, wake_, &e) != 0 ? errno : 0;
  if (error == 0) error = thread_.start({"callis-replies"}, [this] { keep_running(); });
  if (error == 0) return true;
  log_failed("events: replies are waited for by a thread each", error);
  for (int* fd : {&events_, &wake_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
  return false;
}

int Replies::enter(std::shared_ptr<Waiter> waiter) {
  bool rested = false;
  int out = -1;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || !start() || free_.empty()) return -1;
    out = free_.back();
    free_.pop_back();
    places_[static_cast<std::size_t>(out)] = std::move(waiter);
    ++taken_;
    rested = std::exchange(rests_, false);
  }
  if (rested) write_to(wake_);
  return out;
}

// A descriptor that has been closed is not known to epoll any more, whatever its number was used for before.
bool Replies::arm(int place, int descriptor) {
  epoll_event e{};
  e.events = EPOLLIN | EPOLLONESHOT;
  e.data.u64 = static_cast<std::uint64_t>(place);
  if (::epoll_ctl(events_, EPOLL_CTL_MOD, descriptor, &e) == 0) return true;
  return errno == ENOENT && ::epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &e) == 0;
}

std::shared_ptr<Replies::Waiter> Replies::at(std::size_t place) {
  const std::lock_guard lock(mutex_);
  return stopped_ || place >= places_.size() ? nullptr : places_[place];
}

void Replies::hold_round() {
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::shared_ptr<Waiter> waiter = at(i);
    if (!waiter || waiter->round()) continue;
    std::shared_ptr<Waiter> gone;  // let go without the lock
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    gone = std::move(places_[i]);
    free_.push_back(static_cast<int>(i));
    --taken_;
  }
}

void Replies::keep_running() {
  using Clock = std::chrono::steady_clock;
  constexpr int kAtOnce = 64;
  epoll_event events[kAtOnce];
  auto next_round = Clock::now();
  for (;;) {
    int timeout = -1;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      rests_ = taken_ == 0;
      if (!rests_) timeout = static_cast<int>(kRound.count());
    }
    const int n = ::epoll_wait(events_, events, kAtOnce, timeout);
    for (int i = 0; i < n; ++i) {
      if (events[i].data.u64 == kWake) {
        std::uint64_t count = 0;
        (void)!::read(wake_, &count, sizeof count);
      } else if (const auto waiter = at(events[i].data.u64)) {
        waiter->came();
      }
    }
    if (const auto now = Clock::now(); now >= next_round) {
      hold_round();
      next_round = now + kRound;
    }
  }
}

void Replies::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  write_to(wake_);
  if (thread_.joinable()) thread_.join();
  std::vector<std::shared_ptr<Waiter>> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(places_);
  }
  for (const auto& waiter : all)
    if (waiter) waiter->ended();
  if (events_ >= 0) ::close(events_);
  if (wake_ >= 0) ::close(wake_);
  events_ = wake_ = -1;
}

}  // namespace callis::events
