// SPDX-License-Identifier: Apache-2.0
#include <services/events/rtchannel/sets.h>
#include <utility>

namespace callis::rtevents {

Sets::Lines::iterator Sets::oldest() {
  auto out = lines_.begin();
  for (auto line = lines_.begin(); line != lines_.end(); ++line) {
    if (line->second.front().number < out->second.front().number) out = line;
  }
  return out;
}

Sets::Waiting Sets::remove_front(Lines::iterator line) {
  Waiting out = std::move(line->second.front());
  line->second.pop_front();
  if (line->second.empty()) lines_.erase(line);
  --size_;
  bytes_ -= out.bytes;
  kept_.settle(bytes_ + size_ * kSetOverhead);
  return out;
}

Sets::Offered Sets::offer(events::EventSet&& set, std::size_t bytes, std::int32_t priority) {
  if (bytes > bounds_.bytes && bounds_.overflow != Overflow::Disconnect) {  // never fits
    ++discarded_;
    return Offered::Kept;
  }
  while (is_full_with(bytes)) {
    ++discarded_;
    if (bounds_.overflow == Overflow::Disconnect) return Offered::Full;
    if (size_ == 0) return Offered::Kept;  // others have taken all the room there is
    switch (bounds_.overflow) {
      case Overflow::Disconnect:
      case Overflow::DiscardNewest: return Offered::Kept;
      case Overflow::DiscardOldest: (void)remove_front(oldest()); break;
      case Overflow::DiscardByPriority:
        if (lines_.begin()->first > priority) return Offered::Kept;
        (void)remove_front(lines_.begin());
        break;
    }
  }
  lines_[priority].push_back({next_++, std::move(set), bytes});
  ++size_;
  bytes_ += bytes;
  return Offered::Kept;
}

std::optional<Sets::Waiting> Sets::take(std::int32_t priority) {
  const auto line = lines_.find(priority);
  if (line == lines_.end()) return std::nullopt;
  return remove_front(line);
}

void Sets::put_back(Waiting&& waiting, std::int32_t priority) {
  ++size_;
  bytes_ += waiting.bytes;
  (void)kept_.reach(bytes_ + size_ * kSetOverhead);
  lines_[priority].push_front(std::move(waiting));
}

void Sets::clear() {
  lines_.clear();
  size_ = bytes_ = 0;
  kept_.settle(0);
}

}  // namespace callis::rtevents
