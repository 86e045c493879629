// SPDX-License-Identifier: Apache-2.0
// A plain call in one stroke: an idle connection of the path that worked last, a header that has been sent before,
// everything sent at once, a plain reply. Any other call goes on as an Invocation. Private to call.cpp and
// flat_call.cpp, which differ in writing arguments and reading results:
//
//   Fault put(ClientConnection& used, const Path& path, Buffer& request, const giop::Started& started, bool again)
//     (again: the last request was the same call of GIOP 1.2, and only its id has changed)
//   Fault get(OrbContext& orb, ClientConnection& used, ByteView reply, const CallOperation& operation)
#pragma once
#include <callis/base/blocking_scope.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>

namespace callis::orb {

using Connection = std::unique_ptr<ClientConnection>;

struct Times {
  TimePoint now;
  Deadline deadline;
};

inline Times times_of_call(Duration limit) {
  constexpr Duration kPreciseBelow{1'000};  // shorter limits are measured by the precise clock
  if (limit.count() >= kPreciseBelow.count()) [[likely]] {
    const TimePoint now = Clock::coarse();
    return {now, Deadline::at(now + limit)};
  }
  const TimePoint now = Clock::steady().now();
  return {now, limit.count() > 0 ? Deadline::at(now + limit) : Deadline()};
}

// The way of a plain call: by `to`, which is the target itself or its forward.
struct Way {
  Reference& target;
  Reference& to;

  bool is_forward() const { return &target != &to; }
};

// Defined in call.cpp, for calls that turn out not plain: before anything has been sent, or afterwards.
[[gnu::cold]] void call_in_full(const Way& way, const CallOperation& operation, CallBody& body, const Times& t,
                                Connection c, const Path* path);
struct Sent {  // the request with that id has been handed to send()
  std::uint32_t id;
  transport::Transfer transfer;
};
[[gnu::cold]] void go_on_in_full(const Way& way, const CallOperation& operation, CallBody& body, const Times& t,
                                 Connection c, const Path& path, const Sent& sent);

// Writes and reads bodies by Encoder and Decoder.
struct Coded {
  CallBody& body;

  [[gnu::always_inline]] Fault put(ClientConnection& used, const Path& path, Buffer& request,
                                   const giop::Started& started, bool) const {
    request.set_size(started.body);
    cdr::Encoder e(request);
    e.set_gather(used.gather());
    e.set_wide(path.wide);
    body.encode(e);
    return giop::finish_message(e, started);
  }
  [[gnu::always_inline]] Fault get(OrbContext& orb, ClientConnection& used, ByteView reply,
                                   const CallOperation& operation) const {
    cdr::MessageBudget budget(orb.limits(), reply.size());
    cdr::Decoder d(reply, kNativeOrder, budget);
    d.set_context(orb.source(used.from()));
    if (!operation.oneway) [[likely]] body.decode(d);
    return d.fault();
  }
};

template <class Form>
void call_plainly(const Way& way, const CallOperation& operation, CallBody& body, const Form& form);

// Used if there is no plain path. Calls by the steering, or by the forward's path, if there is one.
template <class Form>
[[gnu::hot, gnu::noinline]] void call_elsewhere(const Way& way, const CallOperation& operation, CallBody& body,
                                                const Times& t, const Form& form) {
  if (way.target.known_steering() && steering()->call(way.target, operation, body)) return;
  const ReferencePtr forward = way.is_forward() ? ReferencePtr() : way.target.plain_forward();
  if (forward) return call_plainly({way.target, *forward}, operation, body, form);
  call_in_full(way, operation, body, t, nullptr, nullptr);
}

// Whether a peer may lead calls as near as the connection does: a connection stands at a name, which may lead nearer
// (Invocation::check_reach()).
inline bool reaches(const Reference& to, const ClientConnection& used) {
  return to.least_reach() == transport::Reach::Process || used.reach() >= to.least_reach();
}

// Makes the call. Inlined into the caller.
template <class Form>
[[gnu::always_inline]] inline void call_here(const Way& way, const CallOperation& operation, CallBody& body,
                                             const Form& form) {
  Reference& target = way.to;
  OrbContext& orb = target.orb();
  Times t = times_of_call(orb.limits().call_timeout);
  if (!orb.calls_are_plain() || t_call_policies) [[unlikely]]
    return call_in_full(way, operation, body, t, nullptr, nullptr);
  const Path* const path = target.plain_path();
  if (!path) return call_elsewhere(way, operation, body, t, form);
  Connection c = path->endpoint->checkout(t.now);
  if (!c) [[unlikely]] return call_in_full(way, operation, body, t, nullptr, nullptr);
  ClientConnection& used = *c;
  Buffer& b = used.request();
  const RequestTemplates::Prepared call{operation.identity, path, target.serial()};
  const giop::Started* started = used.templates().find(call);
  const bool again = started && target.addressing() == 0;
  if (!again) [[unlikely]] {
    started = used.templates().put(kind_of(target, *path, operation.identity), b);
    if (!started || !reaches(target, used)) return call_in_full(way, operation, body, t, std::move(c), path);
    if (path->version == giop::kGiop12) used.templates().prepare(call);
  }

  const std::uint32_t id = used.next_id();
  store(b.data() + started->request_id_at, id);
  Fault f = form.put(used, *path, b, *started, again);
  if (f != Fault::None) [[unlikely]] {
    used.templates().prepare({});
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
    f = form.get(orb, used, reply, operation);
  } else {
    used.reserved_for = thread_number();
  }
  path->endpoint->checkin(std::move(c), t.now);
  if (f != Fault::None) [[unlikely]] bad_results(operation, f);
}

template <class Form>
[[gnu::hot, gnu::noinline]] void call_plainly(const Way& way, const CallOperation& operation, CallBody& body,
                                              const Form& form) {
  call_here(way, operation, body, form);
}

}  // namespace callis::orb
