// SPDX-License-Identifier: Apache-2.0
// A request of a real-time adapter, before its servant and after: its priority, its lane, its permit.
#include <callis/base/log.h>
#include <callis/giop/request.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/rt/adapters/adapter_policies.h>
#include <callis/rt/adapters/lane_dispatch.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/priorities/native_scope.h>
#include <callis/rt/priorities/priorities.h>
#include <callis/rt/priorities/priority_context.h>
#include <cstring>
#include <memory>
#include <new>

namespace callis::rt {
namespace {

// The changes that a request has made to its thread, and must undo.
struct Entry {
  LaneGrowth* growth = nullptr;  // nullptr: no lane counts its requests
  Permits* permits = nullptr;    // nullptr: no permit is held
  Permits::Held held;
  bool sets_priority = false;
  std::optional<RTCORBA::Priority> outer_priority;
  bool sets_native = false;
  NativeScope outer_native;
};

// Sets the priority also if the thread seems to have it: other threads have changed it.
int set_native_again(int native) {
  forget_native();
  return set_native(native);
}

// The requests that the thread is in: calls within the ORB nest. Requests beyond kDepth run as they come.
constexpr std::size_t kDepth = 16;
struct Stack {
  std::size_t depth = 0;
  Entry entries[kDepth];
};
// Made at a thread's first request.
constinit thread_local Stack* t_stack __attribute__((tls_model("initial-exec"))) = nullptr;
[[gnu::cold, gnu::noinline]] Stack* make_stack() {
  static thread_local const std::unique_ptr<Stack> mine(new (std::nothrow) Stack);
  return t_stack = mine.get();
}

// Returns whether this thread is in a request of that pool already: the thread would wait for itself.
bool holds_permit_of(const Threadpool& pool) {
  for (std::size_t i = 0; i < t_stack->depth; ++i)
    if (t_stack->entries[i].permits == pool.permits()) return true;
  return false;
}

// Finds the priority of the request, and checks it. Returns false if the request has been answered.
bool priority_of(orb::ServerRequest& request, poa::Adapter& adapter, const AdapterPolicies& terms,
                 std::int16_t& priority) {
  priority = terms.declared_priority(request.object_key());
  if (!terms.propagates()) return true;
  const giop::RequestHeader* const header = request.header();
  const giop::ServiceContext* const said =
      header && !header->contexts.empty() ? header->contexts.find(giop::kRtCorbaPriorityContext) : nullptr;
  if (said) {
    const auto claimed = parse_priority_context(said->data);
    if (!claimed || *claimed < 0) {
      request.system_exception(CORBA::BAD_PARAM(kBadPriorityContext, CORBA::COMPLETED_NO));
      return false;
    }
    priority = std::min(*claimed, terms.orb().most_propagated());
  } else if (!request.client()) {  // a call from within: the priority is the thread's
    priority = thread_priority().value_or(priority);
  }
  if (!terms.orb().transformer().any()) return true;
  PortableServer::ObjectId id;
  const ByteView bytes = adapter.id_in(request.object_key());
  id.length(static_cast<CORBA::ULong>(bytes.size()));
  std::memcpy(id.get_buffer(), bytes.data(), bytes.size());
  if (terms.orb().transformer().inbound(priority, id)) return true;
  request.system_exception(CORBA::UNKNOWN(kNotTransformed, CORBA::COMPLETED_NO));
  return false;
}

// Finds the request's lane and waits for a permit. Returns false if the request has been answered.
bool enter_lane(orb::ServerRequest& request, const poa::Target& target, const AdapterPolicies& terms,
                Threadpool& pool, std::int16_t priority, Entry& entry, bool& has_priority) {
  const PoolLane& lane = pool.lane(priority, terms.policies().bands);
  const bool here = lane.lane->has_this_thread();
  // A lane's threads have its priority; those of a band, or of the nearest priority there is, take the request's.
  has_priority = here && (pool.terms().with_lanes || lane.lane->priority() == priority);
  if (!here) {
    if (!request.client() || !request.response_expected() || lane.lane->addresses().empty()) return true;
    orb::OrbContext& orb = *orb::orb_of(request.arguments());
    const char* const type = target.skeleton ? target.skeleton->repository_ids[0] : "";
    // The key that the client has: with its seal, if there is one.
    const giop::RequestHeader* const header = request.header();
    const ByteView key = header && header->target.has_key ? header->target.object_key : request.object_key();
    request.location_forward(terms.reference(orb, type, key, lane.lane->addresses()));
    return false;
  }
  if (LaneGrowth* const growth = lane.lane->growth(); growth && t_stack->depth == 0) {
    growth->begins();
    entry.growth = growth;
  }
  if (!lane.permits || holds_permit_of(pool)) return true;
  if (!pool.permits()->enter(*lane.permits, entry.held, request.arguments().remaining())) {
    request.system_exception(CORBA::TRANSIENT(kLaneExhausted, CORBA::COMPLETED_NO));
    return false;
  }
  entry.permits = pool.permits();
  return true;
}

// Takes the request's thread to its priority. Returns false if the request has been answered.
bool enter(orb::ServerRequest& request, const poa::Target& target, poa::Adapter& adapter,
           const AdapterPolicies& terms, Entry& entry) {
  std::int16_t priority = 0;
  if (!priority_of(request, adapter, terms, priority)) return false;
  const auto cannot_be_had = [&request] {
    request.system_exception(CORBA::DATA_CONVERSION(kNotMapped, CORBA::COMPLETED_NO));
    return false;
  };
  const bool native = terms.policies().model && terms.orb().native();
  const std::optional<int> wanted = native ? terms.orb().mapper().to_native(priority) : std::nullopt;
  if (native && !wanted) return cannot_be_had();
  bool has_priority = false;
  if (terms.pool() && !enter_lane(request, target, terms, *terms.pool(), priority, entry, has_priority)) return false;
  if (!terms.policies().model) return true;
  if (native && !has_priority) {
    if (!entry.outer_native.enter(*wanted)) {
      if (entry.permits) (void)entry.permits->leave(entry.held);
      return cannot_be_had();
    }
    entry.sets_native = true;
  }
  entry.sets_priority = true;
  entry.outer_priority = thread_priority();
  set_thread_priority(priority);
  return true;
}

// The request has been answered.
bool refused(Entry& entry) {
  if (entry.growth) entry.growth->ends();
  return false;
}

[[gnu::hot]] bool found(orb::ServerRequest& request, poa::Target& target, poa::Adapter& adapter,
                        const poa::SkeletonOperation*&) {
  Stack* const stack = t_stack ? t_stack : make_stack();
  if (!stack) {
    request.system_exception(CORBA::NO_MEMORY(orb::own(Fault::OutOfMemory), CORBA::COMPLETED_NO));
    return false;
  }
  const AdapterPolicies* const terms = AdapterPolicies::of(adapter);
  if (stack->depth < kDepth) {
    Entry& entry = stack->entries[stack->depth] = {};
    try {
      if (terms && !enter(request, target, adapter, *terms, entry)) return refused(entry);
    } catch (const CORBA::SystemException& e) {
      request.system_exception(e);
      return refused(entry);
    }
  }
  ++stack->depth;
  return true;
}

[[gnu::hot]] void left(orb::ServerRequest&) {
  if (--t_stack->depth >= kDepth) return;
  Entry& entry = t_stack->entries[t_stack->depth];
  // The permit first: a thread that holds one must not be put off by its own lower priority.
  const bool raised = entry.permits && entry.permits->leave(entry.held);
  if (entry.sets_native) entry.outer_native.leave();
  else if (raised) (void)set_native_again(entry.held.of->native());
  if (entry.sets_priority) set_thread_priority(entry.outer_priority);
  if (entry.growth) entry.growth->ends();
}

constinit poa::TargetWatch target_watch = {&found, &left};

}  // namespace

void watch_requests() { poa::add_target_watch(target_watch); }

}  // namespace callis::rt
