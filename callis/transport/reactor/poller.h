// SPDX-License-Identifier: Apache-2.0
// Poller: waits for many descriptors at once (epoll). Any number of threads may wait; each event goes to one of
// them, the one that came last where several wait, so that a warm thread serves and the others may end.
//
// A watched descriptor is armed for one event: the thread that gets the event owns the descriptor's input until it
// arms the descriptor again. So no two threads ever read from one descriptor, and no event is left over for a
// descriptor that has been closed. Output is armed apart from input, and by other threads at the same time.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/result.h>
#include <atomic>
#include <memory>

namespace callis::transport {

class Poller final {
 public:
  enum class Kind : unsigned char {
    None,    // time has passed, or a signal came
    Taken,   // another thread was faster
    Input,   // something can be read, or the peer has closed, or the stream was shut down
    Output,  // something can be sent
    Nudge,   // nudge() was called
    Stop,    // stop() was called
  };
  struct Event {
    Kind kind = Kind::None;
    void* tag = nullptr;  // Input, Output: as it was given
  };

  // TransportFailed when descriptors or memory are used up.
  static Result<std::unique_ptr<Poller>> create();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Watches a descriptor and arms it for input. Closing the descriptor ends that. 0, or an errno. again: as with
  // arm().
  int add(int fd, void* tag, bool again = false) noexcept;
  // For what was added and is not armed. again: an event shall come at once, for the sake of bytes read before (as
  // soon as the socket has room to send).
  void arm(int fd, void* tag, bool again = false) noexcept;
  // As arm(), but the descriptor has its turn behind the others: all that are armed so get together at least half as
  // many events as one descriptor of arm() that always has something.
  void arm_behind(int fd, void* tag, bool again) noexcept;
  // Until something can be sent. The first time for a descriptor it can fail: an errno, else 0.
  int arm_output(int fd, void* tag) noexcept;

  // ms: -1 for as long as it takes.
  Event wait(int ms) noexcept;
  // Whether wait() would have something at once; takes nothing. ms: waits for that, as above.
  bool ready(int ms = 0) noexcept;

  // One thread, now waiting or the next, gets a Nudge.
  void nudge() noexcept;
  // Every wait() ends at once with Stop, from now on.
  void stop() noexcept;

 private:
  Poller() = default;
  static Event event_in(int set, Kind kind) noexcept;
  bool watch_own() noexcept;

  int input_ = -1, behind_ = -1, output_ = -1, nudge_ = -1, stop_ = -1;
  std::atomic<bool> behind_is_next_{false};
};

}  // namespace callis::transport
