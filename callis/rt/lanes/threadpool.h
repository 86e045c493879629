// SPDX-License-Identifier: Apache-2.0
// Threadpool: threads that serve only the requests of some adapters (RT-CORBA 1.2, 2.8), by lanes.
//
//   with lanes      as many as it was made with, each of one priority, all made with the pool
//   without lanes   one for each priority that requests have had, or for each band of priorities, at most
//                   kMostPriorities; the first for the default priority. Together they execute as many upcalls as the
//                   pool has threads (permits.h)
//
// Static threads are made with their lane, dynamic threads when all others of the lane are busy (lane_growth.h).
//
// Each priority has threads of its own also in a pool without lanes. A thread that read for all priorities would read
// and execute a request of high priority behind the requests that came first. So each priority has an address of its
// own (lane.h). Clients call this address by themselves (steering.h) or after a LOCATION_FORWARD.
//
// Any thread.
#pragma once
#include <callis/orb/base/counted.h>
#include <callis/rt/core/threadpools.h>
#include <callis/rt/lanes/lane.h>
#include <callis/rt/lanes/lane_addresses.h>
#include <callis/rt/lanes/permits.h>
#include <callis/rt/policies/policies.h>
#include <callis/rt/protocols/server_protocols.h>
#include <optional>

namespace callis::rt {

// A lane, and what its requests need to be executed.
struct PoolLane {
  std::unique_ptr<Lane> lane;
  Permits::Class* permits = nullptr;  // nullptr: every thread of the lane may execute a request
};

class Threadpool final {
 public:
  static constexpr std::size_t kMostPriorities = 16;  // without lanes

  // Makes all lanes, or raises NO_RESOURCES with words.
  Threadpool(orb::Core& core, std::uint32_t id, const ThreadpoolTerms& terms);
  ~Threadpool();
  Threadpool(const Threadpool&) = delete;
  Threadpool& operator=(const Threadpool&) = delete;

  std::uint32_t id() const { return id_; }
  const ThreadpoolTerms& terms() const { return terms_; }
  Permits* permits() const { return permits_.get(); }
  // The protocols of the addresses of its lanes.
  ServerProtocols& server_protocols() { return server_protocols_; }

  // Returns the lane for requests of that priority (lane_for()) to an adapter with these bands. In a pool without
  // lanes a new priority gets its lane now. If the lane cannot be made, the request gets the nearest lane, and the
  // pool makes no further lane.
  PoolLane& lane(std::int16_t priority, std::span<const Band> bands);
  // Returns the lane whose thread calls this; nullptr for none.
  const PoolLane* lane_of_this_thread() const;
  // Returns all addresses, ascending by priority, as clients are told.
  std::vector<LaneAddress> addresses() const;
  // Returns the addresses of all transports.
  std::list<orb::EndpointAddress> all_addresses() const;

  void stop();
  void wait();

 private:
  // How many threads a lane has from the beginning, and at most.
  struct LaneThreads {
    std::uint32_t first = 0, most = 0;
    void add(const LaneThreads& others) {
      first += others.first;
      most += others.most;
    }
  };

  PoolLane& add(std::int16_t priority, LaneThreads threads);
  PoolLane* nearest(std::int16_t priority) const;

  orb::Core& core_;
  const std::uint32_t id_;
  const ThreadpoolTerms terms_;
  ServerProtocols server_protocols_;
  std::unique_ptr<Permits> permits_;  // nullptr where each lane has its threads and no other limit
  // True if further priorities get lanes. If false, no request takes the mutex.
  std::atomic<bool> grows_;
  MutexWithInheritance making_;       // one lane at a time
  // Only appended to, and read without a lock.
  std::array<std::unique_ptr<PoolLane>, kMostLanes> lanes_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace callis::rt
