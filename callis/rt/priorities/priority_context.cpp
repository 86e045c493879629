// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/priorities/priority_context.h>

namespace callis::rt {

PriorityContext priority_context(std::int16_t priority, ByteOrder order) {
  PriorityContext bytes{};
  bytes[0] = static_cast<Byte>(order);
  store(bytes.data() + 2, static_cast<std::uint16_t>(priority), order != kNativeOrder);
  return bytes;
}

[[gnu::hot]] std::optional<std::int16_t> parse_priority_context(ByteView data) {
  if (data.size() < 4 || static_cast<std::uint8_t>(data[0]) > 1) return {};
  const bool swap = static_cast<ByteOrder>(data[0]) != kNativeOrder;
  return static_cast<std::int16_t>(load<std::uint16_t>(data.data() + 2, swap));
}

}  // namespace callis::rt
