// SPDX-License-Identifier: Apache-2.0
// An event as the core sees it: something that nobody changes any more, its size, and its priority.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace callis::events {

inline constexpr unsigned kPriorities = 8;  // 0: the lowest

struct Event {
  std::shared_ptr<const void> data;
  std::size_t bytes = 0;
  std::uint8_t priority = 0;  // below kPriorities
  std::size_t more_bytes = 0;  // that it takes in memory beside `bytes`, where its type is large
};

}  // namespace callis::events
