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

Queue::Lane& Queue::lane(std::uint8_t priority) {
  std::unique_ptr<Lane>& out = lanes_[std::min<std::uint8_t>(priority, kPriorities - 1)];
  if (!out) out = std::make_unique<Lane>();
  return *out;
}

// The lane whose front came before the others'.
Queue::Lane* Queue::first() {
  Lane* out = nullptr;
  for (const auto& lane : lanes_)
    if (lane && !lane->empty() && (!out || lane->front().number < out->front().number)) out = lane.get();
  return out;
}

Queue::Lane* Queue::lowest() {
  for (const auto& lane : lanes_)
    if (lane && !lane->empty()) return lane.get();
  return nullptr;
}

std::uint8_t Queue::lowest_priority() const {
  std::uint8_t out = 0;
  while (out + 1u < kPriorities && !(lanes_[out] && !lanes_[out]->empty())) ++out;
  return out;
}

Queue::Waiting Queue::remove_front(Lane& lane) {
  Waiting out = std::move(lane.front());
  lane.pop_front();
  --size_;
  bytes_ -= out.event.bytes;
  more_bytes_ -= out.event.more_bytes;
  kept_.settle(in_memory());
  return out;
}

Queue::Offered Queue::offer(const Event& event) {
  const std::uint8_t priority = std::min<std::uint8_t>(event.priority, kPriorities - 1);
  if (event.bytes > bounds_.bytes) {
    ++discarded_;
    return Offered::Kept;
  }
  while (is_full_with(event)) {
    ++discarded_;
    if (bounds_.overflow == Overflow::Disconnect) return Offered::Full;
    if (size_ == 0) return Offered::Kept;  // others have taken all the room there is
    switch (bounds_.overflow) {
      case Overflow::Disconnect:
      case Overflow::DiscardNewest: return Offered::Kept;
      case Overflow::DiscardOldest: remove_front(*first()); break;
      case Overflow::DiscardByPriority:
        if (lowest_priority() > priority) return Offered::Kept;
        remove_front(*lowest());
        break;
    }
  }
  lane(priority).push_back({next_++, event});
  ++size_;
  bytes_ += event.bytes;
  more_bytes_ += event.more_bytes;
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
  more_bytes_ += event.event.more_bytes;
  (void)kept_.reach(in_memory());
  lane(event.event.priority).push_front(std::move(event));
}

void Queue::clear() {
  for (auto& lane : lanes_) lane.reset();
  size_ = bytes_ = more_bytes_ = 0;
  kept_.settle(0);
}

}  // namespace callis::events
