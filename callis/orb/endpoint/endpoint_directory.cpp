// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/endpoint/endpoint_directory.h>
#include <algorithm>

namespace callis::orb {

namespace {

// Endpoints are kept with their connections after the last reference to them is gone, up to this many.
constexpr std::size_t kMaxEndpoints = 1024;
constexpr Duration kCloseOldEvery{10'000};

}  // namespace

EndpointDirectory::EndpointDirectory(const Options& options)
    : options_(options),
      spin_(options.spin),
      flusher_(CALLIS_HAS(oneways) ? OnewayFlusher::make() : nullptr),
      watch_(CALLIS_HAS(idle_watch) && !options.no_idle_watch ? IdleWatch::make(*this) : nullptr) {}

EndpointDirectory::~EndpointDirectory() = default;

void EndpointDirectory::set_own(const std::list<EndpointAddress>& addresses, const Transport& to_itself) {
  const std::lock_guard lock(mutex_);
  own_ = &addresses;
  to_itself_ = &to_itself;
}

void EndpointDirectory::set_own(const std::list<EndpointAddress>& addresses) {
  const std::lock_guard lock(mutex_);
  own_ = &addresses;
}

std::shared_ptr<Endpoint> EndpointDirectory::find(const EndpointIdentity& wanted) {
  StringMap<std::shared_ptr<Endpoint>> dropped;  // their connections are closed outside the lock
  const std::lock_guard lock(mutex_);
  const bool own = own_ && std::ranges::find(*own_, wanted.address) != own_->end();
  EndpointIdentity identity = wanted;
  if (own) identity.address = {to_itself_, {}, 0};
  const std::string name = identity.text();
  if (const auto* known = endpoints_.find(name)) return *known;
  Sharing sharing;  // for transports in which sending is not the call itself
  if (!identity.address.transport->is_inside())
    sharing = {options_.share_connections, options_.max_connections_per_server, spin()};
  const auto made = endpoints_.insert(name, std::make_shared<Endpoint>(
      std::move(identity), options_.limits, options_.fragment_bytes,
      options_.sync_scope == SyncScope::None ? flusher() : nullptr, sharing,
      watch_.get()));
  if (own) made->set_own();
  if (endpoints_.size() <= kMaxEndpoints) return made;
  endpoints_.for_each([&](const std::string& other, std::shared_ptr<Endpoint>& endpoint) {
    if (endpoint.use_count() == 1) dropped.take(endpoints_, other);
  });
  return made;
}

void EndpointDirectory::close_old(TimePoint now) {
  TimePoint last = closed_old_.load(std::memory_order_relaxed);
  if (now - last < kCloseOldEvery || !closed_old_.compare_exchange_strong(last, now)) return;
  for (const auto& e : all()) e->close_old(now);
}

bool EndpointDirectory::close_unneeded(TimePoint now) {
  const auto endpoints = all();
  for (const bool dead_only : {true, false}) {
    std::size_t closed = 0;
    for (const auto& e : endpoints) closed += e->close_unneeded(dead_only, now);
    if (closed != 0) return true;
  }
  return false;
}

void EndpointDirectory::close_ended(std::span<const Endpoint* const> which) {
  for (const auto& e : all())
    if (std::ranges::find(which, e.get()) != which.end()) e->close_ended();
}

void EndpointDirectory::close_for_good() {
  if (watch_) watch_->stop();
  for (const auto& e : all()) e->close_idle(true);
}

std::vector<std::shared_ptr<Endpoint>> EndpointDirectory::all() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Endpoint>> all(endpoints_.size());
  auto to = all.begin();
  endpoints_.for_each([&to](const std::string&, const std::shared_ptr<Endpoint>& e) { *to++ = e; });
  return all;
}

}  // namespace callis::orb
