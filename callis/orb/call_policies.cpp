// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/both_ways.h>
#include <callis/orb/call_policies.h>
#include <callis/orb/call_terms.h>
#include <callis/orb/core.h>

namespace callis::orb {

void CallPolicies::complete(const CallPolicies& outer) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto p = static_cast<CallPolicy>(i);
    if (outer.has(p) && !has(p)) set(p, outer[p]);
  }
}

void SharedCallPolicies::write(const CallPolicies& p) {
  const std::uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // Whoever sees one of these sees the odd version, too.
  given_.store(p.given, std::memory_order_release);
  for (std::size_t i = 0; i < CallPolicies::kCount; ++i)
    numbers_[i].store(p.has(static_cast<CallPolicy>(i)) ? p.numbers[i] : 0, std::memory_order_release);
  version_.store(version + 2, std::memory_order_release);
}

CallPolicies SharedCallPolicies::read() const {
  for (;;) {
    CallPolicies p;
    const std::uint32_t before = version_.load(std::memory_order_acquire);
    p.given = given_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < CallPolicies::kCount; ++i) p.numbers[i] = numbers_[i].load(std::memory_order_acquire);
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return p;
  }
}

namespace {

// From 15 October 1582 to 1 January 1970, in units of 100 ns.
constexpr std::uint64_t kUtcOfUnixEpoch = 0x01B21DD213814000;

using Units = std::chrono::duration<std::uint64_t, std::ratio<1, 10'000'000>>;

Deadline after(TimePoint now, std::uint64_t units) {
  const auto most = std::chrono::duration_cast<Units>(TimePoint::max() - now).count();
  if (units == 0 || units >= most) return {};
  return Deadline::at(now + std::chrono::duration_cast<TimePoint::duration>(Units(units)));
}

Deadline at_moment(TimePoint now, std::uint64_t moment) {
  const auto unix_time = std::chrono::duration_cast<Units>(std::chrono::system_clock::now().time_since_epoch());
  const std::uint64_t utc = kUtcOfUnixEpoch + unix_time.count();
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

// Messaging::RebindMode; 1 is NO_REBIND.
constexpr std::uint64_t kTransparent = 0, kNoReconnect = 2;

bool never(const Reference&, const Reference&) { return false; }

// What the first profile says in TAG_POLICIES.
ior::Bytes policies_of(const Reference& r) {
  for (const ior::TaggedProfile& p : r.ior().profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    const Result<ior::IiopProfile> iiop = ior::parse_iiop(p.data, r.core().limits());
    const ior::TaggedComponent* c = iiop ? iiop->component(ior::kPolicies) : nullptr;
    return c ? c->data : ior::Bytes();
  }
  return {};
}

bool with_the_same_policies(const Reference& from, const Reference& to) { return policies_of(from) == policies_of(to); }

}  // namespace

void read_policies(const Reference& target, TimePoint now, CallTerms& terms) {
  using enum CallPolicy;
  CallPolicies p;
  if (const CallPolicies* own = target.policies()) p = *own;
  if (t_call_policies) p.complete(*t_call_policies);
  if (target.core().has_policies()) p.complete(target.core().policies());
  if (p.given == 0) return;
  read_times(p, now, terms);
  if (p.has(ConnectTimeout)) terms.connect_timeout = milliseconds(p[ConnectTimeout]);
  if (p.has(Bidirectional)) terms.both_ways = p[Bidirectional] == kBoth;
  terms.scope_by_policy = p.has(SyncScope);
  if (p.has(SyncScope)) terms.sync_scope = static_cast<orb::SyncScope>(p[SyncScope]);
  if (!p.has(Rebind) || p[Rebind] == kTransparent) return;
  terms.no_reconnect = p[Rebind] == kNoReconnect;
  terms.follows = terms.no_reconnect ? &never : &with_the_same_policies;
}

}  // namespace callis::orb
