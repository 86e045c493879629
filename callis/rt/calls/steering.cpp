// SPDX-License-Identifier: Apache-2.0
// References by priority: which connection a call takes, and what it says.
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/policy_overrides.h>
#include <callis/portable_server.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/calls/steering.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <callis/rt/policies/policy_values.h>
#include <callis/rt/priorities/priority_context.h>
#include <callis/rt/protocols/protocols.h>
#include <algorithm>
#include <pthread.h>
#include <sched.h>

CALLIS_PROVIDE(steering);

namespace callis::rt {
namespace {

// Steers the calls of the reference for one priority. Requests say the priority if the server wants to know it.
class OfOnePriority final : public orb::Steering {
 public:
  OfOnePriority(std::int16_t priority, bool says)
      : says_(says), bytes_(priority_context(priority)), context_{giop::kRtCorbaPriorityContext, bytes_} {}
  const giop::ServiceContext* context() const override { return says_ ? &context_ : nullptr; }

 private:
  const bool says_;
  const PriorityContext bytes_;
  const giop::ServiceContext context_;
};

// Returns the priority of a thread that has never set its CORBA priority, by its native priority. The system is asked
// once.
std::int16_t priority_by_native(const RealTimeOrb& orb) {
  static constinit thread_local std::int32_t known = kNoPriority;
  if (known == kNoPriority) {
    int policy = SCHED_OTHER;
    sched_param param{};
    (void)::pthread_getschedparam(::pthread_self(), &policy, &param);
    const bool real_time = policy == SCHED_FIFO || policy == SCHED_RR;
    known = real_time ? orb.mapper().to_corba(param.sched_priority).value_or(0) : 0;
  }
  return static_cast<std::int16_t>(known);
}

std::vector<LaneAddress> lanes_in(const ior::Ior& ior, const Limits& limits) {
  for (const ior::TaggedProfile& p : ior.profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    const auto read = ior::parse_iiop(p.data, limits);
    const ior::TaggedComponent* const c = read ? read.value().component(kLanesComponent) : nullptr;
    if (!c) continue;
    auto lanes = parse_lanes(c->data);
    if (!lanes) continue;
    std::ranges::stable_sort(*lanes, {}, &LaneAddress::priority);
    return std::move(*lanes);
  }
  return {};
}

// Adds the client's own policies: of the reference, else of the thread that first uses it, else of the ORB. Returns
// whether calls must choose, because of these policies or because the server asks for protocols.
bool add_own(RtPolicies& policies, const orb::Reference& of) {
  CORBA::PolicyList list;
  for (const CORBA::PolicyType type :
       {RTCORBA::PRIVATE_CONNECTION_POLICY_TYPE, RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE,
        RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE}) {
    const orb::PolicyOverrides* const own = orb::overrides_of(of);
    CORBA::Policy_var policy = CORBA::Policy::_duplicate(own ? own->find(type) : nullptr);
    if (!policy.in()) policy = orb::find_policy(of.orb(), type);
    if (!policy.in()) continue;
    list.length(list.length() + 1);
    list[list.length() - 1] = policy._retn();
  }
  const RtPolicies own = read_rt_policies(list);
  policies.private_connection = own.private_connection;
  if (!own.bands.empty()) policies.bands = own.bands;
  if (own.client_protocols) policies.client_protocols = own.client_protocols;
  return own.private_connection || !own.bands.empty() || policies.client_protocols;
}

class ByPriority final : public orb::Steering {
 public:
  ByPriority(orb::Reference& of, RtPolicies policies)
      : of_(of), policies_(std::move(policies)),
        by_priority_(propagates() || !policies_.bands.empty() || (marks_packets() && !declared())),
        orb_(RealTimeOrb::of(of.orb())),
        lanes_(lanes_in(of.ior(), of.orb().limits())) {}

  [[gnu::hot]] orb::Reference* choose() override {
    const std::int16_t priority = priority_now();
    for (Entry* e = newest_.load(std::memory_order_acquire); e; e = e->next) {
      if (e->priority != priority) continue;
      orb::Reference* const to = e->to.load(std::memory_order_acquire);
      return to->forward() && !e->settled.load(std::memory_order_relaxed) ? changed(*e) : to;
    }
    return made(priority);
  }

  // The server executes requests of this priority in another lane than the lists say, as with a PriorityTransform:
  // the address in the reference is that of the lane.
  [[gnu::cold]] void sent_by(const orb::EndpointAddress& sender) override {
    orb::Reference* const to = choose();
    if (!to) return;
    const auto is_sender = [&sender](const orb::Path& p) {
      const orb::EndpointAddress& a = p.endpoint->identity().address;
      return a.place == sender.place && a.port == sender.port;
    };
    if (std::ranges::none_of(to->paths(), is_sender)) return;
    const std::int16_t priority = priority_now();
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= kMostChanges + kMostPriorities) return;
    for (Entry* e = newest_.load(std::memory_order_relaxed); e; e = e->next)
      if (e->priority == priority) e->to.store(make(priority, false), std::memory_order_release);
  }

 private:
  // Returns the priority of the calling thread; 0 if all calls go the same way.
  std::int16_t priority_now() {
    if (!by_priority_) return 0;
    const auto own = thread_priority();
    std::int16_t priority = own ? *own : priority_by_native(*orb_);
    if (propagates() && orb_->transformer().any()) [[unlikely]] transform(priority);
    return priority;
  }

  // Priorities that one client uses, and changes of their lanes.
  static constexpr std::size_t kMostPriorities = 1024, kMostChanges = 1024;

  // Made once; only `to` and `settled` change.
  struct Entry {
    std::int16_t priority = 0;
    std::atomic<orb::Reference*> to{nullptr};
    std::atomic<bool> settled{false};  // another reference would lead to the same lane
    unsigned lanes = 0;                // by which list of lanes `to` was made; with the mutex
    Entry* next = nullptr;
  };

  // Changes the priority of a call that a servant makes.
  [[gnu::cold, gnu::noinline]] void transform(std::int16_t& priority) {
    const CORBA::Object_var object = orb::Core::of(of_.orb()).resolve_initial_references("POACurrent");
    const PortableServer::Current_var current = PortableServer::Current::_narrow(object.in());
    PortableServer::ObjectId_var id;
    try {
      id = current->get_object_id();
    } catch (const PortableServer::Current::NoContext&) {
      return;
    }
    if (!orb_->transformer().outbound(priority, id.in()))
      orb::raise<CORBA::UNKNOWN>(kNotTransformed, CORBA::COMPLETED_NO, "the priority transform refuses the call");
  }

  bool propagates() const { return policies_.model == RTCORBA::CLIENT_PROPAGATED; }
  bool declared() const { return policies_.model == RTCORBA::SERVER_DECLARED; }
  // Returns whether calls have network priorities.
  bool marks_packets() const {
    return policies_.client_protocols &&
           std::ranges::find(*policies_.client_protocols, true, &ProtocolTerms::network_priority) !=
               policies_.client_protocols->end();
  }

  [[gnu::cold, gnu::noinline]] orb::Reference* made(std::int16_t priority) {
    for (const orb::Path& p : of_.paths())
      if (p.endpoint->is_own()) return nullptr;  // by the thread that calls
    const std::lock_guard lock(mutex_);
    Entry* const first = newest_.load(std::memory_order_relaxed);
    for (const Entry* e = first; e; e = e->next)
      if (e->priority == priority) return e->to.load(std::memory_order_relaxed);
    if (all_.size() == kMostPriorities)
      orb::raise<CORBA::NO_RESOURCES>(kTooManyPriorities, CORBA::COMPLETED_NO,
                                      "calls through one reference have had 1024 different priorities");
    auto mine = std::make_unique<Entry>();
    mine->priority = priority;
    mine->to.store(make(priority), std::memory_order_relaxed);
    mine->lanes = lanes_number_;
    mine->next = first;
    all_.push_back(std::move(mine));
    newest_.store(all_.back().get(), std::memory_order_release);
    return all_.back()->to.load(std::memory_order_relaxed);
  }

  // The server has sent calls of that priority elsewhere, perhaps to a lane made meanwhile.
  [[gnu::cold, gnu::noinline]] orb::Reference* changed(Entry& e) {
    const std::lock_guard lock(mutex_);
    orb::Reference* const to = e.to.load(std::memory_order_relaxed);
    const orb::ReferencePtr forward = to->forward();
    if (!forward) return to;
    auto lanes = lanes_in(forward->ior(), of_.orb().limits());
    if (!lanes.empty() && lanes != lanes_) {
      lanes_ = std::move(lanes);
      ++lanes_number_;
    }
    if (e.lanes == lanes_number_ || kept_.size() >= kMostChanges + kMostPriorities) {
      e.settled.store(true, std::memory_order_relaxed);
      return to;
    }
    e.lanes = lanes_number_;
    e.to.store(make(e.priority), std::memory_order_release);
    return e.to.load(std::memory_order_relaxed);
  }

  // Returns the port of the lane at that host. The caller holds the mutex.
  std::optional<std::uint16_t> lane_port(std::string_view host, std::int16_t priority, const Band* band) const {
    std::vector<std::int16_t> priorities;
    std::vector<std::uint16_t> ports;
    for (const LaneAddress& l : lanes_) {
      if (l.address.host != host) continue;
      priorities.push_back(l.priority);
      ports.push_back(l.address.port);
    }
    if (ports.empty()) return {};
    return ports[lane_for(priorities, band ? band->high : priority)];
  }

  // Returns the terms of the ClientProtocolPolicy for that transport; nullptr for none.
  const ProtocolTerms* terms_of(const orb::Transport& t) const {
    if (!policies_.client_protocols) return nullptr;
    const std::uint32_t tag = profile_of(t);
    for (const ProtocolTerms& p : *policies_.client_protocols)
      if (p.profile == tag) return &p;
    return nullptr;
  }

  // Returns the code point of the connections for calls of that priority, if the policy asks for code points. Calls
  // with different code points share no connection.
  std::optional<CodePoint> code_point(const ProtocolTerms& terms, std::int16_t priority, const Band* band) const {
    if (!terms.network_priority) return {};
    const std::int16_t of = band ? band->high : declared() ? policies_.server_priority : priority;
    if (const auto found = orb_->network_mapper().code_point(of)) return found;
    orb::raise<CORBA::DATA_CONVERSION>(
        kUnmapped, CORBA::COMPLETED_NO,
        concat({"the network priority mapping has no code point for priority ",
                Decimal(static_cast<std::uint64_t>(of)),
                ", which enable_network_priority of ClientProtocolPolicy asks for"}));
  }

  // Returns the paths of the protocols that the policy names, in its order.
  std::vector<orb::Path> wanted_paths() const {
    std::vector<orb::Path> paths(of_.paths().begin(), of_.paths().end());
    if (!policies_.client_protocols) return paths;
    const auto place = [this](const orb::Path& p) { return terms_of(*p.endpoint->identity().address.transport); };
    std::erase_if(paths, [&](const orb::Path& p) { return !place(p); });
    std::ranges::stable_sort(paths, std::ranges::less{}, place);
    if (paths.empty())
      orb::raise<CORBA::INV_POLICY>(kNoProtocol, CORBA::COMPLETED_NO,
                                    "the reference has an address of no protocol that ClientProtocolPolicy names");
    return paths;
  }

  // The caller holds the mutex. by_lanes: the calls go to the lane that the list says, otherwise to the addresses in
  // the reference.
  orb::Reference* make(std::int16_t priority, bool by_lanes = true) {
    const Band* const band = find_band(policies_.bands, priority);
    if (!policies_.bands.empty() && !band)
      orb::raise<CORBA::INV_POLICY>(kNoBand, CORBA::COMPLETED_NO,
                                    "no band of the reference holds the thread's priority");
    // Each band has connections of its own. Without bands each lane has, if references tell the lanes, else each
    // priority.
    constexpr std::uint64_t kOfBand = 1u << 16, kOfLane = 1u << 17;
    std::uint64_t group = static_cast<std::uint64_t>(priority) + 1;
    if (band) group = kOfBand + static_cast<std::uint64_t>(band->high);
    ThreadpoolSet& set = ThreadpoolSet::of(orb::Core::of(of_.orb()));
    if (policies_.private_connection) group = set.new_group();
    auto made = orb::ReferencePtr::adopt(
        new orb::Reference(of_.orb(), ior::Ior(of_.ior()), orb::Counted<orb::Overrides>(of_.overrides()),
                           of_.from()));
    std::vector<orb::Path> paths = wanted_paths();
    for (orb::Path& p : paths) {
      orb::EndpointIdentity identity = p.endpoint->identity();
      if (by_lanes && identity.address.transport == orb::tcp_transport())
        if (const auto port = lane_port(identity.address.place, priority, band)) {
          identity.address.port = *port;
          if (!band && !policies_.private_connection) group = kOfLane;
        }
      if (const ProtocolTerms* const terms = terms_of(*identity.address.transport); terms && terms->has_properties) {
        std::uint64_t number = 0;
        identity.address.transport = &set.configured(*identity.address.transport, *terms,
                                                     code_point(*terms, priority, band), number);
        p.endpoint = set.endpoint(identity, group + (number << 32));
      } else {
        p.endpoint = set.endpoint(identity, group);
      }
      const ior::TaggedProfile& profile = made->ior().profiles[p.profile];
      (void)ior::find_object_key(profile.tag, profile.data, p.object_key);
    }
    made->set_addressing(orb::Reference::kApart);
    made->set_paths(std::move(paths), std::make_unique<OfOnePriority>(priority, propagates()),
                    of_.least_reach());
    kept_.push_back(made);
    return made.get();
  }

  orb::Reference& of_;
  const RtPolicies policies_;
  const bool by_priority_;
  const orb::Counted<RealTimeOrb> orb_;
  std::atomic<Entry*> newest_{nullptr};  // a list that is only added to
  std::mutex mutex_;                     // guards what follows
  std::vector<std::unique_ptr<Entry>> all_;
  std::vector<LaneAddress> lanes_;
  unsigned lanes_number_ = 0;  // another one after each change of lanes_
  std::vector<orb::ReferencePtr> kept_;  // all that have been made: threads may be in any of them
};

void make_steering(orb::Reference& of) {
  RtPolicies policies = read_policy_values(of.ior(), of.orb().limits());
  const bool chosen = add_own(policies, of);
  if (chosen || policies.model == RTCORBA::CLIENT_PROPAGATED)
    of.set_steering(std::make_unique<ByPriority>(of, std::move(policies)));
}

[[gnu::hot]] bool call_steered(orb::Reference& target, const orb::CallOperation& operation, orb::CallBody& body) {
  (void)target.paths();
  if (!target.steering() || target.forward()) return false;
  orb::Reference* const to = target.steering()->choose();
  if (to) call(*to, operation, body);
  return to != nullptr;
}

void steer(orb::ReferencePtr& forward, const orb::EndpointAddress* sender) {
  if (!forward) return;
  (void)forward->paths();
  orb::Steering* const s = forward->steering();
  if (s && sender) s->sent_by(*sender);
  if (orb::Reference* const to = s ? s->choose() : nullptr) forward = orb::ReferencePtr(to);
}

std::uint32_t type_refused_with(std::uint32_t minor) {
  return minor == kNoBand       ? RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE
         : minor == kNoProtocol ? RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE
                                    : 0;
}

orb::ReferencePtr steered(orb::Reference& from) {
  orb::ReferencePtr to = from.forward();
  if (to) {
    steer(to, nullptr);
    return to;
  }
  (void)from.paths();
  orb::Steering* const s = from.steering();
  return orb::ReferencePtr(s ? s->choose() : nullptr);
}

constexpr orb::SteeringCalls kCalls{&make_steering, &call_steered, &steered, &steer, &type_refused_with};

}  // namespace

void steer_calls() { orb::steering_calls.store(&kCalls, std::memory_order_relaxed); }

}  // namespace callis::rt
