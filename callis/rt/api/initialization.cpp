// SPDX-License-Identifier: Apache-2.0
// Brings real time into a program that includes callis/rt.h. This file does not include callis/rt.h itself: if callis
// is a shared library, programs without the header must not get real time.
#include <callis/messaging.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/interception.h>
#include <callis/rt/adapters/adapter_policies.h>
#include <callis/rt/adapters/lane_dispatch.h>
#include <callis/rt/api/initial.h>
#include <callis/rt/base/option_list.h>
#include <callis/rt/calls/steering.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <callis/rt/policies/policy_objects.h>

namespace callis::rt {
namespace {

constinit std::atomic<orb::PrepareOrb> prepare_others{nullptr};

// The others come first: if an ORB cannot be made, interceptors must not keep it in their list of new ORBs.
void prepare_orb(orb::Core& core, orb::OrbStage stage, std::span<char*> arguments) {
  if (const orb::PrepareOrb others = prepare_others.load(std::memory_order_acquire)) others(core, stage, arguments);
  if (stage == orb::OrbStage::Begun) (void)RealTimeOrb::of(core, RealTimeOptions::of_this_thread());
  if (stage != orb::OrbStage::New) return;
  try {
    prepare(RealTimeOrb::of(core)->options());
  } catch (...) {
    core.destroy();
    throw;
  }
}

}  // namespace

bool use() {
  static const bool used_before = [] {
    messaging::use();
    use_options();
    use_adapter_policies();
    use_threadpools();
    watch_requests();
    steer_calls();
    configure_accepted_streams();
    prepare_others.store(orb::set_prepare_orb(&prepare_orb), std::memory_order_release);
    return orb::register_policy_factory(&is_rt_policy, &make_policy) &&
           orb::register_initial_factory("RTORB", &make_rt_orb) &&
           orb::register_initial_factory("RTCurrent", &make_rt_current) &&
           orb::register_initial_factory("PriorityMappingManager", &make_mapping_manager) &&
           orb::register_initial_factory("PriorityTransformManager", &make_transform_manager) &&
           orb::register_initial_factory("NetworkPriorityMappingManager", &make_network_mapping_manager);
  }();
  return used_before;
}

}  // namespace callis::rt
