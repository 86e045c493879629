// SPDX-License-Identifier: Apache-2.0
// AdapterPolicies: what an adapter keeps of its real-time policies: for those who
// serve its requests, and for its references. They tell clients the policies (TAG_POLICIES), and name the address of
// the object's lane in place of the ORB's, and those of the other lanes where clients choose.
#pragma once
#include <callis/orb/core/interception.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/lanes/threadpool.h>
#include <callis/rt/policies/policies.h>

namespace callis::poa {
class Adapter;
}

namespace callis::rt {

// Constant: any thread.
class AdapterPolicies final : public orb::AdapterNotes {
 public:
  // pool: nullptr for the ORB's usual threads. others: of other policies, which go into references first; nullptr for
  // none.
  AdapterPolicies(RtPolicies policies, orb::Counted<RealTimeOrb> orb, std::shared_ptr<Threadpool> pool,
                  std::unique_ptr<orb::AdapterNotes> others);
  ~AdapterPolicies() override;

  const RtPolicies& policies() const { return policies_; }
  bool propagates() const { return policies_.model == RTCORBA::CLIENT_PROPAGATED; }
  RealTimeOrb& orb() const { return *orb_; }
  Threadpool* pool() const { return pool_.get(); }
  // Of an object of SERVER_DECLARED; of CLIENT_PROPAGATED where a client says none. served_key: served_key_of().
  RTCORBA::Priority declared_priority(ByteView served_key) const;
  // With the priority that the object has by itself.
  void complete(orb::ReferencePtr& made) const override;
  // The reference that leads to these addresses, of them to those of the protocols of ServerProtocolPolicy.
  // object_key: as requests carry it.
  ior::Ior reference(orb::OrbContext& orb, std::string_view type_id, ByteView object_key,
                     const std::list<orb::EndpointAddress>& addresses) const;

  // Of an adapter that was made with real-time policies; nullptr for others. Valid as long as the adapter.
  static const AdapterPolicies* of(const poa::Adapter& adapter);

 private:
  void add_to(ior::Ior& ior, const Limits& limits, ByteView served_key) const;

  const RtPolicies policies_;
  const orb::Counted<RealTimeOrb> orb_;
  const std::shared_ptr<Threadpool> pool_;
  const std::unique_ptr<orb::AdapterNotes> others_;
};

// The object key of a reference as requests carry it; empty where it has no IIOP, UIOP or memory profile.
ior::Bytes key_of(const orb::Reference& reference);
// That key as the adapters of the ORB that made it know it: without its seal (-ORBUnguessableKeys). ObjectPriorities
// has such keys.
ByteView served_key_of(const orb::OrbContext& orb, ByteView object_key);

// Lets adapters be made with real-time policies; after messaging::use().
void use_adapter_policies();

}  // namespace callis::rt
