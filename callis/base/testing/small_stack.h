// SPDX-License-Identifier: Apache-2.0
// Runs a function on a thread with a stack of a given size, and tells how much of it was used: what a peer can make
// callis do must fit into the 256 KiB that threads have under `ulimit -s 256`.
#pragma once
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <cstring>

namespace callis::testing {

// The stack, and what of it may be used below an upcall or by what precedes it: the rest is for the application's
// code and for the thread's own frames. The sanitizers' frames are several times as large, and on s390x each has 160
// bytes for functions that it calls.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kSmallStack = 384u << 10, kMostUsed = 320u << 10;
#elif defined(__s390x__)
inline constexpr std::size_t kSmallStack = 256u << 10, kMostUsed = 248u << 10;
#else
inline constexpr std::size_t kSmallStack = 256u << 10, kMostUsed = 144u << 10;
#endif

// The bytes of the stack that f() touches; the process ends when it touches more than there are.
template <class F>
std::size_t stack_used(F f, std::size_t bytes = kSmallStack) {
  constexpr unsigned char kPaint = 0xa7;
  constexpr std::size_t kGuard = 64u << 10;
  void* const all = mmap(nullptr, kGuard + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all, kGuard, PROT_NONE) != 0) return SIZE_MAX;
  auto* const stack = static_cast<unsigned char*>(all) + kGuard;
  std::memset(stack, kPaint, bytes);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_EQ(pthread_attr_setstack(&attributes, stack, bytes), 0);
  pthread_t thread;
  const auto run = [](void* p) -> void* { return (*static_cast<F*>(p))(), nullptr; };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  std::size_t untouched = 0;
  while (untouched < bytes && stack[untouched] == kPaint) ++untouched;
  munmap(all, kGuard + bytes);
  return bytes - untouched;
}

}  // namespace callis::testing
