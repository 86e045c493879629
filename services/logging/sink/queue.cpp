// SPDX-License-Identifier: Apache-2.0
#include <services/logging/sink/queue.h>
#include <algorithm>

namespace callis::log_sink {

void Queue::put(LogLevel level, std::string_view text) noexcept {
  using namespace std::chrono;
  const auto at =
      static_cast<std::uint64_t>(duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  if (lines_.size() >= most_lines_ || bytes_ + text.size() > most_bytes_) {
    ++dropped_;
    return;
  }
  try {
    lines_.push_back({at, level, std::string(text)});
    bytes_ += text.size();
  } catch (const std::bad_alloc&) {
    ++dropped_;
  }
  some_.notify_one();
}

bool Queue::take(std::vector<Line>& lines, std::uint64_t& dropped, std::size_t most) {
  std::unique_lock lock(mutex_);
  some_.wait(lock, [&] { return ended_ || !lines_.empty(); });
  lines.clear();
  for (; !lines_.empty() && lines.size() < most; lines_.pop_front()) {
    bytes_ -= lines_.front().text.size();
    lines.push_back(std::move(lines_.front()));
  }
  dropped = dropped_;
  dropped_ = 0;
  return !lines.empty() || dropped != 0;
}

void Queue::lost(std::uint64_t lines) noexcept {
  const std::lock_guard lock(mutex_);
  dropped_ += lines;
}

void Queue::end() noexcept {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  some_.notify_all();
}

bool Queue::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void Queue::rest(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  some_.wait_for(lock, time, [&] { return ended_; });
}

}  // namespace callis::log_sink
