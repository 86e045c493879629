// SPDX-License-Identifier: Apache-2.0
// RealTimeOrb: what an ORB has of real time: its options, what the process may do, mapping, transform, mutexes, and
// priorities of objects. Made with each ORB of a program that includes callis/rt.h; counted, any thread.
#pragma once
#include <callis/orb/base/counted.h>
#include <callis/rt/base/option_list.h>
#include <callis/rt/core/threadpools.h>
#include <callis/rt/priorities/network_mappings.h>
#include <callis/rt/priorities/object_priorities.h>
#include <callis/rt/priorities/permissions.h>
#include <callis/rt/priorities/priorities.h>
#include <callis/rt/protocols/server_protocols.h>
#include <atomic>
#include <mutex>

namespace callis::orb {
class OrbContext;
}

namespace callis::rt {

class RealTimeOrb final {
 public:
  // Of that ORB, made if need be, with the options given. BAD_INV_ORDER, OMG minor 4, after its shutdown. Takes a
  // lock: keep the result.
  static orb::Counted<RealTimeOrb> of(orb::OrbContext& orb, const RealTimeOptions& options = {});
  // The same, nullptr where there is none.
  static orb::Counted<RealTimeOrb> find(const orb::OrbContext& orb) noexcept;

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  const RealTimeOptions& options() const { return options_; }
  RealTimeMode mode() const { return options_.mode; }
  // Whether threads get native priorities: the process may, and the mode is not off.
  bool native() const { return native_; }
  // Of peers' RTCorbaPriority contexts: what is above counts as this.
  RTCORBA::Priority most_propagated() const { return static_cast<RTCORBA::Priority>(options_.most_propagated); }

  // The first of so many TCP ports for a lane, by -ORBLanePort; 0: any. NO_RESOURCES when none are left.
  std::uint16_t lane_ports(std::uint32_t n);

  const PriorityMapper& mapper() const { return mapper_; }
  PriorityMapper& mapper() { return mapper_; }
  PriorityTransformer& transformer() { return transformer_; }
  const NetworkPriorityMapper& network_mapper() const { return network_mapper_; }
  NetworkPriorityMapper& network_mapper() { return network_mapper_; }
  ObjectPriorities& object_priorities() { return object_priorities_; }
  // Of the ORB's own addresses; those of pools have their own.
  ServerProtocols& server_protocols() { return server_protocols_; }
  // Threadpools::of().
  Threadpools& threadpools();

  // The application uses real time of this ORB: threads no longer look for messages in a loop on the connections that
  // are made from now on, for an urgent thread that only looks keeps all others waiting. With -ORBSpin they go on.
  void use();

  // Gives the calling thread that priority, the CORBA one and, where native(), that of the operating system.
  // BAD_PARAM for what is no priority, DATA_CONVERSION where the mapping has none for it, NO_PERMISSION where the
  // system refuses it, with words. On failure nothing has changed.
  void run_at(RTCORBA::Priority priority);
  // The same without exceptions: 0, or ERANGE, EDOM (the mapping), or the errno of the system.
  [[nodiscard]] int try_run_at(RTCORBA::Priority priority) noexcept;
  // What is wrong, for people, after try_run_at() of that priority returned that.
  std::string words_for(RTCORBA::Priority priority, int error) const;

  struct Parts;

 private:
  friend struct Parts;

  RealTimeOrb(orb::OrbContext& orb, const RealTimeOptions& options);
  ~RealTimeOrb();
  void end();  // with the ORB's shutdown: without a lock

  orb::OrbContext* const orb_;  // not counted: as long as it is in the list
  const RealTimeOptions options_;
  const bool native_;
  PriorityMapper mapper_;
  PriorityTransformer transformer_;
  NetworkPriorityMapper network_mapper_;
  ObjectPriorities object_priorities_;
  ServerProtocols server_protocols_;
  std::atomic<std::uint32_t> lane_ports_{0};  // taken
  std::mutex pools_mutex_;
  std::unique_ptr<Threadpools> pools_;
  bool ended_ = false;
  std::atomic<std::uint32_t> count_{1};
  RealTimeOrb* next_ = nullptr;
};

// Looks at what the process may do, and says what it may not: raises INITIALIZE where -ORBRealTime is required,
// otherwise logs a warning, each once for Told. Locks the memory as -ORBLockMemory asks. For an ORB that is being
// made.
struct Told {
  std::atomic<bool> of_priorities{false}, of_memory{false};
};
void prepare(const RealTimeOptions& options, const FifoPermission& permission, Told& told);
void prepare(const RealTimeOptions& options);  // as the process is

// Of the process, once: connections that ORBs accept have the properties of their protocol policies.
void configure_accepted_streams();

}  // namespace callis::rt
