// SPDX-License-Identifier: Apache-2.0
// Forms of log()'s lines on standard error (log.h), for who reads the lines of many processes together.
//
//   plain   callis: warning: text
//   time    2026-11-26T01:02:03.456Z callis[4711]: warning: text
//   json    {"time":"2026-11-26T01:02:03.456Z","level":"warning","service":"bank","pid":4711,"text":"text"}
//
// Users choose by -ORBLogFormat (docs/guide/logging.md).
#pragma once
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <cstdint>

namespace callis {

enum class LogFormat : std::uint8_t { Plain, Time, Json };

// The form of lines that the default sink writes from now on; a sink of the program's own gets texts as before.
// service: of JSON; empty: the program's name. Any thread.
void set_log_format(LogFormat format, std::string_view service = {}) noexcept;

// One line with its end. Takes no memory: lines say, too, that there is none.
class LogLine final {
 public:
  // text: printable, as log() makes texts. unix_ms: milliseconds since 1970.
  LogLine(LogFormat format, LogLevel level, std::string_view text, std::string_view service, std::int64_t unix_ms,
          int pid) noexcept;
  operator std::string_view() const& noexcept { return {text_, size_}; }
  operator std::string_view() const&& = delete;  // which would be of what is gone

 private:
  void add(std::string_view text) noexcept;
  void add_string(std::string_view text) noexcept;  // of JSON

  std::size_t size_ = 0;
  char text_[2 * Printable::kMost + 2048];
};

}  // namespace callis
