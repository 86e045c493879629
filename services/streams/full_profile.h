// SPDX-License-Identifier: Apache-2.0
// The objects of the full profile: flow devices, flow end points, flow connections. A&V Streams 1.0, 2.3.
#pragma once
#include <services/streams/party.h>
#include <vector>

namespace callis::streams {

class PartyList;

// The FlowProducer or FlowConsumer of a party's flow, made when it is first asked for. Throws AVStreams::noSuchFlow.
CORBA::Object_ptr flow_end_point(const std::shared_ptr<Party>& party, const std::string& flow);
// A device's FDev of one flow. The parties that it makes are in `parties`.
Active flow_device(const Adapter& adapter, std::shared_ptr<const DeviceOffer> device, const std::string& flow,
                   std::shared_ptr<PartyList> parties);
// A FlowConnection: without ends; of ends that are connected already.
CORBA::Object_ptr new_flow_connection(const Adapter& adapter);
CORBA::Object_ptr flow_connection_of(const Adapter& adapter, const std::vector<CORBA::Object_var>& ends);

}  // namespace callis::streams
