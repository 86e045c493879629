// SPDX-License-Identifier: Apache-2.0
// One sink for diagnostics. The default writes lines "callis: warning: text" to standard error, for
// messages at or above the level in the environment variable CALLIS_LOG (trace, debug, info,
// warning, error, off; default warning). Any thread may log. docs/guide/logging.md says what each level has.
#pragma once
#include <initializer_list>
#include <string_view>

namespace callis {

enum class LogLevel : unsigned char { Trace, Debug, Info, Warning, Error, Off };

using LogSink = void (*)(LogLevel level, std::string_view text, void* context);

struct LogTarget {
  LogSink sink;
  void* context;
};
// Replaces the sink, and returns the one before; nullptr restores the default. Call before threads start.
LogTarget set_log_sink(LogSink sink, void* context) noexcept;
void set_log_level(LogLevel level) noexcept;
LogLevel log_level() noexcept;
inline bool logging(LogLevel level) noexcept { return level >= log_level(); }
// One line, whatever the text: what came from a peer in it is made printable, and all is cut at Printable::kMost
// (text.h), before the sink sees it.
void log(LogLevel level, std::string_view text) noexcept;
// The parts, one after the other; they are put together only where the level is logged.
void log(LogLevel level, std::initializer_list<std::string_view> parts) noexcept;
// A warning: what was wanted, and the errno of the system call that failed.
void log_failed(std::string_view what, int os_error) noexcept;

}  // namespace callis
