// SPDX-License-Identifier: Apache-2.0
#include <callis/base/default_log.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace callis {

namespace {

LogLevel level_from_environment() {
  const char* const wanted = std::getenv("CALLIS_LOG");
  for (std::size_t i = 0; wanted && i < std::size(kLogLevelNames); ++i)
    if (!std::strcmp(wanted, kLogLevelNames[i])) return static_cast<LogLevel>(i);
  return LogLevel::Warning;
}

std::atomic<LogLevel>& current_level() {
  static std::atomic<LogLevel> level{level_from_environment()};
  return level;
}

void to_stderr(LogLevel level, std::string_view text, void*) {
  std::fprintf(stderr, "callis: %s: %.*s\n", kLogLevelNames[static_cast<int>(level)], static_cast<int>(text.size()),
               text.data());
}

std::atomic<LogSink> g_default{&to_stderr};
std::atomic<LogSink> g_sink{&to_stderr};
std::atomic<void*> g_context{nullptr};

}  // namespace

LogTarget set_log_sink(LogSink sink, void* context) noexcept {
  void* const had = g_context.exchange(context);
  const LogSink before = g_sink.exchange(sink ? sink : g_default.load());
  return {before == g_default.load() ? nullptr : before, had};
}
void set_default_log_sink(LogSink sink) noexcept {
  LogSink had = g_default.exchange(sink ? sink : &to_stderr);
  g_sink.compare_exchange_strong(had, g_default.load());
}
LogSink default_log_sink() noexcept { return g_default.load(); }
void set_log_level(LogLevel level) noexcept { current_level().store(level); }
LogLevel log_level() noexcept { return current_level().load(std::memory_order_relaxed); }

void log(LogLevel level, std::string_view text) noexcept {
  if (!logging(level) || level == LogLevel::Off) return;
  g_sink.load()(level, Printable(text, Printable::Backslashes::Escape), g_context.load());
}

void log(LogLevel level, std::initializer_list<std::string_view> parts) noexcept {
  if (!logging(level)) return;
  char text[Printable::kMost + 1];  // one more than are shown, so that it shows that something was cut
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.copy(text + size, sizeof text - size);
  log(level, std::string_view(text, size));
}

void log_failed(std::string_view what, int os_error) noexcept {
  const Decimal number(static_cast<std::uint64_t>(os_error));
  log(LogLevel::Warning, {what, " (errno ", number, ", ", std::strerror(os_error), ")"});
}

}  // namespace callis
