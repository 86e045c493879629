// SPDX-License-Identifier: Apache-2.0
// RunningUpcall: the upcall that the thread of a connection makes, shown to other threads. A client may send further
// requests over the connection before it has been answered; while the upcall runs nobody reads them. So when the
// upcall lasts, or waits for the reply to a call of its own, the connection is handed over: the pool reads it on, and
// the thread only sends its reply (docs/design/connections.md, Upcalls that last).
//
//   the connection's thread   begins() ── upcall ── ends(): handed over meanwhile?
//                                          └─ waits(): hands it over at once
//   UpcallWatch               look(), every 10 ms: hands over what it has seen before
//
// An upcall that returns at once costs two atomic exchanges, ten instructions or so, and no system call. Every
// session has a RunningUpcall, so that nothing is to be asked where connections are not handed over.
#pragma once
#include <callis/base/bytes.h>
#include <callis/giop/request.h>
#include <callis/orb/base/short_lock.h>
#include <callis/orb/server/upcall_watch.h>

namespace callis::orb {

class RunningUpcall final {
 public:
  // Who has the connection.
  class Owner {
   public:
    // Has the pool read the connection on, from these bytes on. By the thread inside the upcall, or by another one
    // while that thread is inside the upcall. False, with nothing done, when the pool cannot.
    virtual bool hand_over(const Byte* behind) noexcept = 0;

   protected:
    ~Owner() = default;
  };

  RunningUpcall() = default;
  ~RunningUpcall() {
    if (watch_) watch_->remove(*this);
  }
  RunningUpcall(const RunningUpcall&) = delete;
  RunningUpcall& operator=(const RunningUpcall&) = delete;

  // Once, before the first upcall: the connection can be handed over from now on. Both outlive this.
  CALLIS_OPTIONAL void show_to(Owner& owner, UpcallWatch& watch);
  bool is_watched() const { return watch_ != nullptr; }

  // --- By the connection's thread ---

  // response: what the client waits for. Requests to whose end nobody waits are served in the order in which they
  // have come: their connection is handed over only when they last for long. behind: what has come behind the
  // request; stays in place until ends().
  void begins(giop::ResponseFlags response, const Byte* behind) noexcept {
    behind_ = behind;
    state_.store(static_cast<std::uint32_t>(response) + 1, std::memory_order_seq_cst);
    if (sleeps_->load(std::memory_order_seq_cst)) [[unlikely]] watch_->wake();
  }
  // Whether the connection has been handed over: the thread reads no more of it.
  bool ends() noexcept { return state_.exchange(kNone, std::memory_order_acquire) == kNone && is_handed_over(); }
  // The thread is about to wait for a reply.
  void waits() noexcept {
    if ((state_.load(std::memory_order_relaxed) & kAnswered) != 0) hand_over();
  }

  // --- By the watch ---

  // Whether there is anything to be looked at again.
  bool look() noexcept;

 private:
  friend class UpcallWatch;

  // Nothing runs; or the response flags and 1; and whether the watch has seen it.
  static constexpr std::uint32_t kNone = 0, kAnswered = 4, kSeen = 8;
  static_assert(static_cast<std::uint32_t>(giop::ResponseFlags::WithTarget) + 1 == kAnswered);
  static constexpr std::atomic<bool> kNeverSleeps{false};

  CALLIS_OPTIONAL bool is_handed_over() noexcept;
  CALLIS_OPTIONAL void hand_over() noexcept;

  Owner* owner_ = nullptr;
  UpcallWatch* watch_ = nullptr;
  const std::atomic<bool>* sleeps_ = &kNeverSleeps;  // the watch's
  const Byte* behind_ = nullptr;
  std::atomic<std::uint32_t> state_{kNone};
  ShortLock handing_over_;
  bool refused_ = false;  // under the lock: the pool could not, and is not asked again
  // The watch's.
  std::uint32_t looks_ = 0, looks_wanted_ = 0;
  RunningUpcall* next_ = nullptr;
  RunningUpcall* previous_ = nullptr;
};

}  // namespace callis::orb
