// SPDX-License-Identifier: Apache-2.0
// Real-time policies that are set for an ORB: what its adapters have that are given none of a type.
#include <callis/ior/tags.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/testing/lanes.h>

namespace callis::rt {
namespace {

using namespace testing;

struct Defaults : Lanes {
  CORBA::PolicyManager_var manager() {
    const CORBA::Object_var object = server->resolve_initial_references("ORBPolicyManager");
    return CORBA::PolicyManager::_narrow(object.in());
  }
  void set(std::initializer_list<CORBA::Policy_ptr> policies) {
    CORBA::PolicyList list;
    for (CORBA::Policy_ptr p : policies) add(list, p);
    manager()->set_policy_overrides(list, CORBA::SET_OVERRIDE);
  }
  PortableServer::POA_ptr adapter_with(std::initializer_list<CORBA::Policy_ptr> policies, const char* name = "a") {
    CORBA::PolicyList list;
    for (CORBA::Policy_ptr p : policies) add(list, p);
    const PortableServer::POAManager_var active = root->the_POAManager();
    return root->create_POA(name, active.in(), list);
  }
  CORBA::Policy_ptr declared(Priority p) { return rt->create_priority_model_policy(RTCORBA::SERVER_DECLARED, p); }
};

TEST_F(Defaults, AreThoseOfAdaptersWithoutPolicies) {
  set({declared(10), rt->create_threadpool_policy(lanes({10, 20}))});
  const PortableServer::POA_var poa = adapter_with({});
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 10);
}

TEST_F(Defaults, GiveWayToPoliciesOfTheAdapter) {
  set({declared(10), rt->create_threadpool_policy(lanes({10, 20}))});
  const PortableServer::POA_var poa = adapter_with({declared(20)});
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 20);
}

TEST_F(Defaults, OfProtocolsAreThoseInReferences) {
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0].protocol_type = ior::kUiopProfile;
  set({rt->create_server_protocol_policy(protocols)});
  EXPECT_THROW(adapter_with({}), CORBA::INV_POLICY) << "the server does not listen at Unix-domain sockets";
  set({});
  const PortableServer::POA_var poa = adapter_with({});
}

TEST_F(Defaults, ThatDoNotFitAreToldWithoutAnIndex) {
  const RTCORBA::ThreadpoolId pool = lanes({10, 20});
  set({rt->create_threadpool_policy(pool)});
  try {
    const PortableServer::POA_var poa = adapter_with({declared(15)});
    ADD_FAILURE() << "no lane has the priority";
  } catch (const CORBA::INV_POLICY& e) {
    EXPECT_EQ(e.minor(), kBadDefaultPolicy);
  }
  const RTCORBA::ThreadpoolId gone = lanes({10});
  const CORBA::Policy_var of_gone = rt->create_threadpool_policy(gone);
  rt->destroy_threadpool(gone);
  try {
    const PortableServer::POA_var poa = adapter_with({CORBA::Policy::_duplicate(of_gone.in())});
    ADD_FAILURE() << "there is no such pool";
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 0);
  }
  rt->destroy_threadpool(pool);
  EXPECT_THROW(adapter_with({declared(10)}), CORBA::INV_POLICY);
  set({});
  const PortableServer::POA_var poa = adapter_with({declared(10)});
}

}  // namespace
}  // namespace callis::rt
