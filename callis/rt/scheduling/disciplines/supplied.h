// SPDX-License-Identifier: Apache-2.0
// The common part of the supplied disciplines. A parameter is a struct of IDL, which is the value of its policy.
#pragma once
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/scheduler.h>
#include <mutex>

namespace callis::rt::scheduling {

template <class Value>
class ParameterOf final : public Parameter {
 public:
  explicit ParameterOf(const Value& v) : value(v) {}
  const Value value;
};
template <class Value>
ParameterPtr make_parameter(const Value& v) {
  return std::make_shared<ParameterOf<Value>>(v);
}
template <class Value>
const Value& value_of(const Parameter& p) {
  return static_cast<const ParameterOf<Value>&>(p).value;
}

// Its value may be set at any time; a segment has what it was when the segment began. Any thread.
template <class Interface, class V, CORBA::PolicyType kType>
class PolicyOf final : public Interface {
 public:
  using Value = V;
  explicit PolicyOf(const Value& v) : value_(v) {}
  CORBA::PolicyType policy_type() override { return kType; }
  CORBA::Policy_ptr copy() override { return new PolicyOf(value()); }
  void destroy() override {}
  Value value() override {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void value(const Value& v) override {
    const std::lock_guard lock(mutex_);
    value_ = v;
  }

 private:
  std::mutex mutex_;
  Value value_;
};

// Returns the value if the policy is of that interface.
template <class Interface>
auto value_in(CORBA::Policy_ptr policy) -> std::optional<decltype(std::declval<Interface&>().value())> {
  auto* const typed = dynamic_cast<Interface*>(policy);
  if (!typed) return std::nullopt;
  return typed->value();
}

// Deadlines: 0 is none, which is the least urgent.
constexpr bool is_time(TimeBase::TimeT t) { return t <= static_cast<TimeBase::TimeT>(kMostTicks); }
constexpr Ticks deadline_of(TimeBase::TimeT t) { return t == 0 ? kMostTicks : static_cast<Ticks>(t); }
// Returns the time until the deadline, less the execution that is still to come.
constexpr Ticks laxity(TimeBase::TimeT deadline, TimeBase::TimeT execution, const Progress& p) {
  const Ticks to_come = std::max<Ticks>(0, static_cast<Ticks>(execution) - p.executed);
  return deadline_of(deadline) - p.now - to_come;
}

// BAD_PARAM for times beyond kMostTicks.
void check_times(bool good);

// A discipline with one kind of parameter. Derived has good(), urgency(), and put() and get() of its value.
template <class Derived, class Interface, class V, CORBA::PolicyType kType>
class DisciplineOf : public Discipline {
 public:
  using Value = V;
  using Policy = PolicyOf<Interface, Value, kType>;

  ParameterPtr parameter_of(CORBA::Policy_ptr policy) const override {
    const auto value = value_in<Interface>(policy);
    if (!value) return nullptr;
    check_times(Derived::good(*value));
    return make_parameter(*value);
  }
  CORBA::Policy_ptr policy_of(const ParameterPtr& p) const override { return new Policy(value_of<Value>(*p)); }
  ParameterPtr usual() const override { return make_parameter(Value{}); }
  Urgency urgency(const Parameter& p, const Progress& progress) const override {
    return Derived::urgency_of(value_of<Value>(p), progress);
  }
  void write(const Parameter& p, cdr::Encoder& to) const override { Derived::put(to, value_of<Value>(p)); }
  ParameterPtr read(cdr::Decoder& from) const override {
    const Value v = Derived::get(from);
    return from.ok() && Derived::good(v) ? make_parameter(v) : nullptr;
  }
};

// Its scheduler: create_scheduling_parameter().
template <class D, class Interface, class ParameterPolicy>
class SchedulerWith final : public SchedulerOf<Interface> {
 public:
  using SchedulerOf<Interface>::SchedulerOf;
  ParameterPolicy* create_scheduling_parameter(const typename D::Value& value) override {
    check_times(D::good(value));
    return new typename D::Policy(value);
  }
};

}  // namespace callis::rt::scheduling
