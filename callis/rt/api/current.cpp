// SPDX-License-Identifier: Apache-2.0
// RTCORBA::Current, and the managers of mappings and transforms.
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/rt/api/initial.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/core/real_time_orb.h>

namespace callis::rt {
namespace {

using orb::Counted;

class ThreadCurrent final : public RTCORBA::Current {
 public:
  explicit ThreadCurrent(Counted<RealTimeOrb> orb) : orb_(std::move(orb)) {}
  RTCORBA::Priority the_priority() override {
    if (const auto priority = thread_priority()) return *priority;
    raise<CORBA::INITIALIZE>(kNotSet, CORBA::COMPLETED_NO, "the calling thread has set no priority");
  }
  void the_priority(RTCORBA::Priority priority) override { orb_->run_at(priority); }

 private:
  const Counted<RealTimeOrb> orb_;
};

class MappingManager final : public RTCORBA::PriorityMappingManager {
 public:
  explicit MappingManager(Counted<RealTimeOrb> orb) : orb_(std::move(orb)) {}
  void mapping(RTCORBA::PriorityMapping* mapping) override {
    if (!mapping) raise<CORBA::BAD_PARAM>(kNilMapping, CORBA::COMPLETED_NO, "a priority mapping that is nullptr");
    orb_->mapper().set(std::unique_ptr<RTCORBA::PriorityMapping>(mapping));
  }
  RTCORBA::PriorityMapping* mapping() override { return orb_->mapper().mapping(); }

 private:
  const Counted<RealTimeOrb> orb_;
};

class TransformManager final : public RTCORBA::PriorityTransformManager {
 public:
  explicit TransformManager(Counted<RealTimeOrb> orb) : orb_(std::move(orb)) {}
  void transform(RTCORBA::PriorityTransform* transform) override {
    orb_->transformer().set(std::unique_ptr<RTCORBA::PriorityTransform>(transform));
  }
  RTCORBA::PriorityTransform* transform() override { return orb_->transformer().transform(); }

 private:
  const Counted<RealTimeOrb> orb_;
};

class NetworkMappingManager final : public RTCORBA::NetworkPriorityMappingManager {
 public:
  explicit NetworkMappingManager(Counted<RealTimeOrb> orb) : orb_(std::move(orb)) {}
  void mapping(RTCORBA::NetworkPriorityMapping* mapping) override {
    if (!mapping)
      raise<CORBA::BAD_PARAM>(kNilMapping, CORBA::COMPLETED_NO, "a network priority mapping that is nullptr");
    orb_->network_mapper().set(std::unique_ptr<RTCORBA::NetworkPriorityMapping>(mapping));
  }
  RTCORBA::NetworkPriorityMapping* mapping() override { return orb_->network_mapper().mapping(); }

 private:
  const Counted<RealTimeOrb> orb_;
};

}  // namespace

CORBA::Object_ptr make_rt_current(orb::Core& core) {
  Counted<RealTimeOrb> orb = RealTimeOrb::of(core);
  orb->use();
  return new ThreadCurrent(std::move(orb));
}
CORBA::Object_ptr make_mapping_manager(orb::Core& core) { return new MappingManager(RealTimeOrb::of(core)); }
CORBA::Object_ptr make_transform_manager(orb::Core& core) { return new TransformManager(RealTimeOrb::of(core)); }
CORBA::Object_ptr make_network_mapping_manager(orb::Core& core) {
  return new NetworkMappingManager(RealTimeOrb::of(core));
}

}  // namespace callis::rt
