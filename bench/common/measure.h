// SPDX-License-Identifier: Apache-2.0
// What every measuring program has: a clock, a check, and the JSON lines that carry the results. No middleware in
// here. bench/peers/common has the loops that time calls, floods and crowds of clients, the same for all systems.
#pragma once
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>

namespace bench {

inline std::uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// The processor's time of the calling thread: others that run meanwhile do not count. A system call.
inline std::uint64_t thread_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// A wrong value ends the program, by an exception: a fast wrong answer is no result.
[[noreturn]] inline void wrong(const std::string& what) { throw std::runtime_error("wrong: " + what); }
inline void expect(bool right, const char* what) {
  if (!right) wrong(what);
}
inline void expect(bool right, const std::string& what) {
  if (!right) wrong(what);
}

inline void result(const std::string& name, const char* metric, double value) {
  std::printf("{\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g}\n", name.c_str(), metric, value);
  std::fflush(stdout);
}

}  // namespace bench
