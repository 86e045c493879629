// SPDX-License-Identifier: Apache-2.0
// One-way requests of SyncScope NONE (CORBA Messaging, SyncScopePolicy), which wait to be sent together.
//
//   call() ─→ HeldOneways::hold()      one a connection; sends when kMostBytes have come together
//                 ↑
//   OnewayFlusher: one thread an ORB   sends what has waited for kLongest; sleeps while nothing waits
//
// Requests of a connection are sent in the order of the calls: whatever else is sent on it goes through send(), which
// sends what is held first. A request that was held may be lost when its connection is: nobody waits to be told.
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

// Of one connection. The connection's thread and the flusher's use it.
class HeldOneways final {
 public:
  static constexpr std::size_t kMostBytes = 64u << 10;
  static constexpr Duration kLongest{10};
  static constexpr Duration kPatience{30'000};
  static constexpr Duration kLastWords{1'000};  // for what is held when an ORB shuts down

  CALLIS_OPTIONAL static std::shared_ptr<HeldOneways> make(transport::Stream& stream);
  // stream: until forget().
  explicit HeldOneways(transport::Stream& stream) : stream_(&stream) {}

  // Takes a copy of one request of at most kMostBytes. A fault: what was held before could not be sent, and the
  // request is not held.
  CALLIS_OPTIONAL transport::Transfer hold(ByteView request, Deadline deadline, OnewayFlusher& flusher,
                                           const std::shared_ptr<HeldOneways>& self);
  // Sends what is held, then the parts. Transfer::bytes counts those of the parts only.
  CALLIS_OPTIONAL transport::Transfer send(std::span<const ByteView> parts, Deadline deadline);
  // The stream is about to go: what is held is sent, if that can be done at once.
  CALLIS_OPTIONAL void forget() noexcept;

 private:
  friend class OnewayFlusher;
  transport::Transfer send_locked(std::span<const ByteView> parts, Deadline deadline);
  // Sends what has been held since then or longer, as much as goes without waiting: neither for the peer nor for the
  // connection's own thread, since other connections wait for their turn. A peer that takes in nothing for kPatience
  // loses the connection. False when nothing is held any more.
  bool flush(TimePoint since);
  void send_all(Deadline deadline);

  std::mutex mutex_;  // guards the rest; also: who sends on the stream
  transport::Stream* stream_;
  Buffer bytes_;
  TimePoint since_{};    // when the first of them came, or some of them were sent last
  bool watched_ = false; // the flusher knows of this
};

class OnewayFlusher final {
 public:
  CALLIS_OPTIONAL static std::unique_ptr<OnewayFlusher> make();
  // longest: after which what is held is sent.
  explicit OnewayFlusher(Duration longest = HeldOneways::kLongest);
  CALLIS_OPTIONAL ~OnewayFlusher();
  OnewayFlusher(const OnewayFlusher&) = delete;
  OnewayFlusher& operator=(const OnewayFlusher&) = delete;

  // Sends all that is held, as much as goes by then. Called when the ORB shuts down; and for every flusher when the
  // process ends by exit() or by returning from main().
  CALLIS_OPTIONAL void send_all(Deadline deadline) noexcept;

  // EndpointDirectory's of the same names. What is held is the parent's to send.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();

  // From now until nothing is held there any more. False when there is no memory or no thread for it.
  bool watch(std::shared_ptr<HeldOneways> held);

 private:
  void run();
  void flush(std::unique_lock<std::mutex>& lock);

  const Duration longest_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<HeldOneways>> watched_;
  Thread thread_;  // started by the first watch()
  OnewayFlusher* previous_ = nullptr;  // of all that there are
  OnewayFlusher* next_ = nullptr;
  bool stopping_ = false;
};

}  // namespace callis::orb
