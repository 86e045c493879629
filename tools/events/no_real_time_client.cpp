// SPDX-License-Identifier: Apache-2.0
// Instead of real_time_client.cpp, where callis was built without its Scheduling Service.
#include <tools/events/real_time_client.h>

namespace callis::events {

bool is_real_time_channel(CORBA::Object_ptr) { return false; }
int push_real_time(CORBA::Object_ptr, const ClientParts&) { return kCannot; }
int watch_real_time(CORBA::Object_ptr, const ClientParts&) { return kCannot; }
std::optional<tools::Tree> list_real_time(CORBA::Object_ptr) { return std::nullopt; }

}  // namespace callis::events
