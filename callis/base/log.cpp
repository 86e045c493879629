// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace callis {

namespace {

LogLevel level_from_environment() {
  const char* v = std::getenv("CALLIS_LOG");
  if (!v) return LogLevel::Warning;
  if (!std::strcmp(v, "trace")) return LogLevel::Trace;
  if (!std::strcmp(v, "debug")) return LogLevel::Debug;
  if (!std::strcmp(v, "info")) return LogLevel::Info;
  if (!std::strcmp(v, "error")) return LogLevel::Error;
  if (!std::strcmp(v, "off")) return LogLevel::Off;
  return LogLevel::Warning;
}

std::atomic<LogLevel>& current_level() {
  static std::atomic<LogLevel> level{level_from_environment()};
  return level;
}

void to_stderr(LogLevel level, std::string_view text, void*) {
  static const char* const names[] = {"trace", "debug", "info", "warning", "error", ""};
  std::fprintf(stderr, "callis: %s: %.*s\n", names[static_cast<int>(level)],
               static_cast<int>(text.size()), text.data());
}

std::atomic<LogSink> g_sink{&to_stderr};
std::atomic<void*> g_context{nullptr};

}  // namespace

void set_log_sink(LogSink sink, void* context) noexcept {
  g_context.store(context);
  g_sink.store(sink ? sink : &to_stderr);
}
void set_log_level(LogLevel level) noexcept { current_level().store(level); }
LogLevel log_level() noexcept { return current_level().load(std::memory_order_relaxed); }

void log(LogLevel level, std::string_view text) noexcept {
  if (!logging(level) || level == LogLevel::Off) return;
  g_sink.load()(level, Printable(text, Printable::Backslashes::Escape), g_context.load());
}

}  // namespace callis
