// SPDX-License-Identifier: Apache-2.0
// Proxies: the objects of a channel that suppliers and consumers connect to.
//
//   obtained ──connect_...()──→ connected ──disconnect_...(), destroy(), given up──→ ended: OBJECT_NOT_EXIST
//
// Who ends a connection is not called back; when the channel ends it, who is connected is told so, by a call with a
// deadline that nobody waits for. Any thread; a consumer may disconnect, change, or suspend within push().
#pragma once
#include <services/events/rtchannel/channel.h>
#include "CallisRealTimeEvents_skel.h"

namespace callis::rtevents {

class Proxy {
 public:
  enum class State : std::uint8_t { Obtained, Connected, Ended };
  enum class By : std::uint8_t { Peer, Channel };

  explicit Proxy(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  virtual ~Proxy() = default;

  virtual bool is_of_consumer() const = 0;
  // The end; the first call counts. Channel: who is connected is told.
  void end(By by) noexcept;
  // The same, where nobody has connected.
  void end_unless_connected() noexcept;
  // Given up, with a line in the log.
  void dropped(const std::string& why) noexcept;

  std::chrono::steady_clock::time_point used() const;
  // When it ends, unless somebody connects; TimePoint::max(): somebody has.
  TimePoint connect_until() const;
  // Whether it may go where another is wanted: nobody has connected, or a supplier has not called for long.
  bool may_go(std::chrono::steady_clock::time_point now) const;

 protected:
  // AlreadyConnected; OBJECT_NOT_EXIST where it has ended; otherwise it is connected when `make` has returned, which
  // must not call peers.
  template <class Make>
  void connect(Make&& make) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Ended) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
    if (state_ == State::Connected) throw RtecEventChannelAdmin::AlreadyConnected();
    make();
    state_ = State::Connected;
    used_ = std::chrono::steady_clock::now();
  }
  // f() with the lock held, where it is connected. BAD_INV_ORDER: it is not.
  template <class F>
  auto when_connected(F&& f) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Connected)
      throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "nobody has connected to the proxy, or it was disconnected");
    used_ = std::chrono::steady_clock::now();
    return f();
  }
  void must_not_be_connected() const;
  virtual void stop() noexcept = 0;         // once; not under the mutex
  virtual void say_goodbye() noexcept = 0;  // to who is connected; calls nobody itself

  const std::shared_ptr<Channel> channel_;

 private:
  mutable std::mutex mutex_;
  State state_ = State::Obtained;
  std::chrono::steady_clock::time_point used_ = std::chrono::steady_clock::now();
};

// A supplier pushes to it.
class ProxyPushConsumer final : public POA_RtecEventChannelAdmin::ProxyPushConsumer, public Proxy {
 public:
  using Proxy::Proxy;
  bool is_of_consumer() const override { return false; }

  // A nil supplier is not told of the end.
  void connect_push_supplier(RtecEventComm::PushSupplier_ptr push_supplier,
                             const RtecEventChannelAdmin::SupplierQOS& qos) override;
  // BAD_PARAM, IMP_LIMIT, which plain one-way calls do not see: an event was refused, was too large. Those before it
  // and after it are passed on.
  void push(const RtecEventComm::EventSet& data) override;
  void disconnect_push_consumer() override { end(By::Peer); }

 private:
  void stop() noexcept override {}
  void say_goodbye() noexcept override;

  std::shared_ptr<const Publications> publications_;
  RtecEventComm::PushSupplier_var supplier_;
};

// Pushes to a consumer.
class ProxyPushSupplier final : public POA_CallisRealTimeEvents::ProxyPushSupplier, public Proxy {
 public:
  ProxyPushSupplier(std::shared_ptr<Channel> channel, Terms terms)
      : Proxy(std::move(channel)), terms_(std::move(terms)) {}
  bool is_of_consumer() const override { return true; }

  void connect_push_consumer(RtecEventComm::PushConsumer_ptr push_consumer,
                             const RtecEventChannelAdmin::ConsumerQOS& qos) override;
  void suspend_connection() override;
  void resume_connection() override;
  void disconnect_push_supplier() override { end(By::Peer); }
  void change(const RtecEventChannelAdmin::ConsumerQOS& qos) override;
  CallisRealTimeEvents::ConsumerState state() override;

 private:
  class Consumer;
  // What it asks for, and its priorities; why_not: empty, or why it is refused.
  Asked read(const RtecEventChannelAdmin::ConsumerQOS& qos, std::vector<std::int32_t>& priorities,
             std::string& why_not) const;
  void stop() noexcept override;
  void say_goodbye() noexcept override;

  const Terms terms_;
  RtecEventComm::PushConsumer_var consumer_;
  std::shared_ptr<Subscriber> subscriber_;
  events::ConsumerNumber number_ = 0;
};

}  // namespace callis::rtevents
