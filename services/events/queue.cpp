// SPDX-License-Identifier: Apache-2.0
#include <services/events/queue.h>
#include <algorithm>

namespace callis::events {

std::optional<Overflow> overflow_of(std::string_view word) {
  if (word == "oldest") return Overflow::DiscardOldest;
  if (word == "newest") return Overflow::DiscardNewest;
  if (word == "priority") return Overflow::DiscardByPriority;
  if (word == "disconnect") return Overflow::Disconnect;
  return std::nullopt;
}

// The lane whose front came before the others'.
Queue::Lane* Queue::first() {
  Lane* out = nullptr;
  for (Lane& lane : lanes_)
    if (!lane.empty() && (!out || lane.front().number < out->front().number)) out = &lane;
  return out;
}

Queue::Lane* Queue::lowest() {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return !lane.empty(); });
  return found == lanes_.end() ? nullptr : &*found;
}

Queue::Waiting Queue::remove_front(Lane& lane) {
  Waiting out = std::move(lane.front());
  lane.pop_front();
  --size_;
  bytes_ -= out.event.bytes;
  return out;
}

Queue::Offered Queue::offer(const Event& event) {
  const std::uint8_t priority = std::min<std::uint8_t>(event.priority, kPriorities - 1);
  if (event.bytes > bounds_.bytes) {
    ++discarded_;
    return Offered::Kept;
  }
  while (is_full_with(event.bytes)) {
    ++discarded_;
    switch (bounds_.overflow) {
      case Overflow::Disconnect: return Offered::Full;
      case Overflow::DiscardNewest: return Offered::Kept;
      case Overflow::DiscardOldest: remove_front(*first()); break;
      case Overflow::DiscardByPriority:
        if (Lane& least = *lowest(); &least <= &lanes_[priority]) remove_front(least);
        else return Offered::Kept;
        break;
    }
  }
  lanes_[priority].push_back({next_++, event});
  ++size_;
  bytes_ += event.bytes;
  return Offered::Kept;
}

std::optional<Queue::Waiting> Queue::take() {
  Lane* const lane = first();
  if (!lane) return std::nullopt;
  return remove_front(*lane);
}

void Queue::put_back(Waiting&& event) {
  ++size_;
  bytes_ += event.event.bytes;
  lanes_[std::min<std::uint8_t>(event.event.priority, kPriorities - 1)].push_front(std::move(event));
}

void Queue::clear() {
  for (Lane& lane : lanes_) lane.clear();
  size_ = bytes_ = 0;
}

}  // namespace callis::events
