// SPDX-License-Identifier: Apache-2.0
// MainThread: runs tasks on the application's main thread, one after the other (MAIN_THREAD_MODEL of object
// adapters). A thread inside ORB::run() or perform_work() is the main thread. While no thread is inside, the thread
// that was inside last is the main thread; at first the thread that made the ORB.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace callis::orb {

class OrbContext;

class MainThread final {
 public:
  class Task {
   public:
    virtual void run() noexcept = 0;

   protected:
    ~Task() = default;

   private:
    friend class MainThread;
    enum class State { Waiting, Running, Done, Refused } state_ = State::Waiting;
    Task* next_ = nullptr;
  };

  explicit MainThread(OrbContext& orb) : orb_(orb), last_(std::this_thread::get_id()) {}
  OrbContext& orb() const { return orb_; }

  // --- Any thread ---

  // Runs the task on the main thread, and waits for its end; runs it at once if called there. Returns false without
  // running the task if the ORB is being shut down.
  bool run(Task& task);
  bool waiting() const { return waiting_.load(std::memory_order_seq_cst); }
  bool stopped() const { return stopped_.load(std::memory_order_seq_cst); }
  // Whether the calling thread is the main thread.
  bool is_this_thread() const;
  // Refuses all waiting tasks and all later ones; wakes serve().
  void stop();

  // --- The main thread ---

  // Exists around run() and perform_work().
  class Inside final {
   public:
    explicit Inside(MainThread& m) : main_(m), outer_(innermost) {
      m.last_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      m.inside_.fetch_add(1, std::memory_order_acq_rel);
      innermost = this;
    }
    ~Inside() {
      main_.inside_.fetch_sub(1, std::memory_order_acq_rel);
      innermost = outer_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    friend class MainThread;
    static constinit thread_local Inside* innermost;
    MainThread& main_;
    Inside* const outer_;
  };
  // Runs the task that has waited for longest. Returns false if no task waits.
  bool run_one();
  // Runs tasks until stop().
  void serve();
  // Waits until a task waits, or until stop(), or for that moment.
  void wait_for_task(std::chrono::steady_clock::time_point end);

 private:
  void run_now(Task& task);

  OrbContext& orb_;
  std::atomic<std::thread::id> last_;  // the last thread that was inside
  std::atomic<unsigned> inside_{0};    // threads inside now
  std::atomic<bool> waiting_{false};
  std::atomic<bool> stopped_{false};
  std::recursive_mutex turn_;  // held while a task runs
  std::mutex mutex_;           // guards what follows, and tasks
  std::condition_variable changed_;
  Task* oldest_ = nullptr;
  Task** newest_ = &oldest_;
};

}  // namespace callis::orb
