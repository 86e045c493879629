// SPDX-License-Identifier: Apache-2.0
// LogLines: what is logged while it lives, at the level given and above, in place of standard error. One at a time.
// Other threads may log when it begins and when it ends.
#pragma once
#include <callis/base/log.h>
#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace callis::testing {

class LogLines final {
 public:
  explicit LogLines(LogLevel level = LogLevel::Warning) : before_(log_level()) {
    {
      const std::lock_guard lock(mutex_);
      current_ = this;
    }
    set_log_level(level);
    set_log_sink(&add, nullptr);
  }
  ~LogLines() {
    set_log_level(before_);
    set_log_sink(nullptr, nullptr);
    const std::lock_guard lock(mutex_);
    current_ = nullptr;
  }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // How many have that in them.
  std::size_t with(const std::string& text) const {
    const auto lines = all();
    return static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(), [&](const auto& l) { return l.find(text) != std::string::npos; }));
  }

 private:
  // A thread that has begun to log comes here also when the sink is another one by then.
  static void add(LogLevel, std::string_view text, void*) {
    const std::lock_guard lock(mutex_);
    if (current_) current_->lines_.emplace_back(text);
  }

  static inline std::mutex mutex_;
  static inline LogLines* current_ = nullptr;

  const LogLevel before_;
  std::vector<std::string> lines_;
};

}  // namespace callis::testing
