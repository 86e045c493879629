// SPDX-License-Identifier: Apache-2.0
// The log as JSON: a line on the standard error for each message,
// {"time":"2026-11-26T01:02:03.456Z","level":"warning", "service":"naming","text":"..."}.
#pragma once
#include <callis/base/log.h>
#include <string>

namespace callis::services {

// From now on; call before threads start. `service` is in every line.
void log_as_json(const std::string& service);

// What that has made log()'s sink; its context is nullptr.
LogSink json_log_sink();

// One line without its end. unix_ms: milliseconds since 1970.
std::string json_line(LogLevel level, std::string_view text, std::string_view service, std::int64_t unix_ms);

// With the quotes around it. What is not UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace callis::services
