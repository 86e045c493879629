// SPDX-License-Identifier: Apache-2.0
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/rt/lanes/lane_addresses.h>
#include <algorithm>

namespace callis::rt {
namespace {

constexpr std::size_t kMostHostBytes = 255;
constexpr std::size_t kLeastBytes = 2 + 2 + 4 + 1 + 2;  // of a lane, on the wire

bool is_host(std::string_view host) {
  return !host.empty() && host.size() <= kMostHostBytes &&
         std::ranges::all_of(host, [](char c) { return static_cast<unsigned char>(c) > ' '; });
}

}  // namespace

ior::TaggedComponent lanes_component(std::span<const LaneAddress> lanes, ByteOrder order) {
  Buffer bytes;
  cdr::Encoder e(bytes, order);
  e.put_octet(static_cast<std::uint8_t>(order));
  e.put_ulong(static_cast<std::uint32_t>(lanes.size()));
  for (const LaneAddress& l : lanes) {
    e.put_ushort(static_cast<std::uint16_t>(l.priority));
    e.put_string(l.address.host);
    e.put_ushort(l.address.port);
  }
  e.finish();
  return {kLanesComponent, {bytes.data(), bytes.data() + bytes.size()}};
}

std::optional<std::vector<LaneAddress>> parse_lanes(ByteView data) {
  cdr::Budget budget = cdr::Budget::of({}, data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(data, budget);
  const std::uint32_t n = d.count(kLeastBytes, 2);
  if (!d.ok() || n > kMostLanes) return {};
  std::vector<LaneAddress> lanes(n);
  for (LaneAddress& l : lanes) {
    l.priority = static_cast<std::int16_t>(d.get_ushort());
    l.address.host = d.get_string();
    l.address.port = d.get_ushort();
    if (!d.ok() || l.priority < 0 || l.address.port == 0 || !is_host(l.address.host)) return {};
  }
  return lanes;
}

std::size_t lane_for(std::span<const std::int16_t> priorities, std::int16_t priority) {
  const auto above = std::ranges::upper_bound(priorities, priority);
  return above == priorities.begin() ? 0 : static_cast<std::size_t>(above - priorities.begin()) - 1;
}

}  // namespace callis::rt
