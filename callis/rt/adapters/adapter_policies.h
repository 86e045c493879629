// SPDX-License-Identifier: Apache-2.0
// AdapterPolicies: the real-time policies of an adapter, for the threads that serve its requests and for its
// references. A reference tells clients the policies (TAG_POLICIES), and names the address of the object's lane in
// place of the ORB's. If clients choose the lane, the reference also names the addresses of the other lanes.
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
  // The priority of an object of SERVER_DECLARED, or of CLIENT_PROPAGATED if a client says none. served_key:
  // served_key_of().
  RTCORBA::Priority declared_priority(ByteView served_key) const;
  // Adds the priority that the object has by itself.
  void complete(orb::ReferencePtr& made) const override;
  // Returns a reference that leads to these addresses, as far as ServerProtocolPolicy names their protocols.
  // object_key: as requests carry it.
  ior::Ior reference(orb::OrbContext& orb, std::string_view type_id, ByteView object_key,
                     const std::list<orb::EndpointAddress>& addresses) const;

  // Returns nullptr if the adapter was made without real-time policies. The result is valid as long as the adapter.
  static const AdapterPolicies* of(const poa::Adapter& adapter);

 private:
  void add_to(ior::Ior& ior, const Limits& limits, ByteView served_key) const;

  const RtPolicies policies_;
  const orb::Counted<RealTimeOrb> orb_;
  const std::shared_ptr<Threadpool> pool_;
  const std::unique_ptr<orb::AdapterNotes> others_;
};

// Returns the object key of a reference as requests carry it; empty if the reference has no IIOP, UIOP or memory
// profile.
ior::Bytes key_of(const orb::Reference& reference);
// Returns the object key without its seal (-ORBUnguessableKeys), as the adapters of its ORB know it. ObjectPriorities
// has such keys.
ByteView served_key_of(const orb::OrbContext& orb, ByteView object_key);

// Lets adapters be made with real-time policies. Called after messaging::use().
void use_adapter_policies();

}  // namespace callis::rt
