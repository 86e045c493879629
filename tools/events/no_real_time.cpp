// SPDX-License-Identifier: Apache-2.0
// Instead of real_time.cpp, where callis was built without its Scheduling Service.
#include <tools/events/real_time.h>

namespace callis::events {

std::vector<services::OwnOption> real_time_options() { return {}; }
void prepare_real_time(int, char**) {}
std::unique_ptr<RealTime> make_real_time(services::Frame&, const ServiceOptions&) { return nullptr; }

}  // namespace callis::events
