// SPDX-License-Identifier: Apache-2.0
// RTORB (Real-time CORBA 1.2, "Real-time ORB"): mutexes, thread pools and policies.
#include <callis/base/string_map.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/rt/api/initial.h>
#include <callis/rt/api/mutex.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/policies/policy_objects.h>
#include <callis/rt/protocols/protocols.h>
#include <limits.h>
#include <algorithm>
#include <mutex>

namespace callis::rt {
namespace {

using namespace RTCORBA;

constexpr std::size_t kMostNamedMutexes = 1024;
constexpr std::size_t kMostLanes = 1024;
constexpr std::uint64_t kMostThreads = 65536;  // of one pool

[[noreturn]] void bad_pool(std::string_view words) {
  raise<CORBA::BAD_PARAM>(kBadPool, CORBA::COMPLETED_NO, words);
}

// Any thread. The ORB holds it until destroy().
class RtOrb final : public RTORB {
 public:
  explicit RtOrb(orb::Core& core) : core_(&core) {}

  // --- Mutexes ---

  Mutex_ptr create_mutex() override {
    core_->check_running();
    return new RtMutex(this);
  }
  void destroy_mutex(Mutex_ptr mutex) override {
    auto* const mine = dynamic_cast<RtMutex*>(mutex);
    if (!mine || mine->owner() != this)
      raise<CORBA::BAD_PARAM>(kBadMutex, CORBA::COMPLETED_NO,
                              mutex ? "a mutex that another ORB has made" : "a nil mutex");
    Mutex_var named;  // let go outside the lock
    const std::lock_guard lock(mutex_);
    mine->end();
    Mutex_var* const known = mine->name().empty() ? nullptr : named_.find(mine->name());
    if (!known || known->in() != mutex) return;
    named = known->_retn();
    named_.erase(mine->name());
  }
  Mutex_ptr create_named_mutex(const char* name, CORBA::Boolean_out created) override {
    core_->check_running();
    const std::string text = checked(name);
    const std::lock_guard lock(mutex_);
    created = false;
    if (Mutex_var* const known = named_.find(text)) return Mutex::_duplicate(known->in());
    if (named_.size() == kMostNamedMutexes)
      raise<CORBA::NO_RESOURCES>(kTooManyMutexes, CORBA::COMPLETED_NO,
                                 "there are 1024 named mutexes, the most of an ORB");
    Mutex_var made = new RtMutex(this, text);
    named_.insert(text, made);
    created = true;
    return made._retn();
  }
  Mutex_ptr open_named_mutex(const char* name) override {
    core_->check_running();
    const std::string text = checked(name);
    const std::lock_guard lock(mutex_);
    Mutex_var* const known = named_.find(text);
    if (!known) throw RTORB::MutexNotFound();
    return Mutex::_duplicate(known->in());
  }

  // --- Thread pools ---

  ThreadpoolId create_threadpool(CORBA::ULong stacksize, CORBA::ULong static_threads, CORBA::ULong dynamic_threads,
                                 Priority default_priority, CORBA::Boolean allow_request_buffering,
                                 CORBA::ULong max_buffered_requests, CORBA::ULong max_request_buffer_size) override {
    ThreadpoolTerms terms;
    terms.default_priority = default_priority;
    terms.lanes.push_back({default_priority, static_threads, dynamic_threads});
    return create(terms, stacksize, allow_request_buffering, max_buffered_requests, max_request_buffer_size);
  }
  ThreadpoolId create_threadpool_with_lanes(CORBA::ULong stacksize, const ThreadpoolLanes& lanes,
                                            CORBA::Boolean allow_borrowing, CORBA::Boolean allow_request_buffering,
                                            CORBA::ULong max_buffered_requests,
                                            CORBA::ULong max_request_buffer_size) override {
    ThreadpoolTerms terms;
    terms.with_lanes = true;
    terms.borrowing = allow_borrowing;
    if (lanes.length() > kMostLanes) bad_pool("more than 1024 lanes");
    for (CORBA::ULong i = 0; i < lanes.length(); ++i)
      terms.lanes.push_back({lanes[i].lane_priority, lanes[i].static_threads, lanes[i].dynamic_threads});
    std::ranges::sort(terms.lanes, {}, &LaneTerms::priority);
    for (std::size_t i = 1; i < terms.lanes.size();) {  // lanes of one priority become one, with all threads
      LaneTerms& lane = terms.lanes[i - 1];
      const LaneTerms& next = terms.lanes[i];
      const bool fits = next.static_threads <= kMostThreads && lane.static_threads <= kMostThreads &&
                        next.dynamic_threads <= kMostThreads && lane.dynamic_threads <= kMostThreads;
      if (next.priority != lane.priority || !fits) {
        ++i;
        continue;
      }
      lane.static_threads += next.static_threads;
      lane.dynamic_threads += next.dynamic_threads;
      terms.lanes.erase(terms.lanes.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return create(terms, stacksize, allow_request_buffering, max_buffered_requests, max_request_buffer_size);
  }
  void destroy_threadpool(ThreadpoolId id) override {
    core_->check_running();
    if (!Threadpools::of(*core_).destroy(id)) throw RTORB::InvalidThreadpool();
  }

  // --- Policies ---

  PriorityModelPolicy_ptr create_priority_model_policy(PriorityModel model, Priority server_priority) override {
    return make_priority_model(model, server_priority);
  }
  ThreadpoolPolicy_ptr create_threadpool_policy(ThreadpoolId id) override {
    core_->check_running();
    if (id != 0 && !Threadpools::of(*core_).terms(id))  // 0: the default pool
      raise<CORBA::BAD_PARAM>(kBadRtPolicy, CORBA::COMPLETED_NO,
                              concat({"this ORB has no thread pool ", Decimal(id)}));
    return make_threadpool(id);
  }
  PriorityBandedConnectionPolicy_ptr create_priority_banded_connection_policy(const PriorityBands& bands) override {
    return make_bands(bands);
  }
  ServerProtocolPolicy_ptr create_server_protocol_policy(const ProtocolList& protocols) override {
    return make_server_protocols(protocols);
  }
  ClientProtocolPolicy_ptr create_client_protocol_policy(const ProtocolList& protocols) override {
    return make_client_protocols(protocols);
  }
  PrivateConnectionPolicy_ptr create_private_connection_policy() override { return make_private_connection(); }

  TCPProtocolProperties_ptr create_tcp_protocol_properties(CORBA::Long send, CORBA::Long receive,
                                                           CORBA::Boolean keep_alive, CORBA::Boolean dont_route,
                                                           CORBA::Boolean no_delay) override {
    return make_tcp_properties(send, receive, keep_alive, dont_route, no_delay);
  }
  UnixDomainProtocolProperties_ptr create_unix_domain_protocol_properties(CORBA::Long send,
                                                                          CORBA::Long receive) override {
    return make_unix_properties(send, receive);
  }
  SharedMemoryProtocolProperties_ptr create_shared_memory_protocol_properties(CORBA::Long size) override {
    return make_memory_properties(size);
  }

 private:
  static std::string checked(const char* name) {
    if (!name || !*name) raise<CORBA::BAD_PARAM>(kBadMutex, CORBA::COMPLETED_NO, "a mutex without a name");
    return name;
  }

  ThreadpoolId create(ThreadpoolTerms& terms, CORBA::ULong stacksize, bool buffering, CORBA::ULong requests,
                      CORBA::ULong bytes) {
    core_->check_running();
    if (stacksize != 0 && stacksize < static_cast<CORBA::ULong>(PTHREAD_STACK_MIN))
      bad_pool(concat({"a stack of ", Decimal(stacksize), " bytes: less than a thread needs; 0: the system's size"}));
    if (terms.lanes.empty()) bad_pool("a thread pool without lanes");
    std::uint64_t threads = 0;
    for (std::size_t i = 0; i < terms.lanes.size(); ++i) {
      const LaneTerms& lane = terms.lanes[i];
      const auto at = [&](std::string_view words) {
        bad_pool(concat({words, ", priority ", Decimal(static_cast<std::uint64_t>(lane.priority))}));
      };
      if (lane.priority < minPriority) bad_pool("a lane's priority that is not in 0 to 32767");
      const std::uint64_t mine = std::uint64_t{lane.static_threads} + lane.dynamic_threads;
      if (mine == 0) at("a lane without threads");
      threads += mine;
    }
    if (threads > kMostThreads) bad_pool("more than 65536 threads in a pool");
    terms.stack_bytes = stacksize;
    terms.buffering = buffering;
    terms.max_buffered_requests = requests;
    terms.max_buffered_bytes = bytes;
    return Threadpools::of(*core_).create(terms);
  }

  const orb::Counted<orb::Core> core_;
  std::mutex mutex_;
  StringMap<Mutex_var> named_;
};

}  // namespace

CORBA::Object_ptr make_rt_orb(orb::Core& core) {
  RealTimeOrb::of(core)->use();
  return new RtOrb(core);
}

}  // namespace callis::rt
