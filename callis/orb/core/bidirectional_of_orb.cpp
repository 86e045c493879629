// SPDX-License-Identifier: Apache-2.0
// The links of an ORB: the choice of a link for a call, and clients' listen points.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/bidirectional_of_orb.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/options/tcp.h>
#include <callis/orb/server/main_thread.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/worker.h>
#include <callis/transport/certificate.h>

CALLIS_PROVIDE(bidirectional);

namespace callis::orb {
namespace {

constexpr std::uint32_t kFirstOfOpener = 2, kFirstOfAcceptor = 1;  // ids: even ones, odd ones
constexpr std::size_t kMaxOpened = 1024;                          // endpoints that are kept without connections
constexpr unsigned kMostNested = 64;  // upcalls of the main thread that wait for replies, one inside the other
constexpr int kLongestSleepMs = 10;

class Stopper final : public OrbPart {
 public:
  explicit Stopper(BidirectionalOfOrb& of) : of_(of) {}
  void stop() override { of_.stop(); }
  void end() override {}

 private:
  BidirectionalOfOrb& of_;
};

bool is_loopback(std::string_view host) {
  return host.starts_with("127.") || host == "::1" || host == "::ffff:127.0.0.1" || host == "localhost";
}
// Over TLS, references and listen points name ports of TLS.
bool is_tls(const EndpointAddress& a) { return tls_transport && a.text().starts_with("tls:"); }

std::vector<ior::Address> addresses_of(const std::list<EndpointAddress>& all, bool tls) {
  if (!tls) return tcp_addresses(all);
  std::vector<ior::Address> found;
  for (const EndpointAddress& a : all)
    if (is_tls(a)) found.push_back({a.place, a.port});
  return found;
}

bool over_tls(const transport::Peer& peer) { return transport::is_encrypted && transport::is_encrypted(peer); }

bool is_this_host(std::string_view host) { return is_loopback(host) || host == transport::primary_address(); }

}  // namespace

std::unique_ptr<BidirectionalGiop> new_bidirectional(OrbContext& orb) {
  auto made = std::make_unique<BidirectionalOfOrb>(orb);
  orb.add(std::make_unique<Stopper>(*made));
  return made;
}

BidirectionalOfOrb::BidirectionalOfOrb(OrbContext& orb) : orb_(orb) {}
BidirectionalOfOrb::~BidirectionalOfOrb() = default;

void BidirectionalOfOrb::add_adapter() {
  has_adapter_.store(true, std::memory_order_release);
  orb_.go_bidirectional();
}

// --- Calls ---

std::unique_ptr<ClientConnection> BidirectionalOfOrb::find(const Endpoint& to, TimePoint now) {
  const std::string place = to.identity().address.text();
  std::shared_ptr<SharedPool> opened;
  Links links;
  {
    const std::lock_guard lock(mutex_);
    if (const Links* const there = by_point_.find(place)) {
      for (auto l = there->rbegin(); l != there->rend(); ++l)
        if ((*l)->fits(to.identity())) links.push_back(*l);
    }
    if (const auto* const pool = opened_.find(to.name())) opened = *pool;
  }
  for (const auto& l : links) {
    const std::shared_ptr<SharedConnection> calls = l->calls();
    if (!calls) continue;
    if (auto c = calls->take(false, now)) return c;
  }
  return opened ? opened->find(false, now) : nullptr;
}

bool BidirectionalOfOrb::offers(const Endpoint& to) {
  if (!has_adapter_.load(std::memory_order_acquire) || stopped_.load(std::memory_order_acquire)) return false;
  const EndpointAddress& address = to.identity().address;
  const bool tls = is_tls(address);
  return (tls || address.transport == tcp_transport()) && orb_.server().started() &&
         !addresses_of(orb_.server().published(), tls).empty();
}

Result<std::unique_ptr<ClientConnection>> BidirectionalOfOrb::connect(const std::shared_ptr<Endpoint>& to,
                                                                      TimePoint now, Deadline deadline) {
  return pool_of(to)->open(false, now, deadline);
}

std::shared_ptr<SharedPool> BidirectionalOfOrb::pool_of(const std::shared_ptr<Endpoint>& to) {
  StringMap<std::shared_ptr<SharedPool>> dropped;
  const std::lock_guard lock(mutex_);
  if (const auto* const known = opened_.find(to->name())) return *known;
  if (opened_.size() >= kMaxOpened)
    opened_.for_each([&](const std::string& other, std::shared_ptr<SharedPool>& pool) {
      if (pool.use_count() == 1 && pool->connections().empty()) dropped.take(opened_, other);
    });
  return opened_.insert(to->name(), std::make_shared<SharedPool>(
      1, [this, to](Deadline deadline) { return open(*to, deadline); }));
}

Result<std::shared_ptr<SharedConnection>> BidirectionalOfOrb::open(Endpoint& to, Deadline deadline) {
  auto stream = to.open_stream(deadline);
  if (!stream) return stream.error();
  auto link = std::make_shared<BidirectionalLink>(*this, stream.value()->peer(), stream.value()->peer_identity());
  const Options& o = orb_.options();
  link->prepare(o.limits, o.fragment_bytes, o.spin, kFirstOfOpener,
                own_points(is_tls(to.identity().address)));
  const std::shared_ptr<SharedConnection> calls = link->calls();
  Pool* const pool = orb_.server().pool();
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) all_.push_back(link);
  }
  Counted<ServerConnection> made;
  if (pool) made = pool->take_opened(stream.value(), *link);
  if (!made) {
    link->give_up();
    return Error{Fault::TransportFailed, 0, "nobody to read from " + link->peer()};
  }
  link->attach(std::move(made));
  return calls;
}

std::vector<std::uint8_t> BidirectionalOfOrb::own_points(bool tls) const {
  return ior::listen_points_context(addresses_of(orb_.server().published(), tls));
}

// --- Service by threads of the application ---

// The main thread alone: others never call servants, and find the main thread reading.
bool BidirectionalOfOrb::serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept {
  static constinit thread_local unsigned depth = 0;
  if (orb_.options().server_threads != ServerThreads::Single || !orb_.main_thread().is_this_thread() ||
      depth >= kMostNested)
    return false;
  Pool* const pool = orb_.server().pool();
  if (!pool) return false;
  ++depth;
  Worker::waits();
  try {
    while (!called.load(std::memory_order_acquire) && !deadline.passed()) {
      // Of several threads that serve the wrong one may have been woken: so nobody sleeps for long.
      const int ms = deadline.poll_ms();
      pool->serve_once(ms < 0 || ms > kLongestSleepMs ? kLongestSleepMs : ms);
    }
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory to serve while waiting for a reply");
  }
  --depth;
  return true;
}

void BidirectionalOfOrb::wake() noexcept {
  if (Pool* const pool = orb_.server().pool()) pool->nudge();
}

// --- Listen points of clients ---

// Over TLS nobody is believed who has shown no certificate. A certificate that is for the point's host is enough.
bool BidirectionalOfOrb::believes(const ior::Address& point, const transport::Peer& peer) const {
  if (orb_.options().listen_points == ListenPoints::Any) return true;
  if (over_tls(peer)) {
    const auto certificate = transport::certificate_of(peer);
    if (!certificate) return false;
    if (certificate->is_for(point.host)) return true;
  }
  if (point.host == peer.host) return true;
  return is_this_host(peer.host) && is_this_host(point.host);
}

// Nothing that is wrong with the context is wrong with its request: it may be ignored (9.8).
void BidirectionalOfOrb::offered(ServerConnection& connection, ByteView context) noexcept {
  try {
    const auto points = ior::parse_listen_points(context, orb_.limits());
    if (!points && logging(LogLevel::Info)) log(LogLevel::Info, connection.peer() + ": " + points.error().text());
    if (!points) return;
    for (const ior::Address& p : points.value()) {
      if (!believes(p, connection.peer_identity())) {
        if (logging(LogLevel::Info))
          log(LogLevel::Info,
              concat({connection.peer(), ": not believed to listen at ", transport::address_text(p.host, p.port)}));
        continue;
      }
      if (const std::shared_ptr<BidirectionalLink> link = link_of(connection)) reach(link, p);
    }
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory for calls back to a client");
  }
}

// Called by the connection's reader. Returns nullptr if the ORB is being shut down.
std::shared_ptr<BidirectionalLink> BidirectionalOfOrb::link_of(ServerConnection& connection) {
  if (connection.reply_receiver())
    return static_cast<BidirectionalLink*>(connection.reply_receiver())->shared_from_this();
  auto link = std::make_shared<BidirectionalLink>(*this, connection.peer(), connection.peer_identity());
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return nullptr;
    all_.push_back(link);
  }
  const Options& o = orb_.options();
  link->prepare(o.limits, o.fragment_bytes, o.spin, kFirstOfAcceptor, {});
  connection.go_bidirectional(*link);
  link->attach(Counted(&connection));
  return link;
}

void BidirectionalOfOrb::reach(const std::shared_ptr<BidirectionalLink>& link, const ior::Address& point) {
  const Transport* const over = over_tls(link->peer_identity()) ? tls_transport() : tcp_transport();
  std::string name = EndpointAddress{over, point.host, point.port}.text();
  const std::lock_guard lock(mutex_);
  if (link->points.size() >= orb_.limits().max_profiles) return;
  if (std::ranges::find(link->points, name) != link->points.end()) return;
  Links* there = by_point_.find(name);
  if (!there) there = &by_point_.insert(name, {});
  if (!there->empty() && there->back()->peer_identity().host != link->peer_identity().host) {
    if (logging(LogLevel::Info))
      log(LogLevel::Info, {link->peer(), ": ", name, " is ", there->back()->peer(), "'s"});
    return;
  }
  there->push_back(link);
  link->points.push_back(std::move(name));
}

void BidirectionalOfOrb::ended(BidirectionalLink& link) noexcept {
  std::shared_ptr<BidirectionalLink> last;  // let go outside the lock
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const std::shared_ptr<BidirectionalLink>& l) { return l.get() == &link; };
  for (const std::string& name : link.points) {
    Links* const there = by_point_.find(name);
    if (!there) continue;
    std::erase_if(*there, is_it);
    if (there->empty()) by_point_.erase(name);
  }
  const auto at = std::ranges::find_if(all_, is_it);
  if (at == all_.end()) return;
  last = std::move(*at);
  *at = std::move(all_.back());
  all_.pop_back();
}

void BidirectionalOfOrb::stop() {
  Links all;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    all = all_;
  }
  for (const auto& l : all) l->finish();
}

BidirectionalGiop* make_bidirectional(OrbContext& orb) {
  if (BidirectionalGiop* const known = orb.bidirectional()) return known;
  const BidirectionalGiop::Maker maker = BidirectionalGiop::maker();
  if (!maker) return nullptr;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (!orb.bidirectional()) orb.set_bidirectional(maker(orb));
  return orb.bidirectional();
}

}  // namespace callis::orb
