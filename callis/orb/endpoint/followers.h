// SPDX-License-Identifier: Apache-2.0
// Followers: threads that wait for their replies while another thread reads from their connection. Members of both
// classes are called with the connection's lock held, unless their comments say otherwise.
#pragma once
#include <callis/base/clock.h>
#include <callis/transport/tcp/spin.h>
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace callis::orb {

// Is told that something has come for a call over a shared connection. It is a thread that sleeps until then, or an
// object without a thread of its own (Lane::tell()).
class ReplySink {
 public:
  // Called once, when the lane's receive() can return without waiting: with a message of the reply, or with the
  // reason why none will come. The reading thread calls it with the connection's lock held, so it must not wait, nor
  // call the connection.
  virtual void came() noexcept = 0;

 protected:
  ~ReplySink() = default;
};

class Followers;
class Lane;

// Follower: a thread that waits for the reply to the call on a lane.
class Follower final : public ReplySink {
 public:
  // spin: the time for which the thread looks for its reply before it sleeps.
  Follower(Lane& lane, std::chrono::microseconds spin) : lane_(lane) { policy_.set_longest(spin); }

  Lane& lane() const { return lane_; }
  bool follows() const { return among_ != nullptr; }
  // Looks for a short while, without the lock, whether the follower is called, if looking has paid before.
  void look(std::unique_lock<std::mutex>& lock);
  // Sleeps until somebody notifies. Returns false if the deadline passed first.
  bool sleep(std::unique_lock<std::mutex>& lock, Deadline deadline);
  // Set when the follower is called. Read without the lock.
  const std::atomic<bool>& called() const { return called_; }
  // Wakes the thread, which is no follower any more: a message has come for its lane, or the thread must read now.
  void came() noexcept override;

 private:
  friend class Followers;

  Lane& lane_;
  Followers* among_ = nullptr;
  Follower *before_ = nullptr, *behind_ = nullptr;
  SpinPolicy policy_;
  std::condition_variable wake_;
  std::atomic<bool> called_{false};
};

class Followers final {
 public:
  void add(Follower& f);
  void remove(Follower& f);
  // The follower that has waited longest; nullptr if there is none.
  Follower* first() const { return first_; }

 private:
  Follower *first_ = nullptr, *last_ = nullptr;
};

// Waits until somebody notifies. Returns false if the deadline passed first.
bool wait(std::condition_variable& c, std::unique_lock<std::mutex>& lock, Deadline deadline);

}  // namespace callis::orb
