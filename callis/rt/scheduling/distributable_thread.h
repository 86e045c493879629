// SPDX-License-Identifier: Apache-2.0
// Distributable threads as one process knows them, and how they are cancelled.
//
// The table has the distributable threads with at least one part here. So peers can add only as many as there are
// running upcalls. The table remembers the last kRemembered cancellations that have overtaken their request.
#pragma once
#include <callis/base/bytes.h>
#include <callis/rt/scheduling/condition.h>
#include <callis/rt_scheduling.h>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace callis::rt::scheduling {

class ThreadPart;
class DistributableThreads;

// An id cannot be guessed, for anyone who knows the id may cancel the thread.
using ThreadId = std::array<Byte, 16>;
ThreadId new_thread_id();

class DistributableThread final : public virtual RTScheduling::DistributableThread {
 public:
  DistributableThread(std::shared_ptr<DistributableThreads> all, const ThreadId& id)
      : all_(std::move(all)), id_(id) {}

  // Raises OBJECT_NOT_EXIST if the thread has ended here. If the thread's head is in another process, sends the
  // cancellation there. If sending fails, a line is logged, and the thread is cancelled when the reply is here.
  void cancel() override;
  DT_State state() override { return cancelled_.load() ? CANCELLED : ACTIVE; }

  const ThreadId& id() const { return id_; }
  const std::atomic<bool>& cancelled() const { return cancelled_; }

 private:
  friend class DistributableThreads;
  const std::shared_ptr<DistributableThreads> all_;
  const ThreadId id_;
  std::atomic<bool> cancelled_{false};
  // Guarded by the table's lock.
  std::size_t holds_ = 0;
  std::vector<ThreadPart*> parts_;  // the last one is nearest to the head
};
// Counts a reference (classic/reference.h).
inline DistributableThread* callis_duplicate(DistributableThread* p) {
  if (p) p->_add_ref();
  return p;
}
using DistributableThread_var = classic::ReferenceVar<DistributableThread>;

// A call of a part that waits for the reply.
struct OutstandingCall {
  const void* sender = nullptr;
  CORBA::ULong request = 0;
  CORBA::Object_var target;
  Ticks sent = 0;  // when
};

class DistributableThreads final : public std::enable_shared_from_this<DistributableThreads> {
 public:
  static constexpr std::size_t kRemembered = 256;

  // Returns the thread with that id; makes the thread if there is none. The thread is in the table until release()
  // has been called as often as hold().
  DistributableThread_var hold(const ThreadId& id);
  void release(DistributableThread& t);
  // Returns nil for none.
  DistributableThread_var find(const ThreadId& id);
  std::size_t size() const;

  void begins(DistributableThread& t, ThreadPart& part);
  void ends(DistributableThread& t, ThreadPart& part);
  // Returns false if the thread has been cancelled.
  bool call_begins(DistributableThread& t, std::vector<OutstandingCall>& calls, OutstandingCall call);
  // Returns none if there is no such call.
  std::optional<OutstandingCall> call_ends(std::vector<OutstandingCall>& calls, const void* sender,
                                           CORBA::ULong request);

  // Returns false if the thread has ended.
  bool cancel(DistributableThread& t);
  // A peer has passed on the cancellation. The thread may still be unknown here.
  void cancel(const ThreadId& id);
  // A server has said that the thread is cancelled.
  void note_cancelled(DistributableThread& t) { t.cancelled_.store(true); }

 private:
  mutable MutexWithInheritance mutex_;  // guards what follows; the gate's lock may be taken under it
  std::map<ThreadId, DistributableThread*> all_;
  std::array<ThreadId, kRemembered> remembered_{};  // cancelled before they were known, in a ring; 0: none
  std::size_t next_remembered_ = 0;
};

// Returns the id of the distributable thread whose cancellation the calling thread is passing on; nullptr for none.
const ThreadId* cancellation_under_way() noexcept;

}  // namespace callis::rt::scheduling
