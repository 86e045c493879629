// SPDX-License-Identifier: Apache-2.0
// Threadpools: the thread pools of one ORB, as RTORB and the policies of adapters see them.
#pragma once
#include <callis/idl/RTCORBA.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace callis::orb {
class Core;
}

namespace callis::rt {

struct LaneTerms {
  RTCORBA::Priority priority;
  std::uint32_t static_threads, dynamic_threads;
};

// The arguments that a pool was made with. RTORB has checked them: priorities are valid, there are lanes, which
// differ and are sorted by priority, the least first, and a lane has a thread.
struct ThreadpoolTerms {
  std::size_t stack_bytes = 0;  // of each thread; 0: as the system gives
  bool with_lanes = false;
  RTCORBA::Priority default_priority = 0;
  std::vector<LaneTerms> lanes;  // without lanes: one, of default_priority
  bool borrowing = false, buffering = false;
  std::uint32_t max_buffered_requests = 0;  // 0: no limit
  std::size_t max_buffered_bytes = 0;       // 0: no limit
};

// Any thread.
class Threadpools {
 public:
  virtual ~Threadpools() = default;
  // Returns the pool's id, which is never 0. Raises NO_RESOURCES if there are no threads or no memory for the pool,
  // DATA_CONVERSION or NO_PERMISSION if the threads cannot have their priorities.
  virtual std::uint32_t create(const ThreadpoolTerms& terms) = 0;
  // Stops the pool's threads. Returns false if there is no such pool.
  virtual bool destroy(std::uint32_t id) = 0;
  // Valid until the pool is destroyed; nullptr for none.
  virtual const ThreadpoolTerms* terms(std::uint32_t id) = 0;

  // Returns the ORB's thread pools, which are made at the first use. They are kept until the ORB's shutdown, and
  // destroyed when no upcall is running any more. Raises NO_IMPLEMENT if the program has no maker of thread pools.
  static Threadpools& of(orb::Core& core);
  using Maker = std::unique_ptr<Threadpools> (*)(orb::Core& core);
  static void set_maker(Maker maker);
  static Maker maker();
};

}  // namespace callis::rt
