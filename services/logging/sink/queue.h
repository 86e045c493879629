// SPDX-License-Identifier: Apache-2.0
// Queue: lines on their way to a sink. Putting one never waits for the one who takes them, and never allocates more
// than the bounds; lines that find no room are counted. Any thread puts, one takes.
#pragma once
#include <callis/base/log.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace callis::log_sink {

struct Line {
  std::uint64_t unix_ns;
  LogLevel level;
  std::string text;
};

class Queue final {
 public:
  Queue(std::size_t lines, std::size_t bytes) : most_lines_(lines), most_bytes_(bytes) {}

  void put(LogLevel level, std::string_view text) noexcept;
  // Waits until there are lines, or the end. Takes up to `most`, and the number of those dropped since the last call.
  // False: it has ended, and nothing is left.
  bool take(std::vector<Line>& lines, std::uint64_t& dropped, std::size_t most);
  // Those could not be sent.
  void lost(std::uint64_t lines) noexcept;
  void end() noexcept;
  bool ended() const;
  // Waits for so long, less where the queue ends.
  void rest(std::chrono::milliseconds time);

 private:
  const std::size_t most_lines_, most_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable some_;
  std::deque<Line> lines_;
  std::size_t bytes_ = 0;
  std::uint64_t dropped_ = 0;
  bool ended_ = false;
};

}  // namespace callis::log_sink
