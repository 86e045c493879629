// SPDX-License-Identifier: Apache-2.0
// _default_POA() and _this() (C++ mapping 1.3, 4.36.2 and 4.36.5): the root adapter of the default ORB, also where
// nobody has asked for it before.
#include <callis/orb/core/object_of.h>
#include <callis/poa/testing/object_link.h>
#include <callis/poa/testing/orb_fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct OwnedOrb {
  CORBA::ORB_var orb;
  explicit OwnedOrb(const char* id, const char* endpoint) : orb(make_orb(id, {"-ORBEndpoint", endpoint})) {}
  ~OwnedOrb() {
    try {
      orb->destroy();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the test has done it
    }
  }
  POA_ptr root() {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    return POA::_narrow(object.in());
  }
};

CORBA::Object_ptr this_of(Probe& servant) {
  return static_cast<CORBA::Object_ptr>(this_reference(servant, kObjectLink));
}

TEST(DefaultAdapter, ThisMakesTheRootOfTheDefaultOrb) {
  const OwnedOrb named("default_adapter_named", "memory:default_adapter_1");
  OwnedOrb orb("", "memory:default_adapter_2");
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = this_of(*servant);
  const POA_var root = orb.root();
  root->the_POAManager()->activate();
  OrbFixture::ping(object.in());
  EXPECT_EQ(servant->pings, 1);
  const POA_var again = servant->_default_POA();
  EXPECT_EQ(again.in(), root.in());
}

TEST(DefaultAdapter, IsThatOfTheDefaultOrbThoughTheRootOfAnotherWasAskedForBefore) {
  OwnedOrb named("default_adapter_named", "memory:default_adapter_3"), orb("", "memory:default_adapter_4");
  const POA_var other = named.root();
  const Servant_var<Probe> servant(new Probe);
  const POA_var got = servant->_default_POA();
  const POA_var root = orb.root();
  EXPECT_EQ(got.in(), root.in());
}

TEST(DefaultAdapter, IsMadeForTheOnlyOrbWhereThereIsNoDefaultOrb) {
  OwnedOrb orb("default_adapter_named", "memory:default_adapter_5");
  const Servant_var<Probe> servant(new Probe);
  const POA_var got = servant->_default_POA();
  const POA_var root = orb.root();
  EXPECT_EQ(got.in(), root.in());
}

TEST(DefaultAdapter, IsThatOfAnotherOrbOnceTheDefaultOrbHasBeenShutDown) {
  OwnedOrb named("default_adapter_named", "memory:default_adapter_6"), orb("", "memory:default_adapter_7");
  const POA_var root = named.root();
  orb.orb->shutdown(true);
  const Servant_var<Probe> servant(new Probe);
  const POA_var got = servant->_default_POA();
  EXPECT_EQ(got.in(), root.in());
}

TEST(DefaultAdapter, OfNoOrbIsObjAdapter) {
  const Servant_var<Probe> servant(new Probe);
  EXPECT_THROW(servant->_default_POA(), CORBA::OBJ_ADAPTER);
}

}  // namespace
}  // namespace callis::poa::testing
