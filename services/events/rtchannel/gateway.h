// SPDX-License-Identifier: Apache-2.0
// Gateway: brings to a channel what its consumers want of another channel's events. It is a consumer there, and asks
// for what all consumers here want together (Channel::interests()), anew when that has changed.
//
//   other channel ──push()──→ Gateway ──ttl - 1──→ Channel::accept() ──→ consumers here
//        ↑ change(), each time that interests() changes; state(), to know that it is still there
//
// No event goes round for ever: each gateway takes 1 off its ttl, and passes on no event with 0. The other channel
// gets none of its own events back. Consumers' requests go through as many gateways as their reach says. Any thread
// may call.
#pragma once
#include <callis/base/thread.h>
#include <services/events/rtchannel/channel.h>
#include <condition_variable>
#include <string>

namespace callis::rtevents {

struct GatewayOptions {
  std::chrono::milliseconds look{100};       // how often it looks for what consumers want now
  std::chrono::milliseconds check{1'000};    // how often it asks the other channel whether it is still there
  std::chrono::milliseconds first_pause{100}, longest_pause{5'000};  // after a failure; doubles with each
  std::size_t gateways = 16;                 // of a channel; more are refused
  std::int16_t priority = 0;                 // at which the other channel pushes to it
};

class Gateway final {
 public:
  // other: the channel that is taken from. Its pushes arrive when the manager of the channel's adapter of proxies is
  // active. Throws std::system_error where there is no thread.
  Gateway(std::shared_ptr<Channel> channel, CORBA::Object_ptr other, const std::string& other_text,
          const GatewayOptions& options);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Disconnects; waits for a call that runs, up to its deadline. Idempotent.
  void stop();
  bool connected() const;

 private:
  class Consumer;
  void keep_connected();
  // Makes one round. Throws if it fails.
  void look();
  void connect(const RtecEventChannelAdmin::ConsumerQOS& qos, std::uint64_t revision);
  void disconnect() noexcept;
  RtecEventChannelAdmin::ConsumerQOS wanted() const;
  void failed(const std::string& why);

  const std::shared_ptr<Channel> channel_;
  const CORBA::Object_var other_;
  const std::string other_text_;
  const GatewayOptions options_;

  // Used by its thread only.
  CallisRealTimeEvents::EventChannel_var at_;
  std::string other_id_;
  CallisRealTimeEvents::ProxyPushSupplier_var proxy_;
  PortableServer::Servant_var<Consumer> consumer_;
  PortableServer::ObjectId_var consumer_id_;
  std::uint64_t revision_ = 0;
  std::chrono::steady_clock::time_point checked_{};
  std::chrono::milliseconds pause_{0};
  bool told_ = false;  // that it is not connected

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool connected_ = false, gone_ = false, stopped_ = false;  // gone: the other channel has said so
  Thread thread_;
};

}  // namespace callis::rtevents
