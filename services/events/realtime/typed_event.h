// SPDX-License-Identifier: Apache-2.0
// TypedEvent: an event of the real-time event channel: a header that channels look at, and data that they do not.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace callis::events {

using SourceId = std::uint32_t;     // who sent it; the site assigns them
using EventType = std::uint32_t;

inline constexpr SourceId kAnySource = 0;        // of subscriptions; no supplier has it
inline constexpr EventType kAnyType = 0;       // of subscriptions; no event has it
// Those that a channel makes itself have this type, and kAnySource. Suppliers cannot send it.
inline constexpr EventType kTimeout = 0xFFFF'FFFFu;

struct Header {
  SourceId source = kAnySource;
  EventType type = kAnyType;
  std::uint32_t ttl = 1;              // how many channels it may yet be forwarded to
  std::chrono::nanoseconds created{}; // since 1970-01-01 UTC, by the supplier's clock; channels only pass it on

  bool operator==(const Header&) const = default;
};

struct TypedEvent {
  Header header;
  std::shared_ptr<const void> data;  // shared by all who have the event; nobody changes it
  std::size_t bytes = 0;
};

// Whether a supplier may send the event: it has a source and a type, and is no timeout.
constexpr bool may_be_sent(const Header& header) {
  return header.source != kAnySource && header.type != kAnyType && header.type != kTimeout;
}

// The header with which a gateway passes an event on to the next channel; nothing: it has come as far as it may. An
// event that goes round in a ring of channels ends so.
constexpr std::optional<Header> forwarded(Header header) {
  if (header.ttl == 0) return std::nullopt;
  --header.ttl;
  return header;
}

}  // namespace callis::events
