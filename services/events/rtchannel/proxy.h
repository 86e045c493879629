// SPDX-License-Identifier: Apache-2.0
// Proxies: the objects of a channel that suppliers and consumers connect to; services/events/connection.h
// has what they go through. Any thread; a consumer may disconnect, change, or suspend within push().
#pragma once
#include <services/events/connection.h>
#include <services/events/rtchannel/channel.h>
#include "CallisRealTimeEvents_skel.h"

namespace callis::rtevents {

class Proxy : public events::Connection<Channel, RtecEventChannelAdmin::AlreadyConnected> {
 public:
  explicit Proxy(std::shared_ptr<Channel> channel)
      : Connection(std::move(channel)), held_(channel_->parts().hold(kBytes)) {}

  virtual bool is_of_consumer() const = 0;
  // Given up, with a line in the log.
  void dropped(const std::string& why) noexcept;

 protected:
  static constexpr std::size_t kBytes = 2u << 10;  // before anybody has connected

  // Counts who connects, and so many terms or publications of its QoS. NO_RESOURCES.
  void count(CORBA::Object_ptr peer, std::size_t terms);
  // f() with the lock held. BAD_INV_ORDER: it is not connected.
  template <class F>
  auto when_connected(F&& f) {
    return Connection::when_connected(std::forward<F>(f), &Proxy::refuse_unconnected);
  }
  bool can_rest() const override { return !is_of_consumer(); }

 private:
  void leave() noexcept override { channel_->forget(*this); }
  static void refuse_unconnected();

  std::mutex held_mutex_;  // guards what follows
  std::size_t peer_bytes_ = 0;
  services::MemoryBound::Hold held_;
};

// A supplier pushes to it.
class ProxyPushConsumer final : public POA_RtecEventChannelAdmin::ProxyPushConsumer, public Proxy {
 public:
  using Proxy::Proxy;
  bool is_of_consumer() const override { return false; }

  // A nil supplier is not told of the end.
  void connect_push_supplier(RtecEventComm::PushSupplier_ptr push_supplier,
                             const RtecEventChannelAdmin::SupplierQOS& qos) override;
  // Throws BAD_PARAM if an event was refused, IMP_LIMIT if an event was too large; plain one-way calls do not see
  // this. The other events of the set are passed on.
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
  // Returns the consumer's requests and its priorities. why_not is the reason for refusing them, or empty.
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
