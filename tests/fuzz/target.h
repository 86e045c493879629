// SPDX-License-Identifier: Apache-2.0
// What every fuzz target has: it defines fuzz::try_one() and includes this. The processor time of each execution is
// measured; one that takes longer than the limit fails, so that no input may cost a program more than its size
// allows.
//
// The limit is 100 ms of the thread's processor time, or what CALLIS_FUZZ_MS says in the environment (run.py
// --slowest): sanitizers and coverage make everything two to five times slower. At the end a line says how many
// executions there were, how many a second, and how long the slowest took.
#pragma once
#include "seeds.h"
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace callis::fuzz {

// One input. Aborts when something is not as it must be.
void try_one(const std::uint8_t* data, std::size_t size);

class Executions {
 public:
  static Executions& all() {
    static Executions executions;
    return executions;
  }
  Executions(const Executions&) = delete;
  Executions& operator=(const Executions&) = delete;

  void run(const std::uint8_t* data, std::size_t size) {
    const double before = seconds(CLOCK_THREAD_CPUTIME_ID);
    try_one(data, size);
    const double took = seconds(CLOCK_THREAD_CPUTIME_ID) - before;
    ++count_;
    if (took > slowest_) slowest_ = took;
    if (took <= limit_) return;
    std::fprintf(stderr, "an input of %zu bytes took %.0f ms of processor time; %.0f ms are allowed\n", size,
                 1e3 * took, 1e3 * limit_);
    std::abort();
  }

 private:
  Executions() {
    const char* const ms = std::getenv("CALLIS_FUZZ_MS");
    if (ms && std::atof(ms) > 0) limit_ = std::atof(ms) / 1e3;
  }
  ~Executions() {
    std::fprintf(stderr, "executions: %llu, %.0f a second, the slowest %.1f ms\n",
                 static_cast<unsigned long long>(count_),
                 static_cast<double>(count_) / (seconds(CLOCK_MONOTONIC) - start_), 1e3 * slowest_);
  }
  static double seconds(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
  }

  const double start_ = seconds(CLOCK_MONOTONIC);
  double limit_ = 0.1, slowest_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace callis::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  callis::fuzz::Executions::all().run(data, size);
  return 0;
}
