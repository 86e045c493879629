// SPDX-License-Identifier: Apache-2.0
// A program's own log lines, sent to `callis logging` where CALLIS_LOG_SINK says so: callis::log_sink::Sending.
// CMake: callis::log_sink; pkg-config: callis-log_sink. Threads and bounds: services/logging/sink/log_sink.h.
#pragma once
#include <services/logging/sink/log_sink.h>
