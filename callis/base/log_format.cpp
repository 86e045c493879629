// SPDX-License-Identifier: Apache-2.0
// A line is written at once: lines of several threads do not mix.
#include <callis/base/default_log.h>
#include <callis/base/json_text.h>
#include <callis/base/log_format.h>
#include <errno.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <ctime>
#include <iterator>
#include <new>

namespace callis {

namespace {

constexpr std::size_t kMostOfService = 200;

struct Service {
  std::size_t size = 0;
  char name[kMostOfService];
};
// What has been set stays, as other threads may write its name just now.
std::atomic<const Service*> g_service{nullptr};

std::string_view service() noexcept {
  const Service* const set = g_service.load(std::memory_order_acquire);
  return set ? std::string_view(set->name, set->size) : std::string_view(program_invocation_short_name);
}

template <LogFormat kFormat>
void write_line(LogLevel level, std::string_view text, void*) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const LogLine made(kFormat, level, text, service(), now.tv_sec * 1000 + now.tv_nsec / 1'000'000, ::getpid());
  const std::string_view line = made;
  // One write: lines of several threads do not mix. A standard error that is gone is nobody's loss.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

void set_log_format(LogFormat format, std::string_view service) noexcept {
  if (!service.empty())
    if (Service* const named = new (std::nothrow) Service) {
      named->size = service.copy(named->name, kMostOfService);
      g_service.store(named, std::memory_order_release);
    }
  set_default_log_sink(format == LogFormat::Json   ? &write_line<LogFormat::Json>
                       : format == LogFormat::Time ? &write_line<LogFormat::Time>
                                                   : nullptr);
}

LogLine::LogLine(LogFormat format, LogLevel level, std::string_view text, std::string_view service,
                 std::int64_t unix_ms, int pid) noexcept {
  const std::time_t seconds = static_cast<std::time_t>(unix_ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char when[40];
  const std::size_t shown = std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S.", &parts);
  const Decimal thousands(static_cast<std::uint64_t>(1000 + unix_ms % 1000));
  const Decimal process(static_cast<std::uint64_t>(pid));
  const std::string_view ms = std::string_view(thousands).substr(1), name = kLogLevelNames[static_cast<int>(level)];
  if (format == LogFormat::Json) {
    add("{\"time\":\"");
    add({when, shown});
    add(ms);
    add("Z\",\"level\":\"");
    add(name);
    add("\",\"service\":");
    add_string(service.substr(0, kMostOfService));
    add(",\"pid\":");
    add(process);
    add(",\"text\":");
    add_string(text);
    add("}");
  } else {
    if (format == LogFormat::Time) {
      add({when, shown});
      add(ms);
      add("Z callis[");
      add(process);
      add("]: ");
    } else {
      add("callis: ");
    }
    add(name);
    add(": ");
    add(text);
  }
  add("\n");
}

void LogLine::add(std::string_view text) noexcept {
  size_ += text.copy(text_ + size_, std::min(text.size(), std::size(text_) - size_));
}

void LogLine::add_string(std::string_view text) noexcept {
  put_json_string(text, [this](std::string_view part) { add(part); });
}

}  // namespace callis
