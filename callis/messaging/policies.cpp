// SPDX-License-Identifier: Apache-2.0
// The policies of CORBA Messaging: made from their values, and in references.
#include <callis/messaging.h>
#include <callis/messaging/make_policy.h>
#include <callis/orb/client/read_policies.h>
#include <callis/orb/core/bidirectional_of_orb.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/exposed_policies.h>

namespace callis::messaging {
namespace {

// The policies of 22.2 whose value is a number, or counts as a number. They are constant; any thread may call.
template <class Interface, class Derived, class Value>
class Made : public Interface, public orb::NumberPolicy {
 public:
  explicit Made(const Value& value) : value_(value) {}
  CORBA::PolicyType policy_type() override { return Derived::kType; }
  CORBA::Policy_ptr copy() override { return new Derived(value_); }
  void destroy() override {}
  std::uint64_t number() const override {
    if constexpr (std::is_same_v<Value, TimeBase::UtcT>) return value_.time;
    else if constexpr (std::is_class_v<Value>) return orb::number_of({value_.min, value_.max});
    else return static_cast<std::uint64_t>(value_);
  }

 protected:
  const Value value_;
};

#define CALLIS_POLICY(NAME, INTERFACE, TYPE, VALUE, ATTRIBUTE)             \
  class NAME final : public Made<INTERFACE, NAME, VALUE> {                 \
   public:                                                                 \
    static constexpr CORBA::PolicyType kType = TYPE;                       \
    using Made::Made;                                                      \
    VALUE ATTRIBUTE() override { return value_; }                          \
  };
CALLIS_POLICY(Rebind, Messaging::RebindPolicy, Messaging::REBIND_POLICY_TYPE, Messaging::RebindMode, rebind_mode)
CALLIS_POLICY(SyncScope, Messaging::SyncScopePolicy, Messaging::SYNC_SCOPE_POLICY_TYPE, Messaging::SyncScope,
              synchronization)
CALLIS_POLICY(RequestStart, Messaging::RequestStartTimePolicy, Messaging::REQUEST_START_TIME_POLICY_TYPE,
              TimeBase::UtcT, start_time)
CALLIS_POLICY(ReplyStart, Messaging::ReplyStartTimePolicy, Messaging::REPLY_START_TIME_POLICY_TYPE, TimeBase::UtcT,
              start_time)
CALLIS_POLICY(RequestEnd, Messaging::RequestEndTimePolicy, Messaging::REQUEST_END_TIME_POLICY_TYPE, TimeBase::UtcT,
              end_time)
CALLIS_POLICY(ReplyEnd, Messaging::ReplyEndTimePolicy, Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::UtcT,
              end_time)
CALLIS_POLICY(RequestTimeout, Messaging::RelativeRequestTimeoutPolicy, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(RoundtripTimeout, Messaging::RelativeRoundtripTimeoutPolicy, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(ConnectionTimeout, Callis::ConnectionTimeoutPolicy, Callis::CONNECTION_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(RequestPriority, Messaging::RequestPriorityPolicy, Messaging::REQUEST_PRIORITY_POLICY_TYPE,
              Messaging::PriorityRange, priority_range)
CALLIS_POLICY(ReplyPriority, Messaging::ReplyPriorityPolicy, Messaging::REPLY_PRIORITY_POLICY_TYPE,
              Messaging::PriorityRange, priority_range)
CALLIS_POLICY(Routing, Messaging::RoutingPolicy, Messaging::ROUTING_POLICY_TYPE, Messaging::RoutingTypeRange,
              routing_range)
CALLIS_POLICY(QueueOrder, Messaging::QueueOrderPolicy, Messaging::QUEUE_ORDER_POLICY_TYPE, Messaging::Ordering,
              allowed_orders)
CALLIS_POLICY(Bidirectional, BiDirPolicy::BidirectionalPolicy, BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE,
              BiDirPolicy::BidirectionalPolicyValue, value)
#undef CALLIS_POLICY
static_assert(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE == orb::kBidirectionalPolicy && BiDirPolicy::BOTH == orb::kBoth);
static_assert(Callis::CONNECTION_TIMEOUT_POLICY_TYPE == orb::kConnectTimeoutPolicy);

// No pointer to an element is compared with nullptr: with -fsanitize=undefined GCC 12 does not take such a comparison
// for a constant.
template <CORBA::PolicyType kType>
constexpr bool is_exposed_as(orb::CallPolicy p) {
  for (const orb::ExposedPolicy& e : orb::kExposedPolicies)
    if (e.type == kType) return e.policy == p;
  return false;
}
static_assert(is_exposed_as<Messaging::REQUEST_PRIORITY_POLICY_TYPE>(orb::CallPolicy::RequestPriority) &&
              is_exposed_as<Messaging::REPLY_PRIORITY_POLICY_TYPE>(orb::CallPolicy::ReplyPriority) &&
              is_exposed_as<Messaging::ROUTING_POLICY_TYPE>(orb::CallPolicy::Routing) &&
              is_exposed_as<Messaging::QUEUE_ORDER_POLICY_TYPE>(orb::CallPolicy::QueueOrder));

template <class P>
CORBA::Policy_ptr make_span(const CORBA::Any& any) {
  TimeBase::TimeT value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  return new P(value);
}

template <class P>
CORBA::Policy_ptr make_moment(const CORBA::Any& any) {
  const TimeBase::UtcT* value = nullptr;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  return new P(*value);
}

// Values from 0 to `most` are the OMG's. Negative values belong to other vendors.
template <class P>
CORBA::Policy_ptr make_choice(const CORBA::Any& any, CORBA::Short most) {
  CORBA::Short value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value < 0) throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY_VALUE);
  if (value > most) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new P(value);
}

// Makes a policy with a PriorityRange.
template <class P>
CORBA::Policy_ptr make_priority(const CORBA::Any& any) {
  const Messaging::PriorityRange* value = nullptr;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value->min > value->max) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new P(*value);
}

CORBA::Policy_ptr make_routing(const CORBA::Any& any) {
  const Messaging::RoutingTypeRange* value = nullptr;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value->min < 0) throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY_VALUE);
  if (value->min > value->max || value->max > Messaging::ROUTE_STORE_AND_FORWARD)
    throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new Routing(*value);
}

CORBA::Policy_ptr make_queue_order(const CORBA::Any& any) {
  CORBA::UShort value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  constexpr CORBA::UShort kAll =
      Messaging::ORDER_ANY | Messaging::ORDER_TEMPORAL | Messaging::ORDER_PRIORITY | Messaging::ORDER_DEADLINE;
  if (value == 0 || (value & ~kAll) != 0) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new QueueOrder(value);
}

CORBA::Policy_ptr make_bidirectional(const CORBA::Any& any) {
  CORBA::UShort value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value > BiDirPolicy::BOTH) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  if (value == BiDirPolicy::BOTH) orb::BidirectionalGiop::want();
  return new Bidirectional(value);
}

bool is_ours(CORBA::PolicyType type) {
  return (type >= Messaging::REBIND_POLICY_TYPE && type <= Messaging::QUEUE_ORDER_POLICY_TYPE) ||
         type == BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE || type == Callis::CONNECTION_TIMEOUT_POLICY_TYPE;
}

CORBA::Policy_ptr make_policy(CORBA::PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE: return make_choice<Rebind>(value, Messaging::NO_RECONNECT);
    case Messaging::SYNC_SCOPE_POLICY_TYPE: return make_choice<SyncScope>(value, Messaging::SYNC_WITH_TARGET);
    case Messaging::REQUEST_START_TIME_POLICY_TYPE: return make_moment<RequestStart>(value);
    case Messaging::REPLY_START_TIME_POLICY_TYPE: return make_moment<ReplyStart>(value);
    case Messaging::REQUEST_END_TIME_POLICY_TYPE: return make_moment<RequestEnd>(value);
    case Messaging::REPLY_END_TIME_POLICY_TYPE: return make_moment<ReplyEnd>(value);
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE: return make_span<RequestTimeout>(value);
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE: return make_span<RoundtripTimeout>(value);
    case Messaging::REQUEST_PRIORITY_POLICY_TYPE: return make_priority<RequestPriority>(value);
    case Messaging::REPLY_PRIORITY_POLICY_TYPE: return make_priority<ReplyPriority>(value);
    case Messaging::ROUTING_POLICY_TYPE: return make_routing(value);
    case Messaging::QUEUE_ORDER_POLICY_TYPE: return make_queue_order(value);
    case Callis::CONNECTION_TIMEOUT_POLICY_TYPE: return make_span<ConnectionTimeout>(value);
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE: return make_bidirectional(value);
    default: throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY);
  }
}

// --- Policies of adapters that clients are to know ---

class InReferences final : public orb::AdapterNotes {
 public:
  explicit InReferences(const ior::PolicyValues& policies)
      : component_{ior::kPolicies, {policies.bytes().begin(), policies.bytes().end()}} {}
  void complete(orb::ReferencePtr& made) const override {
    ior::Ior ior = made->ior();
    ior::add_components(ior, made->orb().limits(),
                        [this](std::uint32_t, std::vector<ior::TaggedComponent>& to) { to.push_back(component_); });
    made = orb::ReferencePtr::adopt(new orb::Reference(made->orb(), std::move(ior)));
  }

 private:
  const ior::TaggedComponent component_;
};

std::unique_ptr<orb::AdapterNotes> note_exposed(const CORBA::PolicyList& policies, orb::OrbContext*) {
  ior::PolicyValues values;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    const orb::ExposedPolicy* const e = orb::find_exposed(policies[i]->policy_type());
    const auto* const number = dynamic_cast<const orb::NumberPolicy*>(policies[i]);
    if (e && number) orb::add(values, *e, number->number());
  }
  if (values.empty()) return nullptr;
  return std::make_unique<InReferences>(values);
}

CORBA::Policy_ptr make_exposed(CORBA::PolicyType type, std::uint64_t number) {
  const ior::ShortRange range = orb::range_of(number);
  switch (type) {
    case Messaging::REQUEST_PRIORITY_POLICY_TYPE: return new RequestPriority({range.min, range.max});
    case Messaging::REPLY_PRIORITY_POLICY_TYPE: return new ReplyPriority({range.min, range.max});
    case Messaging::ROUTING_POLICY_TYPE: return new Routing({range.min, range.max});
    default: return new QueueOrder(static_cast<Messaging::Ordering>(number));
  }
}

bool takes_exposed(const CORBA::Policy& policy, CORBA::PolicyType type) {
  return orb::find_exposed(type) && dynamic_cast<const orb::NumberPolicy*>(&policy);
}

constexpr orb::ExposedPolicies kExposed{&note_exposed, &make_exposed, &takes_exposed};

}  // namespace

CORBA::Policy_ptr make_roundtrip_timeout(TimeBase::TimeT expiry) { return new RoundtripTimeout(expiry); }
CORBA::Policy_ptr make_connection_timeout(TimeBase::TimeT expiry) { return new ConnectionTimeout(expiry); }
CORBA::Policy_ptr make_staying() { return new Rebind(static_cast<Messaging::RebindMode>(orb::kStays)); }

bool use() {
  if (!orb::ExposedPolicies::get()) orb::ExposedPolicies::set(kExposed);  // callis/rt's call these
  orb::BidirectionalGiop::set_maker(&orb::new_bidirectional);
  static const bool registered = orb::register_policy_factory(&is_ours, &make_policy);
  return registered;
}

}  // namespace callis::messaging
