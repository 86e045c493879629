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
// An upcall that returns at once costs two atomic exchanges and no system call.
#pragma once
#include <callis/base/bytes.h>
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

  // watch: nullptr where connections are not handed over. Both outlive this.
  RunningUpcall(Owner& owner, UpcallWatch* watch) : owner_(owner), watch_(watch) {
    if (watch_) watch_->add(*this);
  }
  ~RunningUpcall() {
    if (watch_) watch_->remove(*this);
  }
  RunningUpcall(const RunningUpcall&) = delete;
  RunningUpcall& operator=(const RunningUpcall&) = delete;
  bool is_watched() const { return watch_ != nullptr; }

  // --- By the connection's thread, where is_watched() ---

  // answered: the client waits for the reply. Requests that nobody waits for are served in the order in which they
  // have come: their connection is handed over only when they last for long. behind: what has come behind the
  // request; stays in place until ends().
  void begins(bool answered, const Byte* behind) noexcept {
    behind_ = behind;
    answered_ = answered;
    state_.store(answered ? kAnswered : kOneway, std::memory_order_seq_cst);
    if (watch_->sleeps()) [[unlikely]] watch_->wake();
  }
  // Whether the connection has been handed over: the thread reads no more of it.
  bool ends() noexcept { return state_.exchange(kNone, std::memory_order_acquire) == kNone && is_handed_over(); }
  // The thread is about to wait for a reply.
  void waits() noexcept {
    if (answered_) hand_over();
  }

  // --- By the watch ---

  // Whether there is anything to be looked at again.
  bool look() noexcept;

 private:
  friend class UpcallWatch;

  enum State : std::uint32_t { kNone, kAnswered, kOneway, kSeen };  // kSeen: by the watch

  CALLIS_OPTIONAL bool is_handed_over() noexcept;
  CALLIS_OPTIONAL void hand_over() noexcept;

  Owner& owner_;
  UpcallWatch* const watch_;
  const Byte* behind_ = nullptr;
  bool answered_ = false;
  std::atomic<std::uint32_t> state_{kNone};
  ShortLock handing_over_;
  bool refused_ = false;  // under the lock: the pool could not, and is not asked again
  // The watch's.
  std::uint32_t looks_ = 0, looks_wanted_ = 0;
  RunningUpcall* next_ = nullptr;
  RunningUpcall* previous_ = nullptr;
};

}  // namespace callis::orb
