// SPDX-License-Identifier: Apache-2.0
// The default sink of log() (log.h), for who changes its form or passes lines on to it.
#pragma once
#include <callis/base/log.h>

namespace callis {

inline constexpr const char* kLogLevelNames[] = {"trace", "debug", "info", "warning", "error", "off"};

// What the default is, which has no context; nullptr restores the first one. Any thread.
void set_default_log_sink(LogSink sink) noexcept;
LogSink default_log_sink() noexcept;

}  // namespace callis
