// SPDX-License-Identifier: Apache-2.0
// The objects of a log service. One servant stands for all basic logs, one for all event logs. Any thread.
#pragma once
#include <services/common/stats.h>
#include <services/logging/channels.h>
#include <services/logging/iterators.h>
#include "DsEventLogAdmin_skel.h"

namespace callis::logs {

// What the servants work with; outlives them.
struct ServantParts {
  Logs& logs;
  Iterators& iterators;
  Channels& channels;
  orb::OrbContext& context;
  services::Counters::Counter& written;
  // The factories; nil until they have been made.
  const DsLogAdmin::BasicLogFactory_var& basic;
  const DsEventLogAdmin::EventLogFactory_var& events;
};

// They are taken over by adapters.
PortableServer::ServantBase* make_basic_log_servant(const ServantParts& parts);
PortableServer::ServantBase* make_event_log_servant(const ServantParts& parts);
PortableServer::ServantBase* make_basic_factory_servant(const ServantParts& parts);
PortableServer::ServantBase* make_event_factory_servant(const ServantParts& parts);

// Runs f, whose failures of the archive become system exceptions.
template<class F>
auto answered(F&& f) {
  try {
    return f();
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

}  // namespace callis::logs
