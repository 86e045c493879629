// SPDX-License-Identifier: Apache-2.0
// Proxies: the objects of a channel that suppliers and consumers connect to (Event Service 1.2, 2.3.4 to 2.3.7).
//
//   obtained ──connect_...()──→ connected ──disconnect_...(), destroy(), given up──→ ended: OBJECT_NOT_EXIST
//
// Who ends a connection is not called back; when the channel ends it, who is connected is told so, by a call with a
// deadline that nobody waits for. Any thread; a consumer may disconnect within push().
#pragma once
#include <services/events/channel.h>
#include <services/events/mailbox.h>
#include "CosEventChannelAdmin_skel.h"

namespace callis::events {

class Proxy {
 public:
  enum class State : std::uint8_t { Obtained, Connected, Ended };
  enum class By : std::uint8_t { Peer, Channel };

  explicit Proxy(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  virtual ~Proxy() = default;

  virtual ProxyKind kind() const = 0;
  // The end; the first call counts. Channel: who is connected is told.
  void end(By by) noexcept;
  // The end, unless somebody has connected meanwhile.
  void end_unconnected() noexcept;
  // Given up, with a line in the log.
  void dropped(const std::string& why) noexcept;

  State state() const;
  std::chrono::steady_clock::time_point used() const;
  // Whether it may go where another is wanted: nobody has connected, or nobody has called for long.
  bool may_go(std::chrono::steady_clock::time_point now) const;

 protected:
  // AlreadyConnected, OBJECT_NOT_EXIST where it has ended; otherwise it is connected when `make` has returned, which
  // must not call peers.
  template <class Make>
  void connect(Make&& make) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Ended) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
    if (state_ == State::Connected) throw CosEventChannelAdmin::AlreadyConnected();
    make();
    state_ = State::Connected;
    used_ = std::chrono::steady_clock::now();
  }
  // Disconnected, unless it is connected.
  void must_be_connected();
  // Before anything is asked of a peer.
  void must_not_be_connected() const;
  virtual void stop() noexcept = 0;        // once; not under the mutex
  virtual void say_goodbye() noexcept = 0; // to who is connected; within the pool
  virtual bool can_rest() const { return true; }  // is known by its calls alone

  const std::shared_ptr<Channel> channel_;

 private:
  mutable std::mutex mutex_;
  State state_ = State::Obtained;
  std::chrono::steady_clock::time_point used_ = std::chrono::steady_clock::now();
};

// A servant of the kind; the caller owns it. proxy: the same object.
PortableServer::ServantBase* new_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel, Proxy*& proxy);

}  // namespace callis::events
