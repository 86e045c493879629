// SPDX-License-Identifier: Apache-2.0
// The common part of the proxies of pushing suppliers and of pulling consumers, whether events are typed, kept, or
// neither. Skeleton is the skeleton of the proxy's interface. Any thread may call.
#pragma once
#include <callis/deadline.h>
#include <services/events/proxy.h>

namespace callis::events {

// 2.3.4: a supplier pushes to it.
template <class Skeleton>
class PushConsumerProxy : public Skeleton, public Proxy {
 public:
  using Proxy::Proxy;
  ProxyKind kind() const override { return ProxyKind::PushConsumer; }

  void connect_push_supplier(CosEventComm::PushSupplier_ptr supplier) override {
    count_peer(supplier);
    connect([&] { if (supplier) supplier_ = deadline(supplier, channel_->options().deadline); });
  }
  void push(const CORBA::Any& data) override {
    must_be_connected();
    channel_->accept(data);
  }
  void disconnect_push_consumer() override { end(By::Peer); }

 private:
  void stop() noexcept override {}
  void say_goodbye() noexcept override { tell(supplier_, &CosEventComm::PushSupplier::disconnect_push_supplier); }

  CosEventComm::PushSupplier_var supplier_;
};

// 2.3.5: a consumer pulls from it.
template <class Skeleton>
class PullSupplierProxy : public Skeleton, public Proxy {
 public:
  using Proxy::Proxy;
  ProxyKind kind() const override { return ProxyKind::PullSupplier; }

  void connect_pull_consumer(CosEventComm::PullConsumer_ptr consumer) override {
    count_peer(consumer);
    connect([&] {
      if (consumer) consumer_ = deadline(consumer, channel_->options().deadline);
      begin();
    });
  }
  void disconnect_pull_supplier() override { end(By::Peer); }

 private:
  // Called under the proxy's mutex. Events come from here on.
  virtual void begin() = 0;
  void say_goodbye() noexcept override { tell(consumer_, &CosEventComm::PullConsumer::disconnect_pull_consumer); }

  CosEventComm::PullConsumer_var consumer_;
};

}  // namespace callis::events
