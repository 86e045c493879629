// SPDX-License-Identifier: Apache-2.0
// The proxies, and the calls that the channel makes to who is connected to them.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/messaging.h>
#include <services/events/peer_type.h>
#include <services/events/rtchannel/proxy.h>

namespace callis::rtevents {

namespace {

using Servant = PortableServer::Servant_var<PortableServer::ServantBase>;

RtecEventComm::PushConsumer_var with_terms(RtecEventComm::PushConsumer_ptr consumer, const Channel& channel) {
  CORBA::Any value;
  switch (channel.options().confirmed) {
    case Confirmed::Transport: value <<= Messaging::SYNC_WITH_TRANSPORT; break;
    case Confirmed::Server: value <<= Messaging::SYNC_WITH_SERVER; break;
    case Confirmed::Target: value <<= Messaging::SYNC_WITH_TARGET; break;
  }
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = channel.parts().orb->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
  const CORBA::Object_var object = consumer->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  const RtecEventComm::PushConsumer_var scoped = RtecEventComm::PushConsumer::_unchecked_narrow(object.in());
  return deadline(scoped, channel.options().deadline);
}

void refuse(const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, concat({"its QoS is refused: ", why}));
}

}  // namespace

void Proxy::dropped(const std::string& why) noexcept {
  log(LogLevel::Warning, {"events: real-time channel ", channel_->name(), ": a consumer is dropped: ", why});
  end(By::Channel);
}

void Proxy::count(CORBA::Object_ptr peer, std::size_t terms) {
  constexpr std::size_t kConnected = 4u << 10, kTerm = 320;
  const std::lock_guard lock(held_mutex_);
  if (!held_.counts()) return;
  const std::size_t bytes = peer ? kConnected + events::bytes_of_peer(peer) : peer_bytes_;
  held_.resize(kBytes + bytes + kTerm * terms);
  peer_bytes_ = bytes;
}

void Proxy::refuse_unconnected() {
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "nobody has connected to the proxy, or it was disconnected");
}

void ProxyPushConsumer::connect_push_supplier(RtecEventComm::PushSupplier_ptr push_supplier,
                                              const RtecEventChannelAdmin::SupplierQOS& qos) {
  std::string why_not;
  auto publications = std::make_shared<const Publications>(qos, channel_->options().qos, why_not);
  if (!why_not.empty()) refuse(why_not);
  must_not_be_connected();
  count(push_supplier, qos.publications.length());
  connect([&] {
    if (push_supplier) supplier_ = deadline(push_supplier, channel_->options().deadline);
    publications_ = std::move(publications);
  });
}

void ProxyPushConsumer::push(const RtecEventComm::EventSet& data) {
  const auto publications = when_connected([this] { return publications_; });
  Channel::Accepted worst = Channel::Accepted::Yes;
  for (CORBA::ULong i = 0; i < data.length(); ++i) worst = std::max(worst, channel_->accept(data[i], *publications));
  if (worst == Channel::Accepted::TooLarge)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_YES,
                           concat({"an event of more than ", Decimal(channel_->options().event_bytes), " bytes"}));
  if (worst == Channel::Accepted::MayNotBeSent)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_YES,
                           "an event was refused: it has no source, a type below 16, or is not published");
}

void ProxyPushConsumer::say_goodbye() noexcept {
  if (CORBA::is_nil(supplier_.in())) return;
  channel_->parts().lanes.back()->run([supplier = supplier_] {
    try {
      supplier->disconnect_push_supplier();
    } catch (const CORBA::Exception&) {}  // it has gone, too
  });
}

class ProxyPushSupplier::Consumer final : public Sink {
 public:
  // Takes over a count of the proxy's.
  Consumer(ProxyPushSupplier& proxy, RtecEventComm::PushConsumer_var consumer)
      : proxy_(proxy), servant_(&proxy), consumer_(std::move(consumer)) {}

  Result deliver(const events::EventSet& set) noexcept override {
    try {
      if (const auto* const one = alone(set)) consumer_->push(*one);
      else consumer_->push(pushed(set));
      return Result::Taken;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return Result::Gone;
    } catch (const CORBA::SystemException& e) {
      remember(e.what());
      return e.completed() == CORBA::COMPLETED_NO ? Result::Refused : Result::Unknown;
    } catch (const std::exception& e) {
      remember(e.what());
    }
    return Result::Unknown;
  }
  void dropped(const std::string& why) noexcept override {
    std::string last;
    {
      const std::lock_guard lock(mutex_);
      last = last_;
    }
    proxy_.dropped(last.empty() ? why : concat({why, ", the last with ", last}));
  }

 private:
  void remember(const char* what) {
    const std::lock_guard lock(mutex_);
    last_ = what;
  }
  ProxyPushSupplier& proxy_;
  const Servant servant_;
  const RtecEventComm::PushConsumer_var consumer_;
  std::mutex mutex_;
  std::string last_;
};

Asked ProxyPushSupplier::read(const RtecEventChannelAdmin::ConsumerQOS& qos, std::vector<std::int32_t>& priorities,
                              std::string& why_not) const {
  Asked out = asked(qos, channel_->options().qos, why_not);
  if (why_not.empty()) (void)channel_->priorities_of(out, terms_, priorities, why_not);
  return out;
}

void ProxyPushSupplier::connect_push_consumer(RtecEventComm::PushConsumer_ptr push_consumer,
                                              const RtecEventChannelAdmin::ConsumerQOS& qos) {
  must_not_be_connected();
  std::string why_not;
  std::vector<std::int32_t> priorities;
  Asked wanted = read(qos, priorities, why_not);
  if (!why_not.empty()) {
    log(LogLevel::Info, {"events: real-time channel ", channel_->name(), ": a consumer's QoS is refused: ", why_not});
    refuse(why_not);
  }
  count(push_consumer, terms_in(wanted.wants));
  const ChannelParts& parts = channel_->parts();
  services::HeldBytes kept(parts.hold(4u << 10)), collected(parts.hold(0));
  events::check_type<RtecEventChannelAdmin::TypeError>(
      push_consumer, {RtecEventComm::PushConsumer::_repository_id()}, channel_->options().deadline);
  connect([&] {
    consumer_ = with_terms(push_consumer, *channel_);
    _add_ref();
    SubscriberOptions options = channel_->options().subscriber;
    options.bounds = terms_.bounds;
    options.nothing_from = terms_.gateway_of;
    subscriber_ = std::make_shared<Subscriber>(channel_->parts().lanes, std::make_unique<Consumer>(*this, consumer_),
                                               options, channel_->parts().tally, std::move(kept));
    subscriber_->set_priorities(priorities);
    try {
      number_ = channel_->subscribe(std::move(wanted.wants), subscriber_, terms_.gateway_of,
                                    std::move(collected));
    } catch (...) {
      subscriber_.reset();  // its sink has this
      throw;
    }
  });
}

void ProxyPushSupplier::suspend_connection() {
  when_connected([this] { subscriber_->suspend(); });
}
void ProxyPushSupplier::resume_connection() {
  when_connected([this] { subscriber_->resume(); });
}

void ProxyPushSupplier::change(const RtecEventChannelAdmin::ConsumerQOS& qos) {
  std::string why_not;
  std::vector<std::int32_t> priorities;
  Asked wanted = read(qos, priorities, why_not);
  if (!why_not.empty()) throw CallisRealTimeEvents::Refused(why_not.c_str());
  count(nullptr, terms_in(wanted.wants));
  when_connected([&] {
    channel_->change(number_, std::move(wanted.wants));
    subscriber_->set_priorities(priorities);
  });
}

CallisRealTimeEvents::ConsumerState ProxyPushSupplier::state() {
  return when_connected([this] {
    CallisRealTimeEvents::ConsumerState out;
    out.waiting = static_cast<CORBA::ULong>(subscriber_->waiting());
    out.delivered = subscriber_->delivered();
    out.discarded = subscriber_->discarded();
    out.suspended = subscriber_->suspended();
    return out;
  });
}

void ProxyPushSupplier::stop() noexcept {
  if (!subscriber_) return;
  subscriber_->end();
  channel_->unsubscribe(number_, *subscriber_);
  subscriber_.reset();
}

void ProxyPushSupplier::say_goodbye() noexcept {
  channel_->parts().lanes.back()->run([consumer = consumer_] {
    try {
      consumer->disconnect_push_consumer();
    } catch (const CORBA::Exception&) {}
  });
}

}  // namespace callis::rtevents
