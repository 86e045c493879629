// SPDX-License-Identifier: Apache-2.0
// Policies in force of a call, from the thread, the reference, the ORB and the server's reference.
#include <callis/orb/base/errors.h>
#include <callis/orb/base/utc.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/read_policies.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/orb_context.h>
#include <algorithm>

namespace callis::orb {

namespace {

Deadline after(TimePoint now, std::uint64_t units) {
  const auto most = std::chrono::duration_cast<UtcUnits>(TimePoint::max() - now).count();
  if (units == 0 || units >= most) return {};
  return Deadline::at(now + std::chrono::duration_cast<TimePoint::duration>(UtcUnits(units)));
}

Deadline at_moment(TimePoint now, std::uint64_t moment) {
  const ior::Moment utc = utc_now();
  return moment > utc ? after(now, moment - utc) : Deadline::at(now);
}

Deadline earlier(Deadline a, Deadline b) { return a.time() < b.time() ? a : b; }

Duration milliseconds(std::uint64_t units) {
  constexpr std::uint64_t kMost = 24u * 3600 * 1000;
  const std::uint64_t ms = units / 10'000 + (units % 10'000 != 0);
  return Duration(static_cast<Duration::rep>(ms < kMost ? ms : kMost));
}

void read_times(const CallPolicies& p, TimePoint now, CallTerms& terms) {
  using enum CallPolicy;
  terms.reply_by_policy = p.has(ReplyEnd) || p.has(RoundtripTimeout);
  if (terms.reply_by_policy) terms.reply = {};
  if (p.has(RoundtripTimeout)) terms.reply = after(now, p[RoundtripTimeout]);
  if (p.has(ReplyEnd)) terms.reply = earlier(terms.reply, at_moment(now, p[ReplyEnd]));
  terms.send = terms.reply;
  if (p.has(RequestTimeout)) terms.send = earlier(terms.send, after(now, p[RequestTimeout]));
  if (p.has(RequestEnd)) terms.send = earlier(terms.send, at_moment(now, p[RequestEnd]));
}

void hold(OrbContext& orb, const CallTerms& terms, bool reply) {
  const TimePoint until = reply ? terms.reply_start : terms.request_start;
  if (until > Clock::steady().now() && !orb.wait_until(until) && !reply) orb.check_running();
}

// A call that can never be in time is not begun (22.2.4.1, 22.2.4.3).
void read_starts(const CallPolicies& p, CallTerms& terms) {
  using enum CallPolicy;
  if (p.has(RequestStart)) terms.request_start = not_before(p[RequestStart]);
  if (p.has(ReplyStart)) terms.reply_start = not_before(p[ReplyStart]);
  if (terms.request_start > terms.send.time())
    raise<CORBA::TIMEOUT>(omg(2), CORBA::COMPLETED_NO, "the request may not be sent before its time is up");
  if (terms.reply_start > terms.reply.time())
    raise<CORBA::TIMEOUT>(omg(3), CORBA::COMPLETED_NO, "the reply may not be delivered before its time is up");
  terms.hold = &hold;
}

// Messaging::RebindMode, and kStays.
constexpr std::uint64_t kModeTransparent = 0, kModeNoRebind = 1, kModeNoReconnect = 2;

bool never(const Reference&, const Reference&) { return false; }

// --- Policies told to servers ---

// The earlier of a moment and the end of a span that begins now. A span of 0 is none.
void note_end(CallPolicies& told, CallPolicy end, const CallPolicies& p, CallPolicy span, ior::Moment now) {
  if (p.has(end)) told.set(end, p[end]);
  if (!p.has(span) || p[span] == 0 || p[span] > ~now) return;
  const ior::Moment at = now + p[span];
  if (!told.has(end) || at < told[end]) told.set(end, at);
}

void tell(const CallTerms& terms, const Reference& to, ior::PolicyValues& values) {
  using enum CallPolicy;
  values.clear();
  if (terms.told.has(RequestEnd)) values.add(kRequestEndType, ior::Moment(terms.told[RequestEnd]));
  if (terms.told.has(ReplyEnd)) values.add(kReplyEndType, ior::Moment(terms.told[ReplyEnd]));
  if (terms.told.has(RequestStart)) values.add(kRequestStartType, ior::Moment(terms.told[RequestStart]));
  if (terms.told.has(ReplyStart)) values.add(kReplyStartType, ior::Moment(terms.told[ReplyStart]));
  for (const ExposedPolicy& e : kExposedPolicies) {
    if (!terms.told.has(e.policy)) continue;
    std::uint64_t number = terms.told[e.policy];
    if (const auto carried = carried_policy(to, e)) {
      const auto both = reconciled(e, number, *carried);
      if (!both)
        raise<CORBA::INV_POLICY>(omg(1), CORBA::COMPLETED_NO, "the server's policies allow none of what is set");
      number = *both;
    }
    add(values, e, number);
  }
}

void read_told(const CallPolicies& p, bool end_times, CallTerms& terms) {
  using enum CallPolicy;
  const bool spans = p.has(RequestTimeout) || p.has(RoundtripTimeout);
  if (end_times && (spans || p.has(RequestEnd) || p.has(ReplyEnd))) {
    const ior::Moment now = spans ? utc_now() : 0;
    note_end(terms.told, RequestEnd, p, RequestTimeout, now);
    note_end(terms.told, ReplyEnd, p, RoundtripTimeout, now);
  }
  for (const CallPolicy start : {RequestStart, ReplyStart})
    if (end_times && p.has(start)) terms.told.set(start, p[start]);
  for (const ExposedPolicy& e : kExposedPolicies)
    if (p.has(e.policy)) terms.told.set(e.policy, p[e.policy]);
  if (terms.told.given != 0) terms.tell = &tell;
}

// The contents of TAG_POLICIES in the first profile.
ior::Bytes policies_of(const Reference& r) {
  for (const ior::TaggedProfile& p : r.ior().profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    const Result<ior::IiopProfile> iiop = ior::parse_iiop(p.data, r.orb().limits());
    const ior::TaggedComponent* c = iiop ? iiop->component(ior::kPolicies) : nullptr;
    return c ? c->data : ior::Bytes();
  }
  return {};
}

bool with_the_same_policies(const Reference& from, const Reference& to) {
  return policies_of(from) == policies_of(to);
}

}  // namespace

std::optional<std::uint64_t> carried_policy(const Reference& r, const ExposedPolicy& p) {
  const ior::Bytes all = policies_of(r);
  if (all.empty()) return {};
  const auto value = ior::find_policy_value(all, p.type, r.orb().limits());
  if (!value || value->empty()) return {};
  if (p.form != ExposedPolicy::Form::Range) return ior::read_ushort(value.value());
  const auto range = ior::read_short_range(value.value());
  return range ? std::optional(number_of(*range)) : std::nullopt;
}

std::optional<std::uint64_t> reconciled(const ExposedPolicy& p, std::uint64_t own, std::uint64_t carried) {
  if (p.form == ExposedPolicy::Form::Bits) return (own & carried) != 0 ? std::optional(own & carried) : std::nullopt;
  const ior::ShortRange a = range_of(own), b = range_of(carried);
  const ior::ShortRange both{std::max(a.min, b.min), std::min(a.max, b.max)};
  return both.min <= both.max ? std::optional(number_of(both)) : std::nullopt;
}

void add(ior::PolicyValues& to, const ExposedPolicy& p, std::uint64_t number) {
  if (p.form == ExposedPolicy::Form::Range) to.add(p.type, range_of(number));
  else to.add(p.type, static_cast<std::uint16_t>(number));
}

void read_policies(const Reference& target, TimePoint now, CallTerms& terms) {
  using enum CallPolicy;
  CallPolicies p;
  if (const CallPolicies* own = target.policies()) p = *own;
  if (t_call_policies) p.complete(*t_call_policies);
  if (target.orb().has_policies()) p.complete(target.orb().policies());
  if (p.given == 0) return;
  read_times(p, now, terms);
  if (p.has(RequestStart) || p.has(ReplyStart)) read_starts(p, terms);
  read_told(p, target.orb().options().end_times == EndTimes::Everywhere, terms);
  if (p.has(ConnectTimeout)) terms.connect_timeout = milliseconds(p[ConnectTimeout]);
  if (p.has(Bidirectional)) terms.bidirectional = p[Bidirectional] == kBoth;
  terms.scope_by_policy = p.has(SyncScope);
  if (p.has(SyncScope)) terms.sync_scope = static_cast<orb::SyncScope>(p[SyncScope]);
  if (!p.has(Rebind) || p[Rebind] == kModeTransparent) return;
  terms.no_reconnect = p[Rebind] == kModeNoReconnect;
  terms.stays = p[Rebind] == kStays;
  terms.follows = p[Rebind] == kModeNoRebind ? &with_the_same_policies : &never;
}

}  // namespace callis::orb
