// SPDX-License-Identifier: Apache-2.0
// CallPolicies: the policies of calls as numbers, of one scope: a reference, a thread or an ORB (CORBA 3.0.3, 4.9.1).
// The first scope, in this order, that sets a policy counts.
//
//   PolicyManager, PolicyCurrent, Object::_set_policy_overrides()      policy_management.h: objects of class Policy
//        │ when they are set
//        ▼
//   CallPolicies of the ORB, the thread, the reference                 numbers
//        │ when a call begins on which one of them bears
//        ▼
//   CallTerms
#pragma once
#include <callis/ior/policy_values.h>
#include <callis/orb/base/counted.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace callis::orb {

// Times are in units of 100 ns; moments count from 15 October 1582, 00:00, like TimeBase::UtcT.
enum class CallPolicy : std::uint8_t {
  RequestEnd,        // moment
  ReplyEnd,          // moment
  RequestTimeout,    // 0: none
  RoundtripTimeout,  // 0: none
  ConnectTimeout,    // 0: none
  SyncScope,         // Messaging::SyncScope
  Rebind,            // Messaging::RebindMode
  Bidirectional,     // BiDirPolicy::BidirectionalPolicyValue
  // These are for routers, and are told to servers. Ranges are the two halves of ShortRange, min in the higher half.
  RequestPriority,
  ReplyPriority,
  Routing,
  QueueOrder,  // bits
  RequestStart,  // moment
  ReplyStart,    // moment
};

struct CallPolicies {
  static constexpr std::size_t kCount = 14;

  std::uint32_t given = 0;  // a bit for each CallPolicy
  std::uint64_t numbers[kCount] = {};

  bool has(CallPolicy p) const { return (given >> static_cast<unsigned>(p) & 1u) != 0; }
  std::uint64_t operator[](CallPolicy p) const { return numbers[static_cast<unsigned>(p)]; }
  void set(CallPolicy p, std::uint64_t number) {
    numbers[static_cast<unsigned>(p)] = number;
    given |= 1u << static_cast<unsigned>(p);
  }
  // Takes from outer the policies that are not given here.
  void complete(const CallPolicies& outer);
};

// A policy that an adapter may be created with, which its references then carry, and which a client may narrow
// (22.2).
struct ExposedPolicy {
  CallPolicy policy;
  std::uint32_t type;  // as module Messaging has them
  enum class Form : std::uint8_t { Range, Bits } form;
};
inline constexpr ExposedPolicy kExposedPolicies[] = {
    {CallPolicy::RequestPriority, 25, ExposedPolicy::Form::Range},
    {CallPolicy::ReplyPriority, 26, ExposedPolicy::Form::Range},
    {CallPolicy::Routing, 33, ExposedPolicy::Form::Range},
    {CallPolicy::QueueOrder, 35, ExposedPolicy::Form::Bits},
};
// nullptr for other types.
constexpr const ExposedPolicy* find_exposed(std::uint32_t type) {
  for (const ExposedPolicy& e : kExposedPolicies)
    if (e.type == type) return &e;
  return nullptr;
}

constexpr std::uint64_t number_of(ior::ShortRange r) {
  return std::uint64_t(static_cast<std::uint16_t>(r.min)) << 16 | static_cast<std::uint16_t>(r.max);
}
constexpr ior::ShortRange range_of(std::uint64_t number) {
  return {static_cast<std::int16_t>(number >> 16), static_cast<std::int16_t>(number)};
}

// The policies of an ORB. There is one writer at a time; readers never wait for the writer and take no lock.
class SharedCallPolicies final {
 public:
  void write(const CallPolicies& p);
  CallPolicies read() const;

 private:
  std::atomic<std::uint32_t> version_{0};  // odd while they change
  std::atomic<std::uint32_t> given_{0};
  std::atomic<std::uint64_t> numbers_[CallPolicies::kCount]{};
};

// Policies set on a reference, as CORBA::Policy objects and as numbers. Constant.
class Overrides {
 public:
  const CallPolicies& numbers() const { return numbers_; }

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  Overrides(const Overrides&) = delete;
  Overrides& operator=(const Overrides&) = delete;

 protected:
  Overrides() = default;
  virtual ~Overrides() = default;

  CallPolicies numbers_;

 private:
  std::atomic<std::uint32_t> count_{1};
};

}  // namespace callis::orb
