// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/bidirectional.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/main_thread.h>
#include <callis/orb/pool.h>
#include <callis/orb/pool_worker.h>
#include <callis/orb/server.h>
#include <callis/orb/session.h>
#include <callis/transport/transport.h>

CALLIS_PROVIDE(both_ways);

namespace callis::orb {
namespace {

constexpr std::uint32_t kFirstOfOpener = 2, kFirstOfAcceptor = 1;  // ids: even ones, odd ones
constexpr std::size_t kMaxOpened = 1024;                          // endpoints that are kept without connections
constexpr unsigned kMostNested = 64;  // upcalls of the main thread that wait for replies, one inside the other
constexpr int kLongestSleepMs = 10;

class Stopper final : public Core::Resident {
 public:
  explicit Stopper(BothWaysOfCore& of) : of_(of) {}
  void stop() override { of_.stop(); }
  void end() override {}

 private:
  BothWaysOfCore& of_;
};

// The name of an endpoint, without and with what tells its code sets (reference.cpp).
std::string_view place_of(std::string_view name) { return name.substr(0, name.find(' ')); }
std::string_view code_sets_of(std::string_view name) { return name.substr(place_of(name).size()); }

bool is_loopback(std::string_view host) {
  return host.starts_with("127.") || host == "::1" || host == "::ffff:127.0.0.1" || host == "localhost";
}
bool is_this_host(std::string_view host) { return is_loopback(host) || host == transport::primary_address(); }

}  // namespace

std::unique_ptr<BothWays> make_both_ways(Core& core) {
  auto made = std::make_unique<BothWaysOfCore>(core);
  core.add(std::make_unique<Stopper>(*made));
  return made;
}

BothWaysOfCore::BothWaysOfCore(Core& core) : core_(core) {}
BothWaysOfCore::~BothWaysOfCore() = default;

void BothWaysOfCore::add_adapter() {
  has_adapter_.store(true, std::memory_order_release);
  core_.go_both_ways();
}

// --- Calls ---

std::unique_ptr<ClientConnection> BothWaysOfCore::find(const Endpoint& to, TimePoint now) {
  const std::string_view place = place_of(to.name());
  std::shared_ptr<SharedPool> opened;
  Links links;
  {
    const std::lock_guard lock(mutex_);
    if (const Links* const there = by_point_.find(place)) {
      for (auto l = there->rbegin(); l != there->rend(); ++l)
        if ((*l)->fits(code_sets_of(to.name()))) links.push_back(*l);
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

bool BothWaysOfCore::offers(const Endpoint& to) {
  return has_adapter_.load(std::memory_order_acquire) && !stopped_.load(std::memory_order_acquire) && to.name().starts_with("tcp:") && core_.server().started() &&
         !core_.server().published().empty();
}

Result<std::unique_ptr<ClientConnection>> BothWaysOfCore::connect(const std::shared_ptr<Endpoint>& to, TimePoint now,
                                                                  Deadline deadline) {
  return pool_of(to)->open(false, now, deadline);
}

std::shared_ptr<SharedPool> BothWaysOfCore::pool_of(const std::shared_ptr<Endpoint>& to) {
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

Result<std::shared_ptr<SharedConnection>> BothWaysOfCore::open(Endpoint& to, Deadline deadline) {
  auto stream = to.open_stream(deadline);
  if (!stream) return stream.error();
  auto link = std::make_shared<BothWaysLink>(*this, stream.value()->peer(), stream.value()->peer_host());
  const Options& o = core_.options();
  link->prepare(o.limits, o.fragment_bytes, o.spin, kFirstOfOpener, own_points());
  const std::shared_ptr<SharedConnection> calls = link->calls();
  Pool* const pool = core_.server().pool();
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

std::vector<std::uint8_t> BothWaysOfCore::own_points() const {
  return ior::listen_points_context(core_.server().published());
}

// --- Where threads of the application serve ---

// The main thread alone: others never call servants, and find the main thread reading.
bool BothWaysOfCore::serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept {
  static constinit thread_local unsigned depth = 0;
  if (core_.options().server_threads != ServerThreads::Single || !core_.main_thread().is_this_thread() || depth >= kMostNested)
    return false;
  Pool* const pool = core_.server().pool();
  if (!pool) return false;
  ++depth;
  PoolWorker::waits();
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

void BothWaysOfCore::wake() noexcept {
  if (Pool* const pool = core_.server().pool()) pool->nudge();
}

// --- What clients say ---

bool BothWaysOfCore::believes(const ior::Address& point, const std::string& peer_host) const {
  if (core_.options().listen_points == ListenPoints::Any || point.host == peer_host) return true;
  return is_this_host(peer_host) && is_this_host(point.host);
}

// Nothing that is wrong with the context is wrong with its request: it may be ignored (9.8).
void BothWaysOfCore::offered(ServerConnection& connection, ByteView context) noexcept {
  try {
    const auto points = ior::parse_listen_points(context, core_.limits());
    if (!points && logging(LogLevel::Info)) log(LogLevel::Info, connection.peer() + ": " + points.error().text());
    if (!points) return;
    for (const ior::Address& p : points.value()) {
      if (!believes(p, connection.peer_host())) {
        if (logging(LogLevel::Info))
          log(LogLevel::Info, concat({connection.peer(), ": not believed to listen at ", transport::address_text(p.host, p.port)}));
        continue;
      }
      if (const std::shared_ptr<BothWaysLink> link = link_of(connection)) reach(link, p);
    }
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory for calls back to a client");
  }
}

// By the connection's reader. nullptr when the ORB is being shut down.
std::shared_ptr<BothWaysLink> BothWaysOfCore::link_of(ServerConnection& connection) {
  if (connection.taker()) return static_cast<BothWaysLink*>(connection.taker())->shared_from_this();
  auto link = std::make_shared<BothWaysLink>(*this, connection.peer(), connection.peer_host());
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return nullptr;
    all_.push_back(link);
  }
  const Options& o = core_.options();
  link->prepare(o.limits, o.fragment_bytes, o.spin, kFirstOfAcceptor, {});
  connection.go_both_ways(*link);
  link->attach(Counted(&connection));
  return link;
}

void BothWaysOfCore::reach(const std::shared_ptr<BothWaysLink>& link, const ior::Address& point) {
  std::string name = concat({"tcp:", transport::address_text(point.host, point.port)});
  const std::lock_guard lock(mutex_);
  if (link->points.size() >= core_.limits().max_profiles) return;
  if (std::ranges::find(link->points, name) != link->points.end()) return;
  Links* there = by_point_.find(name);
  if (!there) there = &by_point_.insert(name, {});
  if (!there->empty() && there->back()->host() != link->host()) {
    if (logging(LogLevel::Info)) log(LogLevel::Info, concat({link->peer(), ": ", name, " is ", there->back()->peer(), "'s"}));
    return;
  }
  there->push_back(link);
  link->points.push_back(std::move(name));
}

void BothWaysOfCore::ended(BothWaysLink& link) noexcept {
  std::shared_ptr<BothWaysLink> last;  // let go outside the lock
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const std::shared_ptr<BothWaysLink>& l) { return l.get() == &link; };
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

void BothWaysOfCore::stop() {
  Links all;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    all = all_;
  }
  for (const auto& l : all) l->finish();
}

// --- What the core and its sessions have of it ---

BothWays* Core::make_both_ways() {
  if (BothWays* const known = both_ways()) return known;
  const BothWays::Maker maker = BothWays::maker();
  if (!maker) return nullptr;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (!both_ways()) both_ways_.store(maker(*this).release(), std::memory_order_release);
  return both_ways();
}

// Who may be called over its connection has it served by the pool, which reads replies while upcalls run. True when it is
// to go there first.
bool Session::leaves_for(const giop::Message& m, const giop::ServiceContext& listen_points) {
  if (m.header.version < giop::kGiop12 || conversation_->comes_back()) return false;
  if (!core_.both_ways() && !(BothWays::wanted() && core_.make_both_ways())) return false;
  if (owner_) owner_->listen_points(listen_points.data);
  if (owner_ || !may_leave_) return false;
  giop::MessageHeader h = m.header;
  h.more_fragments = false;
  Byte header[giop::kHeaderBytes];
  giop::write_header(header, h);
  if (left_.append(header) && left_.append(m.body)) return true;
  left_.clear();
  return false;
}

}  // namespace callis::orb
