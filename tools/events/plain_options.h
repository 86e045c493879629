// SPDX-License-Identifier: Apache-2.0
// The options of callis events but those of real-time channels (real_time.h).
#pragma once
#include <services/common/program.h>
#include <services/events/service.h>
#include <vector>

namespace callis::events {

std::vector<services::OwnOption> plain_options();

// What they say of channels; its journal is for --durable, and not opened here. Throws ProgramFailed.
ServiceOptions read_plain_options(const services::Frame& frame);

}  // namespace callis::events
