// SPDX-License-Identifier: Apache-2.0
#include <services/events/mailbox.h>
#include <algorithm>

namespace callis::events {

void Mailbox::offer(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (ended_ || full_) return;
  const std::uint64_t before = queue_.discarded();
  full_ = queue_.offer(event) == Queue::Offered::Full;
  if (queue_.discarded() != before) tally_.discarded += static_cast<std::int64_t>(queue_.discarded() - before);
  if (full_) changed_.notify_all();
  else changed_.notify_one();
}

std::size_t Mailbox::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::uint64_t Mailbox::discarded() const {
  const std::lock_guard lock(mutex_);
  return queue_.discarded();
}

std::optional<Event> Mailbox::taken() {
  if (ended_ || full_) return std::nullopt;
  std::optional<Queue::Waiting> next = queue_.take();
  if (!next) return std::nullopt;
  ++tally_.delivered;
  return std::move(next->event);
}

std::optional<Event> Mailbox::try_pull() {
  const std::lock_guard lock(mutex_);
  return taken();
}

std::optional<Event> Mailbox::pull(std::chrono::milliseconds longest, const std::function<bool()>& give_up) {
  constexpr std::chrono::milliseconds kEvery{100};
  const auto end = std::chrono::steady_clock::now() + longest;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto until = std::min(end, std::chrono::steady_clock::now() + kEvery);
    changed_.wait_until(lock, until, [&] { return ended_ || full_ || queue_.size() != 0; });
    if (ended_ || full_ || queue_.size() != 0) return taken();
    if (std::chrono::steady_clock::now() >= end || give_up()) return std::nullopt;
  }
}

void Mailbox::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  queue_.clear();
  changed_.notify_all();
}

bool Mailbox::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool Mailbox::full() const {
  const std::lock_guard lock(mutex_);
  return full_;
}

}  // namespace callis::events
