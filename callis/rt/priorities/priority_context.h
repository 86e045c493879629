// SPDX-License-Identifier: Apache-2.0
// RTCorbaPriority: the service context by which a client says the priority of its request (RT-CORBA 1.2, 2.5.1): an
// encapsulation of a short.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <array>
#include <cstdint>
#include <optional>

namespace callis::rt {

using PriorityContext = std::array<Byte, 4>;

PriorityContext priority_context(std::int16_t priority, ByteOrder order = kNativeOrder);
// Returns the priority as the client says; it may be negative. Returns none if the data is malformed. Bytes behind
// the priority are ignored.
std::optional<std::int16_t> parse_priority_context(ByteView data);

}  // namespace callis::rt
