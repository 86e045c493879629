// SPDX-License-Identifier: Apache-2.0
#include <services/events/hub.h>
#include <algorithm>
#include <mutex>
#include <shared_mutex>

namespace callis::events {

void Hub::add(std::shared_ptr<Receiver> receiver) {
  const std::unique_lock lock(mutex_);
  receivers_.push_back(std::move(receiver));
}

void Hub::remove(const Receiver* receiver) {
  std::shared_ptr<Receiver> gone;  // let go without the lock
  const std::unique_lock lock(mutex_);
  const auto found =
      std::find_if(receivers_.begin(), receivers_.end(), [&](const auto& r) { return r.get() == receiver; });
  if (found == receivers_.end()) return;
  discarded_before_ += receiver->discarded();
  gone = std::move(*found);
  *found = std::move(receivers_.back());
  receivers_.pop_back();
}

void Hub::publish(const Event& event) const {
  const std::shared_lock lock(mutex_);
  for (const auto& r : receivers_) r->offer(event);
}

std::size_t Hub::waiting() const {
  const std::shared_lock lock(mutex_);
  std::size_t out = 0;
  for (const auto& r : receivers_) out += r->waiting();
  return out;
}

std::uint64_t Hub::discarded() const {
  const std::shared_lock lock(mutex_);
  std::uint64_t out = discarded_before_;
  for (const auto& r : receivers_) out += r->discarded();
  return out;
}

}  // namespace callis::events
