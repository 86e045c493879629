// SPDX-License-Identifier: Apache-2.0
// What a channel does with events, and which proxies it has.
#include <callis/base/buffer.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/typecode/coder.h>
#include <services/events/channel.h>
#include <services/events/proxy.h>
#include <algorithm>

namespace callis::events {

namespace {

// Of the event on the wire.
std::size_t bytes_of(const CORBA::Any& any) {
  static thread_local Buffer buffer;
  buffer.clear();
  cdr::Encoder encoder(buffer);
  typecode::put_any(encoder, any);
  encoder.finish();
  if (encoder.fault() != Fault::None)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "an event that cannot be passed on: its value is bad");
  const std::size_t out = buffer.size();
  if (out > (64u << 10)) buffer.shrink(0);
  return out;
}

// Empty for types that have none, such as strings.
std::string type_id(const CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  try {
    return type->id();
  } catch (const CORBA::TypeCode::BadKind&) {
    return {};
  }
}

}  // namespace

Channel::Pulling::Pulling(Channel& channel) : channel_(channel) {
  if (++channel_.pulls_ <= channel_.options_.pulls) return;
  --channel_.pulls_;
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            concat({Decimal(channel_.options_.pulls),
                                    " calls of pull() wait at this channel already: try_pull() does not wait"}));
}

void Channel::accept(const CORBA::Any& event) {
  const std::size_t bytes = bytes_of(event);
  if (bytes > options_.event_bytes)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"an event of ", Decimal(bytes), " bytes, more than ",
                                   Decimal(options_.event_bytes)}));
  if (!options_.type.empty() && type_id(event) != options_.type) return;
  ++received_;
  ++parts_.tally.received;
  hub_.publish({std::make_shared<const CORBA::Any>(event), bytes, priority_of(event)});
}

std::uint8_t Channel::priority_of(const CORBA::Any& event) const {
  if (options_.priorities.empty()) return 0;
  const auto found = options_.priorities.find(type_id(event));
  return found == options_.priorities.end() ? std::uint8_t{0} : found->second;
}

CORBA::Object_var Channel::add(ProxyKind kind) {
  const std::lock_guard one(adding_);
  make_room();
  Known known{nullptr, nullptr, {}};
  known.servant = new_proxy(kind, shared_from_this(), known.proxy);
  known.id = parts_.proxies->activate_object(known.servant.in());
  CORBA::Object_var out = parts_.proxies->id_to_reference(known.id.in());
  {
    const std::lock_guard lock(mutex_);
    if (!destroyed_) {
      proxies_.push_back(std::move(known));
      parts_.pool.wake(parts_.reaper);
      return out;
    }
  }
  parts_.proxies->deactivate_object(known.id.in());
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the event channel has been destroyed");
}

void Channel::make_room() {
  const auto now = std::chrono::steady_clock::now();
  PortableServer::Servant_var<PortableServer::ServantBase> kept;
  Proxy* goes = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (destroyed_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the event channel has been destroyed");
    if (proxies_.size() < options_.proxies) return;
    const Known* longest = nullptr;
    for (const Known& k : proxies_)
      if (k.proxy->may_go(now) && (!longest || k.proxy->used() < longest->proxy->used())) longest = &k;
    if (!longest)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             concat({"event channel ", name_, " has ", Decimal(proxies_.size()),
                                     " proxies that are in use, and may not have more"}));
    goes = longest->proxy;
    kept = longest->servant;
  }
  goes->end(Proxy::By::Channel);
}

std::optional<std::chrono::steady_clock::time_point> Channel::reap(std::chrono::steady_clock::time_point now) {
  std::optional<std::chrono::steady_clock::time_point> next;
  std::vector<std::pair<Proxy*, PortableServer::Servant_var<PortableServer::ServantBase>>> late;
  {
    const std::lock_guard lock(mutex_);
    for (const Known& k : proxies_) {
      if (k.proxy->state() != Proxy::State::Obtained) continue;
      const auto until = k.proxy->used() + options_.connect_within;
      if (until <= now) late.emplace_back(k.proxy, k.servant);
      else if (!next || until < *next) next = until;
    }
  }
  for (const auto& [proxy, servant] : late) proxy->end_unconnected();
  if (!late.empty())
    log(LogLevel::Info, {"events: channel ", name_, ": ", Decimal(late.size()),
                         late.size() == 1 ? " proxy that nobody has connected is gone"
                                          : " proxies that nobody has connected are gone"});
  return next;
}

void Channel::forget(Proxy& proxy) {
  Known known{nullptr, nullptr, {}};
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(proxies_.begin(), proxies_.end(), [&](const Known& k) { return k.proxy == &proxy; });
    if (found == proxies_.end()) return;
    known = std::move(*found);
    if (&*found != &proxies_.back()) *found = std::move(proxies_.back());
    proxies_.pop_back();
  }
  try {
    parts_.proxies->deactivate_object(known.id.in());
  } catch (const CORBA::Exception&) {  // the adapter has gone, and the object with it
  }
}

void Channel::destroy() {
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> kept;
  std::vector<Proxy*> all;
  {
    const std::lock_guard lock(mutex_);
    destroyed_ = true;
    for (const Known& k : proxies_) {
      kept.push_back(k.servant);
      all.push_back(k.proxy);
    }
  }
  for (Proxy* p : all) p->end(Proxy::By::Channel);
}

CallisEvents::ChannelState Channel::state() const {
  CallisEvents::ChannelState out;
  std::size_t counts[kProxyKinds] = {};
  {
    const std::lock_guard lock(mutex_);
    for (const Known& k : proxies_) ++counts[static_cast<std::size_t>(k.proxy->kind())];
  }
  const auto count = [&](ProxyKind kind) {
    return static_cast<CORBA::ULong>(counts[static_cast<std::size_t>(kind)]);
  };
  out.name = name_.c_str();
  out.received = received_;
  out.push_consumers = count(ProxyKind::PushConsumer);
  out.pull_consumers = count(ProxyKind::PullConsumer);
  out.push_suppliers = count(ProxyKind::PushSupplier);
  out.pull_suppliers = count(ProxyKind::PullSupplier);
  out.waiting = hub_.waiting();
  out.discarded = hub_.discarded();
  return out;
}

std::size_t Channel::proxies() const {
  const std::lock_guard lock(mutex_);
  return proxies_.size();
}

}  // namespace callis::events
