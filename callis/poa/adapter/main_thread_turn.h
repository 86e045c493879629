// SPDX-License-Identifier: Apache-2.0
// The main thread runs the upcalls and servant managers' calls of adapters with MAIN_THREAD_MODEL. Private to the
// adapters.
#pragma once
#include <callis/orb/server/main_thread.h>
#include <exception>
#include <utility>

namespace callis::poa {

// Runs f on the ORB's main thread and waits for its end; runs f at once if called there. Throws f's exceptions.
// Returns false without running f if the ORB is being shut down.
template <class F>
bool run_on(orb::MainThread& thread, F f) {
  class Task final : public orb::MainThread::Task {
   public:
    explicit Task(F& f) : f_(f) {}
    void run() noexcept override {
      try {
        f_();
      } catch (...) {
        thrown = std::current_exception();
      }
    }
    std::exception_ptr thrown;

   private:
    F& f_;
  } task(f);
  const bool ran = thread.run(task);
  if (task.thrown) std::rethrow_exception(task.thrown);
  return ran;
}

}  // namespace callis::poa
