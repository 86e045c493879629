// SPDX-License-Identifier: Apache-2.0
// The channel's handling of events, and its proxies.
#include <callis/base/buffer.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/core/core.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/wire.h>
#include <services/events/channel.h>
#include <services/events/journal_form.h>
#include <services/events/named_proxy.h>
#include <algorithm>

namespace callis::events {

namespace {

// Of an event on the wire, and beside that in memory: TypeCodes, and the plans of their values, have far more.
struct Sizes {
  std::size_t bytes = 0, more = 0;
};
Sizes sizes_of(const CORBA::Any& any) {
  constexpr std::size_t kSmallType = 256, kOfWire = 4;
  static thread_local Buffer buffer;
  buffer.clear();
  cdr::Encoder encoder(buffer);
  const auto& slot = any.callis_slot();
  typecode::put_type_code(encoder, static_cast<const CORBA::TypeCode*>(slot.type));
  const std::size_t type = encoder.position();
  typecode::put_any_value(encoder, slot);
  encoder.finish();
  if (encoder.fault() != Fault::None)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "an event that cannot be passed on: its value is bad");
  const std::size_t bytes = buffer.size();
  if (bytes > (64u << 10)) buffer.shrink(0);
  return {bytes, type > kSmallType ? kOfWire * type : 0};
}

// Turns the journal's exceptions into those that suppliers and consumers get.
template <class F>
void call_journal(F&& call) {
  try {
    call();
  } catch (const JournalFailed& e) {
    const CORBA::CompletionStatus completed = e.perhaps ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO;
    if (e.why == JournalFailed::Why::Refused) throw CORBA::NO_RESOURCES(0, completed, e.text);
    throw CORBA::TRANSIENT(0, completed,
                           concat({e.text, e.perhaps ? "; what was asked may have been done" : "; nothing was done",
                                   ": try again"}));
  }
}

bool is_good_consumer_name(const std::string& name) {
  return !name.empty() && name.size() <= Journal::kMostNameBytes && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
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
  const auto [bytes, more] = sizes_of(event);
  if (bytes > options_.event_bytes)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"an event of ", Decimal(bytes), " bytes, more than ",
                                   Decimal(options_.event_bytes)}));
  if (!options_.type.empty() && type_id(event) != options_.type) return;
  if (parts_.journal) call_journal([&] { parts_.journal->append(name_, journal_form(event).view()); });
  ++received_;
  ++parts_.tally.received;
  if (!parts_.journal) hub_.publish({std::make_shared<const CORBA::Any>(event), bytes, priority_of(event), more});
}

void Channel::begin() {
  if (!parts_.journal) return;
  parts_.journal->open(name_);
  following_ = parts_.journal->follow(name_, [channel = weak_from_this()](ByteView kept) {
    const auto c = channel.lock();
    if (const auto event = c ? c->read(kept) : std::nullopt) c->hub_.publish(*event);
  });
}

std::optional<Event> Channel::read(ByteView kept) const {
  try {
    const auto any = std::make_shared<CORBA::Any>();
    if (!read_journal_form(*static_cast<orb::Core*>(parts_.orb), kept, *any)) return std::nullopt;
    const std::uint8_t priority = priority_of(*any);
    return Event{any, kept.size(), priority, sizes_of(*any).more};
  } catch (const std::exception&) {  // CORBA's, or no memory
    return std::nullopt;
  }
}

Journal& Channel::journal() const {
  if (!parts_.journal) throw CallisEvents::NotDurable();
  return *parts_.journal;
}

CORBA::Object_var Channel::add_named(const std::string& name,
                                     const std::function<PortableServer::ServantBase*(Proxy*&)>& make) {
  Journal& kept = journal();
  if (!is_good_consumer_name(name)) throw CallisEvents::BadName();
  call_journal([&] { kept.make_name(name_, name); });
  return add(make);
}

CORBA::Object_var Channel::add_named(ProxyKind kind, const std::string& name) {
  return add_named(name, [&](Proxy*& proxy) { return new_named_proxy(kind, shared_from_this(), name, proxy); });
}

Journal::FollowingPtr Channel::follow_name(const std::string& name,
                                           std::function<void(Journal::DeliveryPtr)> event) const {
  Journal::FollowingPtr out;
  call_journal([&] { out = parts_.journal->follow_name(name_, name, std::move(event)); });
  return out;
}

CallisEvents::Names Channel::names() const {
  std::vector<std::string> all;
  call_journal([&, &kept = journal()] { all = kept.names(name_); });
  CallisEvents::Names out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = all[i].c_str();
  return out;
}

void Channel::forget_name(const std::string& name) {
  bool was_there = false;
  Journal& kept = journal();
  if (!is_good_consumer_name(name)) throw CallisEvents::BadName();
  call_journal([&] { was_there = kept.forget(name_, name); });
  if (!was_there) throw CallisEvents::BadName();
}

std::uint8_t Channel::priority_of(const CORBA::Any& event) const {
  if (options_.priorities.empty()) return 0;
  const auto found = options_.priorities.find(type_id(event));
  return found == options_.priorities.end() ? std::uint8_t{0} : found->second;
}

CORBA::Object_var Channel::add(ProxyKind kind) {
  return add([&](Proxy*& proxy) { return new_proxy(kind, shared_from_this(), proxy); });
}

CORBA::Object_var Channel::add(const std::function<PortableServer::ServantBase*(Proxy*&)>& make) {
  CORBA::Object_var out = proxies_.add(make);
  parts_.pool.wake(parts_.reaper);
  return out;
}

std::optional<std::chrono::steady_clock::time_point> Channel::reap(std::chrono::steady_clock::time_point now) {
  std::optional<std::chrono::steady_clock::time_point> next;
  const auto late = proxies_.those([&](const Proxy& proxy) {
    const auto until = proxy.connect_until();
    if (until <= now) return true;
    if (until != Proxy::Time::max() && (!next || until < *next)) next = until;
    return false;
  });
  for (const auto& [proxy, servant] : late) proxy->end_unconnected();
  if (!late.empty())
    log(LogLevel::Info, {"events: channel ", name_, ": ", Decimal(late.size()),
                         late.size() == 1 ? " proxy that nobody has connected is gone"
                                          : " proxies that nobody has connected are gone"});
  return next;
}

void Channel::forget(Proxy& proxy) { proxies_.forget(proxy); }

void Channel::destroy() {
  Journal::FollowingPtr following;  // ended without the lock
  {
    const std::lock_guard lock(mutex_);
    following = std::move(following_);
  }
  following.reset();
  proxies_.end();
}

CallisEvents::ChannelState Channel::state() const {
  CallisEvents::ChannelState out;
  std::size_t counts[kProxyKinds] = {};
  proxies_.each([&](const Proxy& proxy) { ++counts[static_cast<std::size_t>(proxy.kind())]; });
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

std::size_t Channel::proxies() const { return proxies_.size(); }

}  // namespace callis::events
