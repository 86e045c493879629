// SPDX-License-Identifier: Apache-2.0
// Conversions between the IDL's events and QoS and the types of services/events/realtime.
#pragma once
#include <services/events/realtime/correlation.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "RtecEventChannelAdmin.h"

namespace callis::rtevents {

// The target of TypedEvent::data. Nobody changes it.
struct Held {
  RtecEventComm::EventSet alone;  // the event, by itself: it is pushed so to all who want it
  std::string from;               // the id of the channel that a gateway had it from; empty: a supplier's
};

// Nothing: no supplier may send it; it has no source, or a type below UNDEFINED_TYPE. most_ttl: more counts as that.
std::optional<events::Header> header_of(const RtecEventComm::EventHeader& header, std::uint32_t most_ttl);
// The event for the router. bytes: on the wire. Throws MARSHAL where its Any cannot be passed on.
events::TypedEvent held(const RtecEventComm::Event& event, const events::Header& header, std::string from);

// The events to push for a set, with timeouts of the requested type.
RtecEventComm::EventSet pushed(const events::EventSet& set);
// The set's only event, to be pushed as it is; nullptr: there are several, or it is a timeout.
const RtecEventComm::EventSet* alone(const events::EventSet& set);
std::size_t bytes_of(const events::EventSet& set);
// A gateway had all its events from that channel.
bool is_from(const events::EventSet& set, const std::string& channel);

struct QosLimits {
  std::size_t dependencies = 4'096, publications = 4'096;
  std::size_t all_dependencies = 262'144;  // of a channel's consumers together
  std::size_t rt_infos = 64;        // different ones, of a consumer: each may be a question to the Scheduling Service
  std::uint32_t reach = 1;        // of what consumers want that are no gateways
  std::uint32_t most_reach = 16;  // of what gateways ask for
  events::WantsLimits wants;
};

// The requests of a ConsumerQOS.
struct Asked {
  events::Wants wants;
  std::vector<std::vector<std::int32_t>> rt_infos;  // of each group, those that are not 0, each once
};
// why_not: empty, or why a channel refuses it, with the number of the dependency.
Asked asked(const RtecEventChannelAdmin::ConsumerQOS& qos, const QosLimits& limits, std::string& why_not);

// The events that a supplier may send. Any thread may call.
class Publications {
 public:
  Publications() = default;  // anything
  // why_not: empty, or why it is refused.
  Publications(const RtecEventChannelAdmin::SupplierQOS& qos, const QosLimits& limits, std::string& why_not);
  bool allow(const events::Header& header) const;

 private:
  std::vector<std::uint64_t> keys_;  // in order; empty: anything
};

}  // namespace callis::rtevents
