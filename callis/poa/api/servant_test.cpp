// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// C++ mapping 1.3, 4.34 and 4.35
struct ServantTest : ::testing::Test {
  const int alive_before = Probe::alive;
  int alive() const { return Probe::alive - alive_before; }
};

TEST_F(ServantTest, StartsWithOneCountAndDiesWithTheLast) {
  auto* s = new Probe;
  EXPECT_EQ(s->_refcount_value(), 1u);
  s->_add_ref();
  EXPECT_EQ(s->_refcount_value(), 2u);
  s->_remove_ref();
  EXPECT_EQ(alive(), 1);
  s->_remove_ref();
  EXPECT_EQ(alive(), 0);
}

TEST_F(ServantTest, VarOwnsOneCount) {
  {
    const ServantBase_var v(new Probe);
    const ServantBase_var copy(v);
    EXPECT_EQ(v->_refcount_value(), 2u);
  }
  EXPECT_EQ(alive(), 0);
}

TEST_F(ServantTest, VarAssignmentMovesCounts) {
  ServantBase_var a(new Probe), b(new Probe);
  a = b;
  EXPECT_EQ(alive(), 1);
  EXPECT_EQ(a->_refcount_value(), 2u);
  a = new Probe;
  EXPECT_EQ(alive(), 2);
  EXPECT_EQ(b->_refcount_value(), 1u);
  ServantBase* const released = a._retn();
  EXPECT_EQ(a.in(), nullptr);
  released->_remove_ref();
  b.out() = nullptr;
  EXPECT_EQ(alive(), 0);
}

TEST_F(ServantTest, VarOfADerivedServantConverts) {
  const Servant_var<Probe> derived(new Probe);
  const ServantBase_var base(derived);
  EXPECT_EQ(derived->_refcount_value(), 2u);
}

TEST_F(ServantTest, RefCountServantBaseMayStillBeInherited) {
  struct Old : Probe, RefCountServantBase {};
  const Servant_var<Old> s(new Old);
  EXPECT_EQ(s->_refcount_value(), 1u);
}

TEST_F(ServantTest, IsAWithNullIsFalse) {
  const Servant_var<Probe> s(new Probe);
  EXPECT_FALSE(s->_is_a(nullptr));
  EXPECT_TRUE(s->_is_a(kProbeId));
}

TEST_F(ServantTest, WithoutAnOrbThereIsNoDefaultPoa) {
  const Servant_var<Probe> s(new Probe);
  EXPECT_THROW(s->_default_POA(), CORBA::OBJ_ADAPTER);
}

}  // namespace
}  // namespace callis::poa::testing
