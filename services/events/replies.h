// SPDX-License-Identifier: Apache-2.0
// Replies: one thread that waits for the replies to all pushes under way for which no other thread waits.
//
//   enter() ──→ a place ──arm()──→ the descriptor is watched, once ──→ Waiter::came()
//                 └──────────────────── every kRound ───────────────→ Waiter::round(): true keeps the place
//
// A waiter that has nothing queued is not armed, as arming costs a system call and a change of threads for each
// event. Such a waiter looks for its reply when the next event comes, or in its round. Any thread may call.
#pragma once
#include <callis/base/thread.h>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace callis::events {

class Replies {
 public:
  class Waiter {
   public:
    virtual ~Waiter() = default;
    // Something has come at the descriptor. By the thread of Replies, as all of these; must not wait.
    virtual void came() noexcept = 0;
    // Asked every kRound. False: the place is given back.
    virtual bool round() noexcept = 0;
    // Nobody waits any more: what is under way is given up. Once, where it had a place.
    virtual void ended() noexcept = 0;
  };

  static constexpr std::chrono::milliseconds kRound{20};
  static constexpr std::size_t kMost = 256;  // places; who finds none makes calls that are waited for

  Replies() = default;
  ~Replies() { stop(); }
  Replies(const Replies&) = delete;
  Replies& operator=(const Replies&) = delete;

  // A place, until round() is false; -1: there is none, or no thread, or it has stopped.
  int enter(std::shared_ptr<Waiter> waiter);
  // False: the descriptor cannot be watched; round() comes.
  bool arm(int place, int descriptor);
  // No member of a waiter is called any more; those that run are waited for. Not within one.
  void stop();

 private:
  bool start();
  void keep_running();
  void hold_round();
  std::shared_ptr<Waiter> at(std::size_t place);

  std::mutex mutex_;  // guards what follows
  std::vector<std::shared_ptr<Waiter>> places_;
  std::vector<int> free_;
  std::size_t taken_ = 0;
  bool started_ = false, stopped_ = false, rests_ = false;
  int events_ = -1, wake_ = -1;  // fixed once started
  Thread thread_;
};

}  // namespace callis::events
