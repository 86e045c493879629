// SPDX-License-Identifier: Apache-2.0
// One-way requests of SyncScope NONE (CORBA Messaging, SyncScopePolicy), which wait to be sent together.
//
//   call() ─→ HeldOneways::hold()      one a connection; sends when kMostBytes have come together
//                 ↑
//   OnewayFlusher: one thread an ORB   sends what has waited for kLongest; sleeps while nothing waits
//
// Requests of a connection are sent in the order of the calls: all other messages go through send(), which sends held
// requests first. A held request may be lost with its connection, and no caller is told.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/base/thread.h>
#include <callis/transport/stream.h>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

CALLIS_FEATURE(oneways);

namespace callis::orb {

class OnewayFlusher;

// The held requests of one connection. The connection's thread and the flusher's use it.
class HeldOneways final {
 public:
  static constexpr std::size_t kMostBytes = 64u << 10;
  static constexpr Duration kLongest{10};
  static constexpr Duration kPatience{30'000};
  static constexpr Duration kLastWords{1'000};  // for requests that are held when an ORB shuts down

  CALLIS_OPTIONAL static std::shared_ptr<HeldOneways> make(transport::Stream& stream);
  // stream must be valid until forget().
  explicit HeldOneways(transport::Stream& stream) : stream_(&stream) {}

  // Takes a copy of one request of at most kMostBytes. A fault means that earlier held requests could not be sent,
  // and that this request is not held.
  CALLIS_OPTIONAL transport::Transfer hold(ByteView request, Deadline deadline, OnewayFlusher& flusher,
                                           const std::shared_ptr<HeldOneways>& self);
  // Sends the held requests, then the parts. Transfer::bytes counts only the parts' bytes.
  CALLIS_OPTIONAL transport::Transfer send(std::span<const ByteView> parts, Deadline deadline);
  // Called when the stream is about to go. Sends the held requests, if this can be done at once.
  CALLIS_OPTIONAL void forget() noexcept;

 private:
  friend class OnewayFlusher;
  transport::Transfer send_locked(std::span<const ByteView> parts, Deadline deadline);
  // Sends requests that have been held since then or longer, without waiting for the peer or for the connection's own
  // thread, since other connections wait for their turn. A peer that takes in nothing for kPatience loses the
  // connection. Returns false if nothing is held any more.
  bool flush(TimePoint since);
  void send_all(Deadline deadline);

  std::mutex mutex_;  // guards the rest, and sending on the stream
  transport::Stream* stream_;
  Buffer bytes_;
  TimePoint since_{};    // when the first held request came, or some were sent last
  bool watched_ = false; // the flusher knows of this
};

class OnewayFlusher final {
 public:
  CALLIS_OPTIONAL static std::unique_ptr<OnewayFlusher> make();
  // longest: requests are held for this time at most.
  explicit OnewayFlusher(Duration longest = HeldOneways::kLongest);
  CALLIS_OPTIONAL ~OnewayFlusher();
  OnewayFlusher(const OnewayFlusher&) = delete;
  OnewayFlusher& operator=(const OnewayFlusher&) = delete;

  // Sends all held requests, as far as possible by the deadline. Called when the ORB shuts down. Called also for
  // every flusher when the process ends by exit() or by returning from main().
  CALLIS_OPTIONAL void send_all(Deadline deadline) noexcept;

  // See EndpointDirectory's functions of the same names. The parent sends the held requests.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();

  // Watches the held requests from now until none are held there. Returns false if there is no memory or no thread.
  bool watch(std::shared_ptr<HeldOneways> held);

 private:
  void run();
  void flush(std::unique_lock<std::mutex>& lock);

  const Duration longest_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<HeldOneways>> watched_;
  Thread thread_;  // started by the first watch()
  OnewayFlusher* previous_ = nullptr;  // in the list of all flushers
  OnewayFlusher* next_ = nullptr;
  bool stopping_ = false;
};

}  // namespace callis::orb
