// SPDX-License-Identifier: Apache-2.0
// What a text may ask for at most. Texts come from peers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>

namespace callis::constraints {

struct Limits {
  std::size_t text_bytes = 16u << 10;
  std::size_t depth = 100;    // of parentheses, and of `not` and `-` within each other
  std::size_t nodes = 2'000;  // operators, names and literals
  std::size_t names = 200;    // different ones
};

// What evaluation may cost: one for each node and each element of a sequence that is looked at, and one for each
// kMatchBytes bytes that `~` looks through. Shared by all evaluations of one query; one thread at a time.
struct Work {
  static constexpr std::size_t kMatchBytes = 16;
  std::uint64_t left = 100'000'000;

  void spend(std::uint64_t steps) {
    if (steps > left) exhausted();
    left -= steps;
  }
  [[noreturn]] static void exhausted();
};

// Thrown by evaluations.
struct WorkExhausted final : std::exception {
  const char* what() const noexcept override { return "the constraint takes more work than one query may"; }
};

inline void Work::exhausted() { throw WorkExhausted(); }

}  // namespace callis::constraints
