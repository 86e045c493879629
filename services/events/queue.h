// SPDX-License-Identifier: Apache-2.0
// Queue: the events that wait for one consumer, bounded in number and in bytes. They leave in the order in which they
// came, whatever their priority: that decides what is discarded alone. One thread at a time.
#pragma once
#include <services/common/held_bytes.h>
#include <services/events/event.h>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

namespace callis::events {

// The behaviour of a full queue.
enum class Overflow : std::uint8_t {
  DiscardOldest,
  DiscardNewest,      // the one that comes
  DiscardByPriority,  // the oldest event of the lowest priority; a new event that is lower than all
  Disconnect,         // the consumer is given up
};
// "oldest", "newest", "priority", "disconnect"; nothing for other words.
std::optional<Overflow> overflow_of(std::string_view word);

struct QueueBounds {
  std::size_t events = 1'000;      // 1 at least
  std::size_t bytes = 16u << 20;   // an event that is larger never enters
  Overflow overflow = Overflow::DiscardOldest;
};

class Queue {
 public:
  struct Waiting {
    std::uint64_t number = 0;  // its place in the order
    Event event;
  };
  enum class Offered : std::uint8_t { Kept, Full };  // Full: by Overflow::Disconnect

  // The bytes of an event beside its own: its place here, and its holder.
  static constexpr std::size_t kEventOverhead = 256;

  // kept: who has the queue pays for what waits in it. Where there is no room the queue is full.
  explicit Queue(const QueueBounds& bounds, services::HeldBytes kept = {})
      : bounds_(bounds), kept_(std::move(kept)) {}

  Offered offer(const Event& event);
  // The one that came first; nothing: the queue is empty.
  std::optional<Waiting> take();
  // The number of an event that passes an empty queue by, and may come to it by put_back().
  std::uint64_t skip() { return next_++; }
  // Puts the taken event back as the first; it may pass the bounds.
  void put_back(Waiting&& event);
  void clear();

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }
  // Since it was made.
  std::uint64_t discarded() const { return discarded_; }

 private:
  using Lane = std::deque<Waiting>;
  bool is_full_with(const Event& event) {
    const std::size_t bytes = event.bytes, more = bytes + event.more_bytes + kEventOverhead;
    return size_ >= bounds_.events || bytes_ + bytes > bounds_.bytes ||
           !kept_.reach(in_memory() + more);
  }
  std::size_t in_memory() const { return bytes_ + more_bytes_ + size_ * kEventOverhead; }
  Lane& lane(std::uint8_t priority);
  Lane* first();
  Lane* lowest();
  std::uint8_t lowest_priority() const;  // of what waits
  Waiting remove_front(Lane& lane);

  const QueueBounds bounds_;
  services::HeldBytes kept_;
  std::array<std::unique_ptr<Lane>, kPriorities> lanes_;  // made when the first event of the priority comes
  std::size_t size_ = 0, bytes_ = 0, more_bytes_ = 0;
  std::uint64_t next_ = 0, discarded_ = 0;
};

}  // namespace callis::events
