// SPDX-License-Identifier: Apache-2.0
// QoS of flows as AVStreams has it, and as numbers. A&V Streams 1.0, 2.2.5.
#pragma once
#include <services/streams/application.h>
#include <optional>

namespace callis::streams {

// The number in an any of a type of numbers.
std::optional<double> number_in(const CORBA::Any& value);

// What a flow agrees to of `asked`: each value within its range. `met`: all could be as asked. Throws
// AVStreams::QoSRequestFailed for a parameter that the flow has not, or that is no number.
QosValues agree(const FlowOffer& offer, const CosPropertyService::Properties& asked, bool& met);
// Writes the numbers into the anys, in the types that they have.
void put_values(const QosValues& values, CosPropertyService::Properties& into);

// The flow's part of a stream's QoS: that of its name, or of its name with "_QoS" behind. nullptr: there is none.
AVStreams::QoS* find_qos(AVStreams::streamQoS& qos, const std::string& flow);

}  // namespace callis::streams
