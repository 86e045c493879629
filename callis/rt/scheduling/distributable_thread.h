// SPDX-License-Identifier: Apache-2.0
// Distributable threads as one process knows them, and how they are cancelled.
//
// The table has those that have at least one leg here. From peers it so holds no more than upcalls run. Of
// cancellations that overtake their request the last kRemembered are kept.
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

class Leg;
class DistributableThreads;

// Unguessable: who knows one may cancel the thread.
using ThreadId = std::array<Byte, 16>;
ThreadId new_thread_id();

class DistributableThread final : public virtual RTScheduling::DistributableThread {
 public:
  DistributableThread(std::shared_ptr<DistributableThreads> all, const ThreadId& id)
      : all_(std::move(all)), id_(id) {}

  // OBJECT_NOT_EXIST where it has ended here. Where its head is in another process, sends the cancellation there; a
  // failure of that is logged, and the thread is cancelled when the reply is here.
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
  std::vector<Leg*> legs_;  // the last one is nearest to the head
};
// How its references are counted (classic/reference.h).
inline DistributableThread* callis_duplicate(DistributableThread* p) {
  if (p) p->_add_ref();
  return p;
}
using DistributableThread_var = classic::ReferenceVar<DistributableThread>;

// A call of a leg that waits for its reply: who has sent it, its number there, and where it went.
struct OutstandingCall {
  const void* sender = nullptr;
  CORBA::ULong request = 0;
  CORBA::Object_var target;
  Ticks sent = 0;  // when
};

class DistributableThreads final : public std::enable_shared_from_this<DistributableThreads> {
 public:
  static constexpr std::size_t kRemembered = 256;

  // The one with that id, made if there is none; in the table until release() has been called as often.
  DistributableThread_var hold(const ThreadId& id);
  void release(DistributableThread& t);
  // Nil: none.
  DistributableThread_var find(const ThreadId& id);
  std::size_t size() const;

  void begins(DistributableThread& t, Leg& leg);
  void ends(DistributableThread& t, Leg& leg);
  // False: the thread has been cancelled.
  bool call_begins(DistributableThread& t, std::vector<OutstandingCall>& calls, OutstandingCall call);
  // None: there is no such call.
  std::optional<OutstandingCall> call_ends(std::vector<OutstandingCall>& calls, const void* sender,
                                           CORBA::ULong request);

  // False: it has ended.
  bool cancel(DistributableThread& t);
  // By a peer that has passed it on: of a thread that need not be known yet.
  void cancel(const ThreadId& id);
  // A server has said so.
  void note_cancelled(DistributableThread& t) { t.cancelled_.store(true); }

 private:
  mutable MutexWithInheritance mutex_;  // guards what follows; the gate's lock may be taken under it
  std::map<ThreadId, DistributableThread*> all_;
  std::array<ThreadId, kRemembered> remembered_{};  // cancelled before they were known, in a ring; 0: none
  std::size_t next_remembered_ = 0;
};

// The id that the calling thread is passing a cancellation on for; nullptr: none.
const ThreadId* cancellation_under_way() noexcept;

}  // namespace callis::rt::scheduling
