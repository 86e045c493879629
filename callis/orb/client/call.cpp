// SPDX-License-Identifier: Apache-2.0
// A plain call in one stroke: an idle connection of the path that worked last, a header that has been sent before,
// everything sent at once, a plain reply. Any other call goes on as an Invocation.
#include <callis/base/blocking_scope.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/call_faults.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/complete.h>
#include <callis/orb/client/own_call.h>
#include <callis/orb/client/request_kind.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>

namespace callis::orb {
namespace {

using Connection = std::unique_ptr<ClientConnection>;

// Shorter limits than this are measured by the precise clock.
constexpr Duration kPreciseBelow{1'000};

struct Times {
  TimePoint now;
  Deadline deadline;
};

Times times_of_call(Duration limit) {
  if (limit.count() >= kPreciseBelow.count()) [[likely]] {
    const TimePoint now = Clock::coarse();
    return {now, Deadline::at(now + limit)};
  }
  const TimePoint now = Clock::steady().now();
  return {now, limit.count() > 0 ? Deadline::at(now + limit) : Deadline()};
}

// Makes a call to an object of the own ORB, where no policy is set. Returns false when the call has to go as a
// message.
bool call_collocated(Reference& target, const CallOperation& operation, CallBody& body) {
  const Path* const own = target.collocated_path();
  return own && target.orb().own_calls_are_plain() && !t_call_policies &&
         call_through_adapter(target, *own, operation, body);
}

// Where a plain call goes: by `to`, which is the target itself or what it was forwarded to.
struct Way {
  Reference& target;
  Reference& to;

  bool is_forward() const { return &target != &to; }
};

[[gnu::cold, gnu::noinline]] void call_in_full(const Way& way, const CallOperation& operation, CallBody& body,
                                                 const Times& t, Connection c, const Path* path) {
  Reference& target = way.target;
  target.orb().check_running();
  if (const SteeringCalls* const s = path ? nullptr : steering(); s && s->call(target, operation, body)) return;
  if (!path && call_collocated(target, operation, body)) return;
  Invocation invocation(target, operation, body, t.now, t.deadline);
  if (c) invocation.use(way.to, std::move(c), *path);
  complete(invocation);
}

// The request with that id has been handed to send().
struct Sent {
  std::uint32_t id;
  transport::Transfer transfer;
};
[[gnu::cold, gnu::noinline]] void go_on_in_full(const Way& way, const CallOperation& operation, CallBody& body,
                                                  const Times& t, Connection c, const Path& path, const Sent& sent) {
  Invocation invocation(way.target, operation, body, t.now, t.deadline);
  invocation.resume(way.to, std::move(c), path, sent.id);
  invocation.sent(sent.transfer);
  complete(invocation);
}

void call_plainly(const Way& way, const CallOperation& operation, CallBody& body);

// There is no plain path: by what steers the calls, or by the forward's path, if there is one.
[[gnu::hot, gnu::noinline]] void call_elsewhere(const Way& way, const CallOperation& operation, CallBody& body,
                                                  const Times& t) {
  if (way.target.known_steering() && steering()->call(way.target, operation, body)) return;
  const ReferencePtr forward = way.is_forward() ? ReferencePtr() : way.target.plain_forward();
  if (forward) return call_plainly({way.target, *forward}, operation, body);
  call_in_full(way, operation, body, t, nullptr, nullptr);
}

// Connections stand at names, which may lead nearer than a peer may lead calls (Invocation::check_reach()).
bool reaches(const Reference& to, const ClientConnection& used) {
  return to.least_reach() == transport::Reach::Process || used.peer_identity().reach >= to.least_reach();
}

[[gnu::hot]] void call_plainly(const Way& way, const CallOperation& operation, CallBody& body) {
  Reference& target = way.to;
  OrbContext& orb = target.orb();
  Times t = times_of_call(orb.limits().call_timeout);
  if (!orb.calls_are_plain() || t_call_policies) [[unlikely]]
    return call_in_full(way, operation, body, t, nullptr, nullptr);
  const Path* const path = target.plain_path();
  if (!path) return call_elsewhere(way, operation, body, t);
  Connection c = path->endpoint->checkout(t.now);
  if (!c) [[unlikely]] return call_in_full(way, operation, body, t, nullptr, nullptr);
  ClientConnection& used = *c;
  Buffer& b = used.request();
  const giop::Started* const started =
      used.templates().put(kind_of(target, *path, operation.identity), b);
  if (!started || !reaches(target, used)) [[unlikely]]
    return call_in_full(way, operation, body, t, std::move(c), path);

  const std::uint32_t id = used.next_id();
  store(b.data() + started->request_id_at, id);
  Fault f;
  {
    cdr::Encoder e(b);
    e.set_gather(used.gather());
    e.set_wide(path->wide);
    body.encode(e);
    f = giop::finish_message(e, *started);
  }
  if (f != Fault::None) [[unlikely]] {
    path->endpoint->checkin(std::move(c), t.now);
    bad_arguments(operation, f);
  }
  const transport::Transfer sent = operation.oneway ? used.send_oneway(t.deadline) : used.send(t.deadline);
  if (!sent.ok()) [[unlikely]] return go_on_in_full(way, operation, body, t, std::move(c), *path, {id, sent});
  if (sent.waited) [[unlikely]] t.now = Clock::steady().now();
  if (!operation.oneway || Invocation::is_answered(target, *path)) [[likely]] {
    used.reserved_for = 0;
    ByteView reply;
    bool plain;
    {
      const BlockingScope blocked;
      plain = used.receive_plain(id, t.deadline, t.now, reply);
    }
    if (!plain) [[unlikely]]
      return go_on_in_full(way, operation, body, t, std::move(c), *path, {id, sent});
    cdr::MessageBudget budget(orb.limits(), reply.size());
    cdr::Decoder d(reply, kNativeOrder, budget);
    d.set_context(orb.source(used.from()));
    if (!operation.oneway) [[likely]] body.decode(d);
    f = d.fault();
  } else {
    used.reserved_for = thread_number();
  }
  path->endpoint->checkin(std::move(c), t.now);
  if (f != Fault::None) [[unlikely]] bad_results(operation, f);
}

}  // namespace

[[gnu::hot]] void call(Reference& target, const CallOperation& operation, CallBody& body) {
  try {
    call_plainly({target, target}, operation, body);
  } catch (const std::bad_alloc&) {
    raise<CORBA::NO_MEMORY>(own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE);
  }
}

}  // namespace callis::orb
