// SPDX-License-Identifier: Apache-2.0
#include <callis/messaging.h>
#include <callis/orb/bidirectional.h>

namespace callis::messaging {
namespace {

// The policies of 22.2 whose value is one number, or counts as one. Constant: any thread.
template <class Interface, class Derived, class Value>
class Made : public Interface, public orb::NumberPolicy {
 public:
  explicit Made(const Value& value) : value_(value) {}
  CORBA::PolicyType policy_type() override { return Derived::kType; }
  CORBA::Policy_ptr copy() override { return new Derived(value_); }
  void destroy() override {}
  std::uint64_t number() const override {
    if constexpr (std::is_same_v<Value, TimeBase::UtcT>) return value_.time;
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
CALLIS_POLICY(RequestEnd, Messaging::RequestEndTimePolicy, Messaging::REQUEST_END_TIME_POLICY_TYPE, TimeBase::UtcT,
              end_time)
CALLIS_POLICY(ReplyEnd, Messaging::ReplyEndTimePolicy, Messaging::REPLY_END_TIME_POLICY_TYPE, TimeBase::UtcT, end_time)
CALLIS_POLICY(RequestTimeout, Messaging::RelativeRequestTimeoutPolicy, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(RoundtripTimeout, Messaging::RelativeRoundtripTimeoutPolicy, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(ConnectionTimeout, Callis::ConnectionTimeoutPolicy, Callis::CONNECTION_TIMEOUT_POLICY_TYPE,
              TimeBase::TimeT, relative_expiry)
CALLIS_POLICY(Bidirectional, BiDirPolicy::BidirectionalPolicy, BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE,
              BiDirPolicy::BidirectionalPolicyValue, value)
#undef CALLIS_POLICY
static_assert(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE == orb::kBidirectionalPolicy && BiDirPolicy::BOTH == orb::kBoth);
static_assert(Callis::CONNECTION_TIMEOUT_POLICY_TYPE == orb::kConnectTimeoutPolicy);

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

// Values from 0 to most are the OMG's, negative ones those of others.
template <class P>
CORBA::Policy_ptr make_choice(const CORBA::Any& any, CORBA::Short most) {
  CORBA::Short value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value < 0) throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY_VALUE);
  if (value > most) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new P(value);
}

CORBA::Policy_ptr make_bidirectional(const CORBA::Any& any) {
  CORBA::UShort value = 0;
  if (!(any >>= value)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (value > BiDirPolicy::BOTH) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  if (value == BiDirPolicy::BOTH) orb::BothWays::want();
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
    case Messaging::REQUEST_END_TIME_POLICY_TYPE: return make_moment<RequestEnd>(value);
    case Messaging::REPLY_END_TIME_POLICY_TYPE: return make_moment<ReplyEnd>(value);
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE: return make_span<RequestTimeout>(value);
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE: return make_span<RoundtripTimeout>(value);
    case Callis::CONNECTION_TIMEOUT_POLICY_TYPE: return make_span<ConnectionTimeout>(value);
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE: return make_bidirectional(value);
    default: throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY);
  }
}

}  // namespace

bool use() {
  orb::BothWays::set_maker(&orb::make_both_ways);
  static const bool registered = orb::register_policy_factory(&is_ours, &make_policy);
  return registered;
}

}  // namespace callis::messaging
