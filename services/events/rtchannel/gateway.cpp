// SPDX-License-Identifier: Apache-2.0
// The connection to the other channel: made, kept up to date, looked after, and made again.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/events/rtchannel/gateway.h>
#include <algorithm>
#include <system_error>
#include "RtecEventComm_skel.h"

namespace callis::rtevents {

namespace {

// For people: an IOR: says little to them.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 100;
  return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
}

}  // namespace

// Its upcalls may come after the gateway has gone: it has what it needs itself.
class Gateway::Consumer final : public POA_RtecEventComm::PushConsumer {
 public:
  Consumer(Gateway& gateway, std::shared_ptr<Channel> channel, std::string from)
      : gateway_(&gateway), channel_(std::move(channel)), from_(std::move(from)) {}

  void push(const RtecEventComm::EventSet& data) override {
    {
      const std::lock_guard lock(mutex_);
      if (!gateway_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the gateway has disconnected");
    }
    const Publications any;
    for (CORBA::ULong i = 0; i < data.length(); ++i) {
      if (data[i].header.ttl <= 0) continue;
      RtecEventComm::Event event = data[i];
      --event.header.ttl;
      if (channel_->accept(event, any, from_) == Channel::Accepted::Yes) ++channel_->parts().tally.forwarded;
    }
  }
  void disconnect_push_consumer() override {
    const std::lock_guard lock(mutex_);
    if (!gateway_) return;
    const std::lock_guard its(gateway_->mutex_);
    gateway_->gone_ = true;
    gateway_->changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    gateway_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Gateway* gateway_;
  const std::shared_ptr<Channel> channel_;
  const std::string from_;
};

Gateway::Gateway(std::shared_ptr<Channel> channel, CORBA::Object_ptr other, const std::string& other_text,
                 const GatewayOptions& options)
    : channel_(std::move(channel)), other_(CORBA::Object::_duplicate(other)), other_text_(shortened(other_text)),
      options_(options) {
  const int error = thread_.start({"callis-rt-gate"}, [this] { keep_connected(); });
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "events: a gateway's thread cannot be started");
}

Gateway::~Gateway() { stop(); }

void Gateway::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool Gateway::connected() const {
  const std::lock_guard lock(mutex_);
  return connected_;
}

RtecEventChannelAdmin::ConsumerQOS Gateway::wanted() const {
  RtecEventChannelAdmin::ConsumerQOS out;
  out.is_gateway = true;
  auto interests = channel_->interests(other_id_);
  if (interests.size() > channel_->options().qos.dependencies) {  // too many to name: all
    std::uint32_t reach = 1;
    for (const auto& one : interests) reach = std::max(reach, one.reach);
    interests = {{events::kAnySource, events::kAnyType, reach}};
  }
  out.dependencies.length(static_cast<CORBA::ULong>(interests.size()));
  for (CORBA::ULong i = 0; i < out.dependencies.length(); ++i) {
    RtecEventComm::EventHeader& header = out.dependencies[i].event.header;
    header.type = static_cast<CORBA::Long>(interests[i].type);
    header.source = static_cast<CORBA::Long>(interests[i].source);
    header.ttl = static_cast<CORBA::Long>(interests[i].reach) - 1;
    header.creation_time = 0;
    out.dependencies[i].event.data.pad1 = 0;
    out.dependencies[i].rt_info = 0;
  }
  return out;
}

void Gateway::connect(const RtecEventChannelAdmin::ConsumerQOS& qos, std::uint64_t revision) {
  const PortableServer::POA_ptr poa = channel_->parts().proxies;
  consumer_ = new Consumer(*this, channel_, other_id_);
  consumer_id_ = poa->activate_object(consumer_.in());
  const CORBA::Object_var object = poa->id_to_reference(consumer_id_.in());
  const RtecEventComm::PushConsumer_var consumer = RtecEventComm::PushConsumer::_unchecked_narrow(object.in());
  const RtecEventChannelAdmin::ConsumerAdmin_var plain = at_->for_consumers();
  const auto limit = channel_->options().deadline;
  const CallisRealTimeEvents::ConsumerAdmin_var own =
      CallisRealTimeEvents::ConsumerAdmin::_unchecked_narrow(plain.in());
  const CallisRealTimeEvents::ConsumerAdmin_var admin = deadline(own, limit);
  CallisRealTimeEvents::ConsumerTerms terms{};
  terms.priority = options_.priority;
  terms.gateway_of = channel_->id().c_str();
  terms.policy = CallisRealTimeEvents::DISCARD_OLDEST;
  const CallisRealTimeEvents::ProxyPushSupplier_var proxy = admin->obtain_push_supplier_with(terms);
  proxy_ = deadline(proxy, limit);
  proxy_->connect_push_consumer(consumer.in(), qos);
  revision_ = revision;
  checked_ = std::chrono::steady_clock::now();
  log(LogLevel::Info, {"events: real-time channel ", channel_->name(), " takes events from ", other_text_});
  told_ = false;
  const std::lock_guard lock(mutex_);
  connected_ = true;
}

void Gateway::disconnect() noexcept {
  {
    const std::lock_guard lock(mutex_);
    connected_ = gone_ = false;
  }
  if (consumer_.in()) {
    consumer_->end();
    try {
      channel_->parts().proxies->deactivate_object(consumer_id_.in());
    } catch (const CORBA::Exception&) {  // the adapter has gone, and the object with it
    }
    consumer_ = nullptr;
  }
  try {
    if (!CORBA::is_nil(proxy_.in())) proxy_->disconnect_push_supplier();
  } catch (const CORBA::Exception&) {  // it has gone; or its channel notices at the next event
  }
  proxy_ = CallisRealTimeEvents::ProxyPushSupplier::_nil();
}

void Gateway::look() {
  bool gone = false;
  {
    const std::lock_guard lock(mutex_);
    gone = gone_;
  }
  if (gone) throw CallisRealTimeEvents::Refused("it has disconnected this channel, or was destroyed");
  const bool here = !CORBA::is_nil(proxy_.in());
  const std::uint64_t revision = channel_->revision();
  const auto now = std::chrono::steady_clock::now();
  if (here && revision == revision_) {
    if (now - checked_ < options_.check) return;
    checked_ = now;
    const CallisRealTimeEvents::ConsumerState_var there = proxy_->state();
    return;
  }
  if (!here && channel_->interests(other_id_).empty()) return;
  if (!here) {
    const auto other = deadline(other_, channel_->options().deadline);
    at_ = CallisRealTimeEvents::EventChannel::_narrow(other.in());
    if (CORBA::is_nil(at_.in())) throw CallisRealTimeEvents::Refused("it is no real-time channel of callis");
    other_id_ = CORBA::String_var(at_->id()).in();
    if (other_id_ == channel_->id()) throw CallisRealTimeEvents::Refused("it is this channel itself");
  }
  const auto qos = wanted();
  if (qos.dependencies.length() == 0) {
    if (here) disconnect();
    return;
  }
  if (!here) return connect(qos, revision);
  proxy_->change(qos);
  revision_ = revision;
}

void Gateway::failed(const std::string& why) {
  if (!told_)
    log(LogLevel::Warning, {"events: real-time channel ", channel_->name(), " gets nothing from ", other_text_, ": ",
                            why, ". It is tried again"});
  told_ = true;
  disconnect();
  pause_ = std::min(std::max(pause_ * 2, options_.first_pause), options_.longest_pause);
}

void Gateway::keep_connected() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    lock.unlock();
    try {
      look();
      pause_ = std::chrono::milliseconds(0);
    } catch (const CallisRealTimeEvents::Refused& e) {
      failed(e.why.in());
    } catch (const std::exception& e) {
      failed(e.what());
    }
    lock.lock();
    changed_.wait_for(lock, pause_.count() != 0 ? pause_ : options_.look,
                      [this] { return stopped_ || (gone_ && pause_.count() == 0); });
  }
  lock.unlock();
  disconnect();
}

}  // namespace callis::rtevents
