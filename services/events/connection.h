// SPDX-License-Identifier: Apache-2.0
// Connection: what a proxy of any channel, plain or real-time, goes through:
//
//   obtained ──connect_...()──→ connected ──disconnect_...(), destroy(), given up──→ ended: OBJECT_NOT_EXIST
//
// A peer that ends a connection is not called back. If the channel ends the connection, the peer is told by a call
// with a deadline, for which nobody waits. Any thread may call; a consumer may disconnect within push().
#pragma once
#include <callis/corba.h>
#include <chrono>
#include <memory>
#include <mutex>

namespace callis::events {

// ItsChannel: has options() with connect_within and proxy_rest. AlreadyConnected: the exception of its module.
template <class ItsChannel, class AlreadyConnected>
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class By : std::uint8_t { Peer, Channel };

  explicit Connection(std::shared_ptr<ItsChannel> channel) : channel_(std::move(channel)) {}
  virtual ~Connection() = default;

  // The end; the first call counts. Channel: who is connected is told.
  void end(By by) noexcept {
    const State before = set_ended(false);
    if (before == State::Ended) return;
    stop();
    if (before == State::Connected && by == By::Channel) say_goodbye();
    leave();
  }
  // The end, unless somebody has connected meanwhile.
  void end_unconnected() noexcept {
    if (set_ended(true) != State::Obtained) return;
    stop();
    leave();
  }
  // When somebody connected, or last called.
  Time used() const {
    const std::lock_guard lock(mutex_);
    return used_;
  }
  // When it ends, unless somebody connects; Time::max(): somebody has, or it has ended.
  Time connect_until() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::Obtained ? used_ + channel_->options().connect_within : Time::max();
  }
  // Whether it may go where another is wanted: nobody has connected, or nobody has called for long.
  bool may_go(Time now) const {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Obtained) return true;
    return state_ == State::Connected && can_rest() && now - used_ >= channel_->options().proxy_rest;
  }

 protected:
  // AlreadyConnected; OBJECT_NOT_EXIST where it has ended; otherwise it is connected when `make` has returned, which
  // must not call peers.
  template <class Make>
  void connect(Make&& make) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Ended) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
    if (state_ == State::Connected) throw AlreadyConnected();
    make();
    state_ = State::Connected;
    used_ = std::chrono::steady_clock::now();
  }
  // Before anything is asked of a peer.
  void must_not_be_connected() const {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Connected) throw AlreadyConnected();
  }
  // f() with the lock held, where it is connected; otherwise refuse(), which throws.
  template <class F, class Refuse>
  auto when_connected(F&& f, Refuse&& refuse) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Connected) refuse();
    used_ = std::chrono::steady_clock::now();
    return f();
  }
  virtual void stop() noexcept = 0;         // once; not under the mutex
  virtual void say_goodbye() noexcept = 0;  // to who is connected, by a call that nobody waits for
  virtual void leave() noexcept = 0;        // the channel's list
  virtual bool can_rest() const = 0;        // it is known by its calls alone

  const std::shared_ptr<ItsChannel> channel_;

 private:
  enum class State : std::uint8_t { Obtained, Connected, Ended };

  // Returns the state before.
  State set_ended(bool where_unconnected) {
    const std::lock_guard lock(mutex_);
    const State before = state_;
    if (!where_unconnected || before == State::Obtained) state_ = State::Ended;
    return before;
  }

  mutable std::mutex mutex_;
  State state_ = State::Obtained;
  Time used_ = std::chrono::steady_clock::now();
};

}  // namespace callis::events
