// SPDX-License-Identifier: Apache-2.0
#include "cold.h"
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t kPlaces = 1024;   // functions
constexpr int kCalls = 3072;            // of which each takes 16 branches and an indirect call

using Place = std::uint64_t (*)(std::uint64_t);

// Each instance is code of its own: N keeps the linker and the compiler from folding them.
template <std::size_t N>
[[gnu::noinline]] std::uint64_t place(std::uint64_t random) {
  std::uint64_t x = random ^ N;
#define BRANCH(bit)                            \
  if (random >> (bit) & 1) {                   \
    asm volatile("" : "+r"(x));                \
    x += 0x9e3779b97f4a7c15u + N * 2 + (bit);  \
  } else {                                     \
    asm volatile("" : "+r"(x));                \
    x ^= x >> 7;                               \
  }
  BRANCH(0) BRANCH(1) BRANCH(2) BRANCH(3) BRANCH(4) BRANCH(5) BRANCH(6) BRANCH(7)
  BRANCH(8) BRANCH(9) BRANCH(10) BRANCH(11) BRANCH(12) BRANCH(13) BRANCH(14) BRANCH(15)
#undef BRANCH
  return x;
}

template <std::size_t... N>
const Place* places(std::index_sequence<N...>) {
  static constexpr Place kAll[] = {&place<N>...};
  return kAll;
}

}  // namespace

void make_cold() {
  static const Place* const all = places(std::make_index_sequence<kPlaces>());
  static std::uint64_t random = 0x2545f4914f6cdd1du;
  std::uint64_t sum = 0;
  for (int i = 0; i < kCalls; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    sum += all[(random >> 32) % kPlaces](random);
  }
  asm volatile("" : : "r"(sum));
}

}  // namespace bench
