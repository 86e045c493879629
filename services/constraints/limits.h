// SPDX-License-Identifier: Apache-2.0
// What a text may ask for at most. Texts come from peers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace callis::constraints {

struct Limits {
  std::size_t text_bytes = 16u << 10;
  std::size_t depth = 100;    // of parentheses, and of `not` and `-` within each other
  std::size_t nodes = 2'000;  // operators, names and literals
  std::size_t names = 200;    // different ones
};

// What evaluation may cost: one for each node and each element of a sequence that is looked at, and one for each
// kMatchBytes bytes that `~` looks through. Shared by all evaluations of one query; one thread at a time.
//
// Whose evaluations must also end in time gives a `look`, which is called once at the start, then every kPiece steps,
// and throws when the time is over:
//
//   Work work(400'000'000, [&] { time.check(); });
class Work {
 public:
  static constexpr std::size_t kMatchBytes = 16;
  static constexpr std::uint64_t kPiece = 1u << 16;  // less than a millisecond

  explicit Work(std::uint64_t most = 100'000'000) : left_(most) {}
  Work(std::uint64_t most, std::function<void()> look) : later_(most), look_(std::move(look)) {}

  void spend(std::uint64_t steps) {
    if (steps > left_) [[unlikely]] go_on(steps);
    left_ -= steps;
  }

 private:
  void go_on(std::uint64_t steps);  // WorkExhausted; what look_ throws

  std::uint64_t left_ = 0;   // until the next look
  std::uint64_t later_ = 0;  // after it
  std::function<void()> look_;
};

// Thrown by evaluations.
struct WorkExhausted final : std::exception {
  const char* what() const noexcept override { return "the constraint takes more work than one query may"; }
};

}  // namespace callis::constraints
