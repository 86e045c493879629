// SPDX-License-Identifier: Apache-2.0
#include <services/events/named_mailbox.h>
#include <algorithm>

namespace callis::events {

void NamedMailbox::come(Journal::DeliveryPtr delivery) {
  constexpr std::chrono::milliseconds kLater{1'000};
  std::chrono::milliseconds pause{0};
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) pause = kLater;
    if (!ended_ && kept_.reach(delivery->bytes().size())) {
      waiting_.push_back(std::move(delivery));
      changed_.notify_one();
      delivery = nullptr;
    }
  }
  if (delivery) delivery->give_back(pause);
  else pool_.wake(shared_from_this());
}

// Called under mutex_. The journal has no further event until the last event is acknowledged.
Journal::DeliveryPtr NamedMailbox::take() {
  if (ended_ || waiting_.empty()) return nullptr;
  last_ = std::move(waiting_.front());
  waiting_.pop_front();
  return last_;
}

// The next event comes when the last one is acknowledged, and does so within a moment.
Journal::DeliveryPtr NamedMailbox::try_pull() {
  constexpr std::chrono::milliseconds kMoment{20};
  std::unique_lock lock(mutex_);
  if (const auto before = std::exchange(last_, nullptr)) {
    before->acknowledge();
    changed_.wait_for(lock, kMoment, [&] { return ended_ || !waiting_.empty(); });
  }
  return take();
}

Journal::DeliveryPtr NamedMailbox::pull(std::chrono::milliseconds longest, const std::function<bool()>& give_up) {
  constexpr std::chrono::milliseconds kEvery{100};
  const auto end = std::chrono::steady_clock::now() + longest;
  std::unique_lock lock(mutex_);
  if (const auto before = std::exchange(last_, nullptr)) before->acknowledge();
  for (;;) {
    changed_.wait_until(lock, std::min(end, std::chrono::steady_clock::now() + kEvery),
                        [&] { return ended_ || !waiting_.empty(); });
    if (ended_ || !waiting_.empty()) return take();
    if (std::chrono::steady_clock::now() >= end || give_up()) return nullptr;
  }
}

void NamedMailbox::end(bool taken) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  if (const auto before = std::exchange(last_, nullptr)) {
    if (taken) before->acknowledge();
    else before->give_back({});
  }
  for (const auto& d : waiting_) d->give_back({});
  waiting_.clear();
  changed_.notify_all();
}

bool NamedMailbox::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

Pool::Next NamedMailbox::run() noexcept {
  const std::lock_guard lock(mutex_);
  if (ended_ || (!last_ && waiting_.empty())) return {};
  if (last_) last_->keep();
  for (const auto& d : waiting_) d->keep();
  return {Pool::Next::At, Pool::Clock::now() + patience_ / 3};
}

}  // namespace callis::events
