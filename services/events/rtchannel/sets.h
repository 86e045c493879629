// SPDX-License-Identifier: Apache-2.0
// Sets: the sets of events that wait for one consumer, of all its priorities, bounded in number and in bytes. Those
// of one priority leave in the order in which they came. One thread at a time.
#pragma once
#include <services/events/queue.h>
#include <services/events/realtime/correlation.h>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace callis::rtevents {

using events::Overflow;
using events::QueueBounds;

class Sets {
 public:
  enum class Offered : std::uint8_t { Kept, Full };  // Full: by Overflow::Disconnect
  struct Waiting {
    std::uint64_t number = 0;  // its place in the order
    events::EventSet set;
    std::size_t bytes = 0;
  };

  static constexpr std::size_t kSetOverhead = 320;  // its place here, and what holds its event

  // bounds.events counts sets. kept: as of events::Queue.
  explicit Sets(const QueueBounds& bounds, services::HeldBytes kept = {}) : bounds_(bounds), kept_(std::move(kept)) {}

  Offered offer(events::EventSet&& set, std::size_t bytes, std::int32_t priority);
  // Takes the set of that priority that came first; nothing if there is none.
  std::optional<Waiting> take(std::int32_t priority);
  // Puts the taken set back as the first; it may pass the bounds.
  void put_back(Waiting&& waiting, std::int32_t priority);
  void clear();

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t discarded() const { return discarded_; }

 private:
  using Lines = std::map<std::int32_t, std::deque<Waiting>>;  // by priority, the lowest first; no empty ones
  bool is_full_with(std::size_t bytes) {
    return size_ >= bounds_.events || bytes_ + bytes > bounds_.bytes ||
           !kept_.reach(bytes_ + bytes + (size_ + 1) * kSetOverhead);
  }
  Lines::iterator oldest();
  Waiting remove_front(Lines::iterator line);

  const QueueBounds bounds_;
  services::HeldBytes kept_;
  Lines lines_;
  std::size_t size_ = 0, bytes_ = 0;
  std::uint64_t next_ = 0, discarded_ = 0;
};

}  // namespace callis::rtevents
