// SPDX-License-Identifier: Apache-2.0
// Threadpool: the threads that the requests of some adapters have to themselves (RT-CORBA 1.2, 2.8), by lanes.
//
//   with lanes      as many as it was made with, each of one priority, all made with the pool
//   without lanes   one for each priority that requests have had, or for each band of priorities, at most
//                   kMostPriorities; the first for the default priority. Together they execute as many upcalls as the
//                   pool has threads (permits.h)
//
// Static threads are made with their lane, dynamic ones when all others of it are busy (lane_growth.h).
//
// Why threads for each priority also where the pool has no lanes: a thread that reads for all priorities reads a
// request of high priority behind what it is at, and executes it behind what it has read. So each priority has an
// address of its own (lane.h), and clients come to it, by themselves (steering.h) or by a LOCATION_FORWARD.
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

  // Makes all lanes, or raises: NO_RESOURCES with words.
  Threadpool(orb::Core& core, std::uint32_t id, const ThreadpoolTerms& terms);
  ~Threadpool();
  Threadpool(const Threadpool&) = delete;
  Threadpool& operator=(const Threadpool&) = delete;

  std::uint32_t id() const { return id_; }
  const ThreadpoolTerms& terms() const { return terms_; }
  Permits* permits() const { return permits_.get(); }
  // Of the addresses of its lanes.
  ServerProtocols& server_protocols() { return server_protocols_; }

  // The lane for requests of that priority (lane_for()), of an adapter with these bands. Without lanes a priority
  // that is new gets its lane now; the nearest one where that cannot be had. After the first lane that cannot be had
  // the pool does not try again.
  PoolLane& lane(std::int16_t priority, std::span<const Band> bands);
  // The one whose thread calls this; nullptr for none.
  const PoolLane* lane_of_this_thread() const;
  // All that there are, ascending; what clients are told.
  std::vector<LaneAddress> addresses() const;
  // All transports'.
  std::list<orb::EndpointAddress> all_addresses() const;

  void stop();
  void wait();

 private:
  // Of a lane: from the beginning, and at most.
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
  // Whether further priorities get lanes. Where they do not, no request takes the mutex.
  std::atomic<bool> grows_;
  MutexWithInheritance making_;       // one lane at a time
  // Only appended to, and read without a lock.
  std::array<std::unique_ptr<PoolLane>, kMostLanes> lanes_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace callis::rt
