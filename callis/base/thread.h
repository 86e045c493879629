// SPDX-License-Identifier: Apache-2.0
// Thread: the one place where callis makes threads, so that each has a name.
//
//     Thread thread;
//     if (const int error = thread.start({"callis-time"}, [this] { keep_time(); })) ...   // an errno: no thread
//     thread.join();
//
// One thread at a time uses a Thread. It is joined before it is destroyed, unless it was not started or runs
// detached.
#pragma once
#include <pthread.h>
#include <new>
#include <type_traits>
#include <utility>

namespace callis {

// What a thread is to be.
struct ThreadOptions {
  const char* name;       // as debuggers and top show it: at most 15 characters, a literal
  bool detached = false;  // nobody joins it
  const pthread_attr_t* attributes = nullptr;  // scheduling and stack; nullptr: the system's
};

class Thread final {
 public:
  Thread() = default;
  Thread(Thread&& other) noexcept : handle_(other.handle_), joinable_(std::exchange(other.joinable_, false)) {}
  Thread& operator=(Thread&&) = delete;
  ~Thread();

  // Runs `run` in a new thread. 0, or what errno would say; then nothing has been started. run holds at most four
  // pointers, and throws nothing.
  template<class Run>
  [[nodiscard]] int start(const ThreadOptions& options, Run run) noexcept {
    static_assert(std::is_trivially_copyable_v<Run> && sizeof(Run) <= sizeof(Start::closure) &&
                  alignof(Run) <= alignof(void*));
    Start start{[](void* closure) { (*static_cast<Run*>(closure))(); }, options.name, {}};
    new (start.closure) Run(run);
    return launch(options, start);
  }
  // Whether there is a thread that has to be joined.
  bool joinable() const noexcept { return joinable_; }
  // Waits for its end.
  void join() noexcept;
  // In a child of fork(), which has not got the threads of its parent: there is nothing to wait for.
  void forget() noexcept { joinable_ = false; }

 private:
  struct Start {
    void (*run)(void* closure);
    const char* name;
    alignas(void*) unsigned char closure[4 * sizeof(void*)];
  };

  int launch(const ThreadOptions& options, const Start& start) noexcept;
  static void* run(void* start);

  pthread_t handle_{};
  bool joinable_ = false;
};

}  // namespace callis
