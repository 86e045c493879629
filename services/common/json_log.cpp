// SPDX-License-Identifier: Apache-2.0
#include <services/common/json_log.h>
#include <unistd.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace callis::services {

namespace {

// The bytes of the UTF-8 character at the front; 0: it is none (also surrogates, overlong forms, beyond U+10FFFF).
std::size_t utf8_size(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xc2 ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && at(1) < 0xa0) return 0;
  if (first == 0xed && at(1) > 0x9f) return 0;
  if (first == 0xf0 && at(1) < 0x90) return 0;
  if (first == 0xf4 && at(1) > 0x8f) return 0;
  return size;
}

std::string& service_name() {
  static std::string name;
  return name;
}

void sink(LogLevel level, std::string_view text, void*) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string line =
      json_line(level, text, service_name(), std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) +
      "\n";
  // One write: lines of several threads do not mix. A standard error that is gone is nobody's loss.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t size = utf8_size(text);
    if (size == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out + '"';
}

std::string json_line(LogLevel level, std::string_view text, std::string_view service, std::int64_t unix_ms) {
  static constexpr const char* kLevels[] = {"trace", "debug", "info", "warning", "error", "off"};
  const std::time_t seconds = static_cast<std::time_t>(unix_ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char when[40];
  const std::size_t size = std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(when + size, sizeof when - size, ".%03dZ", static_cast<int>(unix_ms % 1000));
  return std::string("{\"time\":\"") + when + "\",\"level\":\"" + kLevels[static_cast<int>(level)] +
         "\",\"service\":" + json_string(service) + ",\"text\":" + json_string(text) + "}";
}

void log_as_json(const std::string& service) {
  service_name() = service;
  set_log_sink(&sink, nullptr);
}

LogSink json_log_sink() { return &sink; }

}  // namespace callis::services
