// SPDX-License-Identifier: Apache-2.0
// The real-time part of each ORB: made with it, found by it, let go with its shutdown.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/accepted_stream.h>
#include <callis/orb/core/core.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/server/server.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/priorities/mappings.h>
#include <cerrno>
#include <cstring>

namespace callis::rt {

// The list of all real-time parts, by their ORBs. An entry is in the list from the ORB's beginning to the end of its
// shutdown. The list has one count of each.
struct RealTimeOrb::Parts {
  std::mutex mutex;
  RealTimeOrb* first = nullptr;

  static Parts& all() {
    static Parts* const parts = new Parts;  // never destroyed: ORBs may outlive static objects
    return *parts;
  }
  // The caller holds the lock.
  RealTimeOrb* find(const orb::OrbContext& orb) const {
    RealTimeOrb* at = first;
    while (at && at->orb_ != &orb) at = at->next_;
    return at;
  }
  // The caller holds the lock. The new part has a count for the list.
  RealTimeOrb& add(orb::OrbContext& orb, const RealTimeOptions& options) {
    auto* const made = new RealTimeOrb(orb, options);
    made->next_ = std::exchange(first, made);
    return *made;
  }
  void remove(RealTimeOrb& one) {
    {
      const std::lock_guard lock(mutex);
      RealTimeOrb** at = &first;
      while (*at != &one) at = &(*at)->next_;
      *at = one.next_;
    }
    one.end();
    one.release();
  }

  // Takes it out of the list when the ORB's shutdown comes to its end.
  class Entry final : public orb::OrbPart {
   public:
    explicit Entry(RealTimeOrb& one) : one_(one) {}
    ~Entry() override {
      if (!ended_) all().remove(one_);
    }
    void stop() override {}
    void end() override {
      ended_ = true;
      all().remove(one_);
    }

   private:
    RealTimeOrb& one_;
    bool ended_ = false;
  };
};

namespace {

// Looked at once: what the process may do is the same for all its ORBs.
const FifoPermission& permission() {
  static const FifoPermission looked = FifoPermission::look();
  return looked;
}

}  // namespace

RealTimeOrb::RealTimeOrb(orb::OrbContext& orb, const RealTimeOptions& options)
    : orb_(&orb),
      options_(options),
      native_(options_.mode != RealTimeMode::Off && permission().granted()),
      mapper_(make_mapping(static_cast<MappingKind>(options_.mapping), NativeRange::of_fifo())),
      network_mapper_(make_network_mapping(static_cast<NetworkMappingKind>(options_.network_mapping), mapper_,
                                           NativeRange::of_fifo())) {}

RealTimeOrb::~RealTimeOrb() = default;

void RealTimeOrb::end() {
  std::unique_ptr<Threadpools> pools;
  const std::lock_guard lock(pools_mutex_);
  ended_ = true;
  pools = std::move(pools_);
}

orb::Counted<RealTimeOrb> RealTimeOrb::find(const orb::OrbContext& orb) noexcept {
  Parts& parts = Parts::all();
  const std::lock_guard lock(parts.mutex);
  return orb::Counted<RealTimeOrb>(parts.find(orb));
}

orb::Counted<RealTimeOrb> RealTimeOrb::of(orb::OrbContext& orb, const RealTimeOptions& options) {
  if (orb::Counted<RealTimeOrb> known = find(orb)) return known;
  orb.check_running();
  Parts& parts = Parts::all();
  orb::Counted<RealTimeOrb> made;
  {
    const std::lock_guard lock(parts.mutex);
    if (RealTimeOrb* const known = parts.find(orb)) return orb::Counted<RealTimeOrb>(known);
    made = orb::Counted<RealTimeOrb>(&parts.add(orb, options));
  }
  orb.add(std::make_unique<Parts::Entry>(*made));
  return made;
}

void RealTimeOrb::use() {
  if (options_.spin_said) return;
  orb_->endpoints().stop_spinning();
  orb_->server().stop_spinning();
}

std::uint16_t RealTimeOrb::lane_ports(std::uint32_t n) {
  if (options_.lane_port == 0) return 0;
  const std::uint32_t first = options_.lane_port + lane_ports_.fetch_add(n, std::memory_order_relaxed);
  if (first + n > 65536)
    raise<CORBA::NO_RESOURCES>(kNoLane, CORBA::COMPLETED_NO, "no ports are left behind -ORBLanePort for a lane");
  return static_cast<std::uint16_t>(first);
}

Threadpools& RealTimeOrb::threadpools() {
  const std::lock_guard lock(pools_mutex_);
  if (ended_) raise<CORBA::BAD_INV_ORDER>(orb::omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  if (pools_) return *pools_;
  const Threadpools::Maker make = Threadpools::maker();
  if (!make) raise<CORBA::NO_IMPLEMENT>(kNoPools, CORBA::COMPLETED_NO, "this program has no thread pools");
  pools_ = make(orb::Core::of(*orb_));
  return *pools_;
}

int RealTimeOrb::try_run_at(RTCORBA::Priority priority) noexcept {
  if (priority < RTCORBA::minPriority) return ERANGE;
  const std::optional<int> native = mapper_.to_native(priority);
  if (!native) return EDOM;
  if (native_)
    if (const int error = set_native(*native)) return error;
  set_thread_priority(priority);
  return 0;
}

std::string RealTimeOrb::words_for(RTCORBA::Priority priority, int error) const {
  const std::string p = priority < 0 ? concat({"-", Decimal(static_cast<std::uint64_t>(-priority))})
                                     : std::string(Decimal(static_cast<std::uint64_t>(priority)));
  if (error == ERANGE) return concat({"priority ", p, " is not in 0 to 32767"});
  const std::optional<int> native = mapper_.to_native(priority);
  if (error == EDOM || !native) return concat({"the priority mapping has no native priority for ", p});
  const std::string n(Decimal(static_cast<std::uint64_t>(*native)));
  const FifoPermission& may = permission();
  if (error == EINVAL) return concat({"priority ", p, " is mapped to ", n, ", which SCHED_FIFO has not got"});
  return concat({"priority ", p, ", of SCHED_FIFO ", n, ": ", std::strerror(error),
                 ". The process has ", may.capable ? "" : "not ", "CAP_SYS_NICE, and its RLIMIT_RTPRIO is ",
                 Decimal(static_cast<std::uint64_t>(may.most))});
}

void RealTimeOrb::run_at(RTCORBA::Priority priority) {
  const int error = try_run_at(priority);
  if (error == 0) return;
  const std::string words = words_for(priority, error);
  if (error == ERANGE) raise<CORBA::BAD_PARAM>(kBadPriority, CORBA::COMPLETED_NO, words);
  if (error == EDOM || error == EINVAL) raise<CORBA::DATA_CONVERSION>(kUnmapped, CORBA::COMPLETED_NO, words);
  raise<CORBA::NO_PERMISSION>(kRefused, CORBA::COMPLETED_NO, words);
}

void prepare(const RealTimeOptions& options, const FifoPermission& permission, Told& told) {
  const bool required = options.mode == RealTimeMode::Required;
  const auto tell = [required](const std::string& words, std::atomic<bool>& told_before) {
    if (words.empty()) return;
    if (required) {
      const std::string why = concat({words, ". -ORBRealTime is required"});
      log(LogLevel::Error, why);
      raise<CORBA::INITIALIZE>(kNoRealTime, CORBA::COMPLETED_NO, why);
    }
    if (!told_before.exchange(true)) log(LogLevel::Warning, {"real time: ", words});
  };
  if (options.mode != RealTimeMode::Off) tell(permission.words(), told.of_priorities);
  if (options.lock_memory) tell(lock_memory(), told.of_memory);
}

void prepare(const RealTimeOptions& options) {
  static constinit Told told;
  static const FifoPermission unasked;
  prepare(options, options.mode == RealTimeMode::Off ? unasked : permission(), told);
}

void configure_accepted_streams() {
  orb::accepted_stream.store(
      [](orb::OrbContext& orb, transport::Stream& stream) {
        if (const orb::Counted<RealTimeOrb> real_time = RealTimeOrb::find(orb))
          real_time->server_protocols().configure(stream, real_time->network_mapper());
      },
      std::memory_order_relaxed);
}

}  // namespace callis::rt
