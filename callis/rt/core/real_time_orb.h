// SPDX-License-Identifier: Apache-2.0
// RealTimeOrb: the real-time part of an ORB: options, permissions of the process, mapping, transform, mutexes, and
// priorities of objects. Each ORB of a program that includes callis/rt.h has one. It is counted; any thread may call.
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
  // Returns the real-time part of that ORB; makes it with these options if there is none. Raises BAD_INV_ORDER, OMG
  // minor 4, after the ORB's shutdown. Takes a lock: keep the result.
  static orb::Counted<RealTimeOrb> of(orb::OrbContext& orb, const RealTimeOptions& options = {});
  // Returns the same, or nullptr if there is none.
  static orb::Counted<RealTimeOrb> find(const orb::OrbContext& orb) noexcept;

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  const RealTimeOptions& options() const { return options_; }
  RealTimeMode mode() const { return options_.mode; }
  // Returns whether threads get native priorities: the process has the right, and the mode is not off.
  bool native() const { return native_; }
  // A higher priority in a peer's RTCorbaPriority context counts as this one.
  RTCORBA::Priority most_propagated() const { return static_cast<RTCORBA::Priority>(options_.most_propagated); }

  // Returns the first of n TCP ports for a lane, by -ORBLanePort; 0: any. Raises NO_RESOURCES if none are left.
  std::uint16_t lane_ports(std::uint32_t n);

  const PriorityMapper& mapper() const { return mapper_; }
  PriorityMapper& mapper() { return mapper_; }
  PriorityTransformer& transformer() { return transformer_; }
  const NetworkPriorityMapper& network_mapper() const { return network_mapper_; }
  NetworkPriorityMapper& network_mapper() { return network_mapper_; }
  ObjectPriorities& object_priorities() { return object_priorities_; }
  // These are for the ORB's own addresses. Each thread pool has its own.
  ServerProtocols& server_protocols() { return server_protocols_; }
  // Threadpools::of().
  Threadpools& threadpools();

  // Called when the application uses real time of this ORB. On connections that are made from now on, threads no
  // longer look for messages in a loop: an urgent thread that only looks would keep all others waiting. With -ORBSpin
  // they go on.
  void use();

  // Gives the calling thread that CORBA priority and, if native(), the priority of the operating system. Raises
  // BAD_PARAM if the number is no priority, DATA_CONVERSION if the mapping has no native priority, NO_PERMISSION if
  // the system refuses, each with words. On failure nothing has changed.
  void run_at(RTCORBA::Priority priority);
  // Does the same without exceptions: returns 0, or ERANGE, EDOM (the mapping), or the errno of the system.
  [[nodiscard]] int try_run_at(RTCORBA::Priority priority) noexcept;
  // Returns words for people about an error that try_run_at() returned for that priority.
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

// Looks for rights that the process has not got. Raises INITIALIZE if -ORBRealTime is required, otherwise logs a
// warning, each once for Told. Locks the memory as -ORBLockMemory asks. Called for an ORB that is being made.
struct Told {
  std::atomic<bool> of_priorities{false}, of_memory{false};
};
void prepare(const RealTimeOptions& options, const FifoPermission& permission, Told& told);
void prepare(const RealTimeOptions& options);  // as the process is

// Called once in the process. Connections that ORBs accept then have the properties of their protocol policies.
void configure_accepted_streams();

}  // namespace callis::rt
