// SPDX-License-Identifier: Apache-2.0
// What callis events {push,watch,ls} do with real-time channels.
#pragma once
#include <callis/corba.h>
#include <tools/events/arguments.h>
#include <tools/ior/tree.h>
#include <functional>
#include <optional>
#include <string>

namespace callis::events {

// What the clients of plain channels lend.
struct ClientParts {
  CORBA::ORB_ptr orb;
  const Arguments& arguments;
  std::function<std::string(const CORBA::Any&)> shown;        // as JSON
  std::function<CORBA::Any(const std::string&)> event;        // of a word, or a line
  std::function<CORBA::ORB_var()> another_orb;                // for when that has been shut down
};

// Asks the object. False in a build without real-time channels.
bool is_real_time_channel(CORBA::Object_ptr object);
int push_real_time(CORBA::Object_ptr channel, const ClientParts& parts);
int watch_real_time(CORBA::Object_ptr channel, const ClientParts& parts);
// The channels of a factory of real-time channels; nothing: the object is none.
std::optional<tools::Tree> list_real_time(CORBA::Object_ptr factory);

}  // namespace callis::events
