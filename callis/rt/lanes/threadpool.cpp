// SPDX-License-Identifier: Apache-2.0
// The lanes of a pool: the first lanes, and lanes for further priorities.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/lanes/threadpool.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <algorithm>

namespace callis::rt {
namespace {

std::uint32_t threads_of(const LaneTerms& l) { return l.static_threads + l.dynamic_threads; }

// Returns the number of threads in which requests wait, if this number is bounded.
std::uint32_t waiting_threads(const ThreadpoolTerms& t) {
  constexpr std::uint32_t kByBytesAlone = 16;
  if (!t.buffering) return 0;
  return t.max_buffered_requests != 0 ? t.max_buffered_requests : t.max_buffered_bytes != 0 ? kByBytesAlone : 0;
}
bool is_bounded(const ThreadpoolTerms& t) { return !t.buffering || waiting_threads(t) != 0; }

PermitTerms permit_terms(const ThreadpoolTerms& t) {
  PermitTerms p;
  p.lanes = t.with_lanes;
  p.borrowing = t.with_lanes && t.borrowing;
  p.shared = t.with_lanes ? 0 : threads_of(t.lanes[0]);
  p.waits = t.buffering;
  p.most_waiting = waiting_threads(t);
  p.most_bytes = t.max_buffered_bytes;
  return p;
}

}  // namespace

Threadpool::Threadpool(orb::Core& core, std::uint32_t id, const ThreadpoolTerms& terms)
    : core_(core), id_(id), terms_(terms), grows_(!terms.with_lanes) {
  const bool bounded = is_bounded(terms);
  if (!terms.with_lanes || terms.borrowing || bounded) permits_ = std::make_unique<Permits>(permit_terms(terms));
  LaneThreads below{};
  for (const LaneTerms& l : terms.lanes) {
    const LaneThreads own{l.static_threads, threads_of(l)};
    LaneThreads all = own;
    if (terms.borrowing) all.add(below);
    // Besides the threads that execute requests there are threads in which requests wait for a permit, and one more,
    // which refuses requests.
    if (bounded) all.add({waiting_threads(terms) + 1, waiting_threads(terms) + 1});
    add(terms.with_lanes ? l.priority : terms.default_priority, all);
    below.add(own);
  }
}

Threadpool::~Threadpool() {
  stop();
  wait();
}

// The caller holds making_, or nobody else has the pool yet.
PoolLane& Threadpool::add(std::int16_t priority, LaneThreads threads) {
  const std::size_t n = count_.load(std::memory_order_relaxed);
  const orb::Counted<RealTimeOrb> rt = RealTimeOrb::of(core_);
  LaneOptions options;
  options.priority = priority;
  options.protocols = &server_protocols_;
  options.network = &rt->network_mapper();  // the ORB's real-time part ends its pools
  if (rt->native()) {
    const auto native = rt->mapper().to_native(priority);
    if (!native)
      raise<CORBA::DATA_CONVERSION>(kUnmapped, CORBA::COMPLETED_NO,
                                    "the mapping has no native priority for a lane's");
    options.native = *native;
  }
  options.threads = std::max(threads.first, 1u);
  options.most_threads = threads.most;
  std::uint32_t ports = 0;
  for (const orb::EndpointOption& e : core_.options().endpoints) ports += e.address.transport->has_hosts();
  options.port = rt->lane_ports(core_.options().endpoints.empty() ? 1 : ports);
  options.stack_bytes = terms_.stack_bytes;
  options.name = concat({"pool", Decimal(id_), ".", Decimal(n)});
  auto opened = Lane::open(core_, options);
  if (!opened) orb::raise<CORBA::NO_RESOURCES>(kNoLane, CORBA::COMPLETED_NO, opened.error().text());
  auto made = std::make_unique<PoolLane>();
  made->lane = std::move(opened).value();
  if (permits_) {
    std::uint32_t own = 0;
    for (const LaneTerms& l : terms_.lanes)
      if (l.priority == priority) own = threads_of(l);
    made->permits = &permits_->add(priority, options.native, own);
  }
  lanes_[n] = std::move(made);
  count_.store(n + 1, std::memory_order_release);
  return *lanes_[n];
}

[[gnu::hot]] PoolLane* Threadpool::nearest(std::int16_t priority) const {
  PoolLane *below = nullptr, *lowest = nullptr;
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i) {
    PoolLane* const l = lanes_[i].get();
    const std::int16_t p = l->lane->priority();
    if (!lowest || p < lowest->lane->priority()) lowest = l;
    if (p <= priority && (!below || p > below->lane->priority())) below = l;
  }
  return below ? below : lowest;
}

[[gnu::hot]] PoolLane& Threadpool::lane(std::int16_t priority, std::span<const Band> bands) {
  std::int16_t wanted = priority;
  for (const Band& b : bands) {
    if (priority < b.low || priority > b.high) continue;
    // Takes the highest lane of the band, as clients do. Without lanes this is the lane of the band's end.
    wanted = b.high;
  }
  PoolLane* const found = nearest(wanted);
  if (found->lane->priority() == wanted || !grows_.load(std::memory_order_acquire)) return *found;
  const std::lock_guard one_at_a_time(making_);
  PoolLane* const now = nearest(wanted);
  if (now->lane->priority() == wanted || !grows_.load(std::memory_order_relaxed)) return *now;
  const std::size_t n = count_.load(std::memory_order_relaxed);
  // Requests that wait for a permit count among the upcalls of the ORB, which is to have room for others.
  const bool full = n >= kMostPriorities || (n + 1) * threads_of(terms_.lanes[0]) > core_.limits().max_dispatches / 2;
  if (full) {
    grows_.store(false, std::memory_order_release);
    return *now;
  }
  try {
    LaneThreads threads{terms_.lanes[0].static_threads, threads_of(terms_.lanes[0])};
    if (!terms_.buffering) threads.add({1, 1});  // that refuses
    PoolLane& made = add(wanted, threads);
    ThreadpoolSet::of(core_).lanes_changed();
    return made;
  } catch (const CORBA::SystemException& e) {
    grows_.store(false, std::memory_order_release);
    log(LogLevel::Warning, {"a thread pool gets no threads for further priorities: ", e.what()});
    return *now;
  }
}

const PoolLane* Threadpool::lane_of_this_thread() const {
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i)
    if (lanes_[i]->lane->has_this_thread()) return lanes_[i].get();
  return nullptr;
}

std::vector<LaneAddress> Threadpool::addresses() const {
  std::vector<LaneAddress> all;
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i)
    for (const orb::EndpointAddress& a : lanes_[i]->lane->addresses())
      if (a.transport == orb::tcp_transport()) all.push_back({lanes_[i]->lane->priority(), {a.place, a.port}});
  std::ranges::stable_sort(all, {}, &LaneAddress::priority);
  return all;
}

std::list<orb::EndpointAddress> Threadpool::all_addresses() const {
  std::list<orb::EndpointAddress> all;
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i)
    all.insert(all.end(), lanes_[i]->lane->addresses().begin(), lanes_[i]->lane->addresses().end());
  return all;
}

void Threadpool::stop() {
  const std::lock_guard one_at_a_time(making_);
  grows_.store(false, std::memory_order_release);
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i) lanes_[i]->lane->stop();
}

void Threadpool::wait() {
  for (std::size_t i = 0, n = count_.load(std::memory_order_acquire); i < n; ++i) lanes_[i]->lane->wait();
}

}  // namespace callis::rt
