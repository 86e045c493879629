// SPDX-License-Identifier: Apache-2.0
// The usual call in one stroke: an idle connection of the path that worked last, a header that has been sent
// before, everything sent at once, a plain reply. Whatever turns out different goes on as an UnusualCall.
#include <callis/base/absence.h>
#include <callis/orb/call.h>
#include <callis/orb/call_terms.h>
#include <callis/orb/collocated.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/errors.h>
#include <callis/orb/unusual_call.h>

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

// Calls to the own ORB without policies. False: they go the way of messages.
bool call_collocated(Reference& target, const CallOperation& operation, CallBody& body) {
  const Path* const own = target.collocated_path();
  return own && target.core().own_calls_are_usual() && !t_call_policies && call_through_adapter(target, *own, operation, body);
}

[[gnu::cold, gnu::noinline]] void call_unusually(Reference& target, const CallOperation& operation, CallBody& body,
                                                 const Times& t, Connection c, const Path* path) {
  target.core().check_running();
  if (!path && call_collocated(target, operation, body)) return;
  UnusualCall(target, operation, body, t.now, t.deadline).run(std::move(c), path);
}

// The request with that id has been handed to send().
struct Sent {
  std::uint32_t id;
  transport::Transfer transfer;
};
[[gnu::cold, gnu::noinline]] void go_on_unusually(Reference& target, const CallOperation& operation, CallBody& body,
                                                  const Times& t, Connection c, const Path& path, const Sent& sent) {
  UnusualCall(target, operation, body, t.now, t.deadline).go_on(std::move(c), path, sent.id, sent.transfer);
}

void call_usually(Reference& target, const CallOperation& operation, CallBody& body) {
  Core& core = target.core();
  Times t = times_of_call(core.limits().call_timeout);
  if (!core.calls_are_usual() || t_call_policies) [[unlikely]]
    return call_unusually(target, operation, body, t, nullptr, nullptr);
  const Path* const path = target.usual_path();
  if (!path) [[unlikely]] return call_unusually(target, operation, body, t, nullptr, nullptr);
  Connection c = path->endpoint->checkout(t.now);
  if (!c) [[unlikely]] return call_unusually(target, operation, body, t, nullptr, nullptr);
  ClientConnection& used = *c;
  Buffer& b = used.request();
  const giop::Started* const started =
      used.templates().put(RequestTemplates::Kind::of(target, *path, operation.identity), b);
  if (!started) [[unlikely]] return call_unusually(target, operation, body, t, std::move(c), path);

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
    UnusualCall::bad_arguments(operation, f);
  }
  const transport::Transfer sent = operation.oneway ? used.send_oneway(t.deadline) : used.send(t.deadline);
  if (!sent.ok()) [[unlikely]] return go_on_unusually(target, operation, body, t, std::move(c), *path, {id, sent});
  if (sent.waited) [[unlikely]] t.now = Clock::steady().now();
  if (!operation.oneway || UnusualCall::is_answered(target, *path)) [[likely]] {
    used.reserved_for = 0;
    ByteView reply;
    bool usual;
    {
      const Absence absence;
      usual = used.receive_usual(id, t.deadline, t.now, reply);
    }
    if (!usual) [[unlikely]]
      return go_on_unusually(target, operation, body, t, std::move(c), *path, {id, sent});
    cdr::MessageBudget budget(core.limits(), reply.size());
    cdr::Decoder d(reply, kNativeOrder, budget);
    d.set_context(&core);
    if (!operation.oneway) [[likely]] body.decode(d);
    f = d.fault();
  } else {
    used.reserved_for = thread_number();
  }
  path->endpoint->checkin(std::move(c), t.now);
  if (f != Fault::None) [[unlikely]] UnusualCall::bad_results(operation, f);
}

}  // namespace

void call(Reference& target, const CallOperation& operation, CallBody& body) {
  try {
    call_usually(target, operation, body);
  } catch (const std::bad_alloc&) {
    raise<CORBA::NO_MEMORY>(own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE);
  }
}

}  // namespace callis::orb
