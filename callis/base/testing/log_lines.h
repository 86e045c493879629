// SPDX-License-Identifier: Apache-2.0
// LogLines: what is logged while it lives, at the level given and above, in place of standard error. One at a time.
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
    set_log_level(level);
    set_log_sink(&add, this);
  }
  ~LogLines() {
    set_log_sink(nullptr, nullptr);
    set_log_level(before_);
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
  static void add(LogLevel, std::string_view text, void* self) {
    auto& lines = *static_cast<LogLines*>(self);
    const std::lock_guard lock(lines.mutex_);
    lines.lines_.emplace_back(text);
  }

  const LogLevel before_;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace callis::testing
