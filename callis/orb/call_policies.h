// SPDX-License-Identifier: Apache-2.0
// CallPolicies: the policies of calls as numbers, of one scope: a reference, a thread or an ORB (CORBA 3.0.3, 4.9.1). The
// first of these that has one counts.
//
//   PolicyManager, PolicyCurrent, Object::_set_policy_overrides()      policy_management.h: objects of class Policy
//        │ when they are set
//        ▼
//   CallPolicies of the ORB, the thread, the reference                 numbers
//        │ when a call begins on which one of them bears
//        ▼
//   CallTerms
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace callis::orb {

// Times are in units of 100 ns; moments are those since 15 October 1582, 00:00, as TimeBase::UtcT has them.
enum class CallPolicy : std::uint8_t {
  RequestEnd,        // moment
  ReplyEnd,          // moment
  RequestTimeout,    // 0: none
  RoundtripTimeout,  // 0: none
  ConnectTimeout,    // 0: none
  SyncScope,         // Messaging::SyncScope
  Rebind,            // Messaging::RebindMode
  Bidirectional,     // BiDirPolicy::BidirectionalPolicyValue
};

struct CallPolicies {
  static constexpr std::size_t kCount = 8;

  std::uint32_t given = 0;  // a bit for each CallPolicy
  std::uint64_t numbers[kCount] = {};

  bool has(CallPolicy p) const { return (given >> static_cast<unsigned>(p) & 1u) != 0; }
  std::uint64_t operator[](CallPolicy p) const { return numbers[static_cast<unsigned>(p)]; }
  void set(CallPolicy p, std::uint64_t number) {
    numbers[static_cast<unsigned>(p)] = number;
    given |= 1u << static_cast<unsigned>(p);
  }
  // Takes from outer what is not given here.
  void complete(const CallPolicies& outer);
};

class Reference;
struct CallTerms;
// A CallTerms::Reader.
void read_policies(const Reference& target, std::chrono::steady_clock::time_point now, CallTerms& terms);

// Those of an ORB: one writer at a time; readers never wait for it and take no lock.
class SharedCallPolicies final {
 public:
  void write(const CallPolicies& p);
  CallPolicies read() const;

 private:
  std::atomic<std::uint32_t> version_{0};  // odd while they change
  std::atomic<std::uint32_t> given_{0};
  std::atomic<std::uint64_t> numbers_[CallPolicies::kCount]{};
};

}  // namespace callis::orb
