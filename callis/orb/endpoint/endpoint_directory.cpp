// SPDX-License-Identifier: Apache-2.0
// Endpoints by name: "tcp:10.1.2.3:4711", "unix:/run/app", "memory:name", "this ORB".
#include <callis/base/text.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/base/errors.h>
#include <callis/transport/transport.h>

namespace callis::orb {

namespace {

// Endpoints are kept with their connections after the last reference to them is gone, up to this many.
constexpr std::size_t kMaxEndpoints = 1024;
constexpr Duration kCloseOldEvery{10'000};
constexpr std::string_view kThisOrb = "this ORB";

}  // namespace

// How the streams of one endpoint are opened.
struct EndpointDirectory::Opener {
  Place place;
  std::uint16_t port;
  std::string host;  // or the endpoint's name, or path
  EndpointDirectory* directory;

  std::string name() const {
    if (place == Place::Own) return std::string(kThisOrb);
    if (place == Place::Tcp) return concat({"tcp:", transport::address_text(host, port)});
    return concat({place == Place::Unix ? "unix:" : "memory:", host});
  }
  Result<std::unique_ptr<transport::Stream>> operator()(Deadline deadline) const {
    if (place == Place::Own) return directory->connect_own_(*directory->orb_);
    if (place == Place::Memory) return transport::connect_memory(host);
    if (place == Place::Unix && !CALLIS_HAS(unix)) return without_feature("unix");
    auto stream = place == Place::Tcp ? transport::connect_tcp(host, port, deadline) : transport::connect_unix(host, deadline);
    if (stream) stream.value()->set_spin(directory->options_.spin);
    return stream;
  }
};

EndpointDirectory::EndpointDirectory(const Options& options)
    : options_(options), flusher_(CALLIS_HAS(oneways) ? OnewayFlusher::make() : nullptr) {}

EndpointDirectory::~EndpointDirectory() = default;

std::shared_ptr<Endpoint> EndpointDirectory::tcp(const ior::Address& a, std::string_view suffix) {
  return find({Place::Tcp, a.port, a.host, this}, suffix);
}

std::shared_ptr<Endpoint> EndpointDirectory::memory(const std::string& name, std::string_view suffix) {
  return find({Place::Memory, 0, name, this}, suffix);
}

std::shared_ptr<Endpoint> EndpointDirectory::unix_socket(const std::string& path, std::string_view suffix) {
  return find({Place::Unix, 0, path, this}, suffix);
}

void EndpointDirectory::set_own(const Own& own) {
  const std::lock_guard lock(mutex_);
  own_ = own;
}

bool EndpointDirectory::is_own(const Opener& to) const {
  if (to.place == Place::Tcp) {
    for (const ior::Address& a : own_.addresses)
      if (a.port == to.port && a.host == to.host) return true;
    return false;
  }
  if (!own_.memory_names) return false;
  for (const std::string& name : to.place == Place::Memory ? *own_.memory_names : *own_.socket_paths)
    if (name == to.host) return true;
  return false;
}

std::shared_ptr<Endpoint> EndpointDirectory::find(Opener open, std::string_view suffix) {
  StringMap<std::shared_ptr<Endpoint>> dropped;  // their connections are closed outside the lock
  const std::lock_guard lock(mutex_);
  if (is_own(open)) open.place = Place::Own;
  const std::string name = concat({open.name(), suffix});
  if (const auto* known = endpoints_.find(name)) return *known;
  Sharing sharing;  // where sending is not the call itself
  if (open.place < Place::Memory) sharing = {options_.share_connections, options_.max_connections_per_server, options_.spin};
  const bool own = open.place == Place::Own;
  const auto made = endpoints_.insert(name, std::make_shared<Endpoint>(
      name, std::move(open), options_.limits, options_.fragment_bytes,
      options_.sync_scope == SyncScope::None ? flusher() : nullptr, sharing));
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

void EndpointDirectory::close_for_good() {
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
