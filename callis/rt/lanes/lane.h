// SPDX-License-Identifier: Apache-2.0
// Lane: the threads of one priority, with an address of their own to be called at (RT-CORBA 1.2, 2.8).
//
//   listener ──→ "callis-accept" ──→ Pool: poller, threads from the beginning ("callis-lane")
//                "callis-grow"   ──→       and those that are added when all are busy (lane_growth.h)
//                     all of them at the lane's native priority
//
// One thread of the lane reads, executes and answers each request that comes to the address. Lanes share only the
// count of connections, which changes only when a connection opens or ends.
#pragma once
#include <callis/base/thread.h>
#include <callis/orb/options/transport.h>
#include <callis/rt/lanes/lane_growth.h>
#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace callis::orb {
class Core;
class Pool;
}

namespace callis::rt {

class NetworkPriorityMapper;
class ServerProtocols;

struct LaneOptions {
  std::int16_t priority = 0;      // RTCORBA::Priority
  int native = 0;                 // of SCHED_FIFO; 0: the threads are as the one that makes them
  std::uint32_t threads = 1;       // from the beginning
  std::uint32_t most_threads = 1;  // that there may be: one more is made when all are busy
  std::uint16_t port = 0;         // of TCP; further addresses take those behind it. 0: any
  std::size_t stack_bytes = 0;    // of each thread; 0: the system's default
  ServerProtocols* protocols = nullptr;  // of its connections; outlives the lane
  const NetworkPriorityMapper* network = nullptr;  // with protocols; outlives the lane
  std::string name;               // part of the path of a Unix-domain socket; different for each lane of the process
};

class Lane final {
 public:
  // Listens and starts all threads, or nothing. TransportFailed when descriptors, memory or threads are used up, or
  // when the process may not have threads of that priority; the text says which.
  static Result<std::unique_ptr<Lane>> open(orb::Core& core, const LaneOptions& options);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  std::int16_t priority() const { return options_.priority; }
  int native() const { return options_.native; }
  std::uint32_t threads() const { return growth_ ? growth_->threads() : options_.threads; }  // as many as there are
  // The growth is told of requests that the lane's threads execute. It is nullptr if the lane has all threads from
  // the beginning.
  LaneGrowth* growth() const { return growth_.get(); }
  // Clients call the lane at these addresses: by the transports of the ORB's endpoints, on ports and paths of its
  // own.
  const std::list<orb::EndpointAddress>& addresses() const { return addresses_; }
  // Returns whether the calling thread belongs to the lane.
  bool has_this_thread() const;

  // Takes no connections from now on; those that there are end in good order. Does not wait.
  void stop();
  // After stop(): until all threads have ended.
  void wait();

 private:
  class Attributes;

  Lane(orb::Core& core, const LaneOptions& options);
  Result<void> listen();
  Result<void> start();
  bool add_thread();
  void accept_loop(transport::Listener& listener);

  orb::Core& core_;
  const LaneOptions options_;
  std::list<orb::EndpointAddress> addresses_;
  std::list<std::unique_ptr<transport::Listener>> listeners_;
  std::list<Thread> acceptors_;
  std::unique_ptr<const Attributes> attributes_;  // of all threads
  std::unique_ptr<orb::Pool> pool_;
  std::unique_ptr<LaneGrowth> growth_;  // set before a connection is accepted
  std::atomic<bool> stopping_{false};
};

}  // namespace callis::rt
