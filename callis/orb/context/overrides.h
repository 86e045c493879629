// SPDX-License-Identifier: Apache-2.0
// Overrides: the policies of a reference, as calls know them.
#pragma once
#include <callis/orb/base/counted.h>
#include <callis/orb/context/call_policies.h>
#include <atomic>

namespace callis::orb {

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
