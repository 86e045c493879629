// SPDX-License-Identifier: Apache-2.0
// The pools of an ORB from the first to the shutdown, and the addresses that they add to it.
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/server/server.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <algorithm>

namespace callis::rt {

// Hears of the ORB's shutdown.
class ThreadpoolSet::Part final : public orb::OrbPart {
 public:
  explicit Part(ThreadpoolSet& set) : set_(set) {}
  void stop() override { set_.stop(); }
  void end() override { set_.end(); }

 private:
  ThreadpoolSet& set_;
};

// The root adapter first: parts end in the reverse order, and no lane may run when adapters end.
ThreadpoolSet::ThreadpoolSet(orb::Core& core) : core_(core) {
  const CORBA::Object_var root = core.resolve_initial_references("RootPOA");
  core.add(std::make_unique<Part>(*this));
}

ThreadpoolSet::~ThreadpoolSet() = default;

ThreadpoolSet& ThreadpoolSet::of(orb::Core& core) { return dynamic_cast<ThreadpoolSet&>(Threadpools::of(core)); }

void use_threadpools() {
  Threadpools::set_maker([](orb::Core& core) -> std::unique_ptr<Threadpools> {
    return std::make_unique<ThreadpoolSet>(core);
  });
}

std::uint32_t ThreadpoolSet::create(const ThreadpoolTerms& terms) {
  core_.listen();
  if (terms.lanes.size() > kMostLanes)
    orb::raise<CORBA::NO_RESOURCES>(kNoLane, CORBA::COMPLETED_NO, "a thread pool has at most 64 lanes");
  std::uint32_t threads = 0;
  for (const LaneTerms& l : terms.lanes)
    threads += l.static_threads + l.dynamic_threads + (terms.buffering ? terms.max_buffered_requests : 0);
  if (threads > core_.limits().max_dispatches)
    orb::raise<CORBA::NO_RESOURCES>(kTooManyThreads, CORBA::COMPLETED_NO,
                                    "a thread pool has more threads than -ORBMaxDispatches lets run");
  std::uint32_t id;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || pools_.size() >= kMostPools)
      orb::raise<CORBA::NO_RESOURCES>(kTooManyPools, CORBA::COMPLETED_NO, "too many thread pools, or the ORB stops");
    id = next_id_++;
  }
  auto made = std::make_shared<Threadpool>(core_, id, terms);  // without the lock: it starts threads
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) orb::raise<CORBA::NO_RESOURCES>(kTooManyPools, CORBA::COMPLETED_NO, "the ORB stops");
    pools_.emplace(id, std::move(made));
  }
  lanes_changed();
  return id;
}

bool ThreadpoolSet::destroy(std::uint32_t id) {
  std::shared_ptr<Threadpool> pool;
  {
    const std::lock_guard lock(mutex_);
    const auto found = pools_.find(id);
    if (found == pools_.end()) return false;
    if (found->second.use_count() > 1)
      orb::raise<CORBA::BAD_INV_ORDER>(kPoolInUse, CORBA::COMPLETED_NO, "an object adapter has that thread pool");
    if (found->second->lane_of_this_thread())
      orb::raise<CORBA::BAD_INV_ORDER>(kPoolInUse, CORBA::COMPLETED_NO, "a thread of the pool would destroy it");
    pool = std::move(found->second);
    pools_.erase(found);
  }
  lanes_changed();
  return true;  // the pool ends here, outside the lock
}

const ThreadpoolTerms* ThreadpoolSet::terms(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : &found->second->terms();
}

std::shared_ptr<Threadpool> ThreadpoolSet::find(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : found->second;
}

void ThreadpoolSet::lanes_changed() {
  const std::lock_guard lock(mutex_);
  std::list<orb::EndpointAddress> all = core_.server().published();
  for (const auto& [id, pool] : pools_) all.splice(all.end(), pool->all_addresses());
  core_.endpoints().set_own(all);  // nobody reads the list before any more
  own_.swap(all);
  core_.endpoints().set_own(own_);
}

std::shared_ptr<orb::Endpoint> ThreadpoolSet::endpoint(const orb::EndpointIdentity& identity, std::uint64_t group) {
  constexpr std::size_t kMost = 4096;
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<orb::Endpoint>> dropped;  // closed outside the lock
  const std::lock_guard lock(mutex_);
  auto& place = endpoints_[{identity.text(), group}];
  if (!place) {
    const orb::Options& options = core_.options();
    place = std::make_shared<orb::Endpoint>(identity, options.limits, options.fragment_bytes, nullptr,
                                            orb::Sharing{false, 0, core_.endpoints().spin()}, nullptr);
  }
  const std::shared_ptr<orb::Endpoint> found = place;
  if (endpoints_.size() <= kMost) return found;
  for (auto e = endpoints_.begin(); e != endpoints_.end();) {
    const auto next = std::next(e);
    if (e->second.use_count() == 1) dropped.insert(endpoints_.extract(e));
    e = next;
  }
  return found;
}

const orb::Transport& ThreadpoolSet::configured(const orb::Transport& of, const ProtocolTerms& terms,
                                                std::optional<CodePoint> code_point, std::uint64_t& number) {
  const std::lock_guard lock(mutex_);
  number = 0;
  for (const ConfiguredTransport& t : configured_) {
    ++number;
    if (t.is(of, terms, code_point)) return t;
  }
  ++number;
  return configured_.emplace_back(of, terms, code_point);
}

void ThreadpoolSet::stop() {
  std::vector<std::shared_ptr<Threadpool>> all;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [id, pool] : pools_) all.push_back(pool);
  }
  for (const auto& pool : all) pool->stop();
}

void ThreadpoolSet::end() {
  std::vector<std::shared_ptr<Threadpool>> all;
  decltype(endpoints_) endpoints;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, pool] : pools_) all.push_back(pool);
    endpoints.swap(endpoints_);
    core_.endpoints().set_own(core_.server().published());
  }
  for (const auto& pool : all) pool->wait();
  for (const auto& [name, endpoint] : endpoints) endpoint->close_idle(true);
}

}  // namespace callis::rt
