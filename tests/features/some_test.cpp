// SPDX-License-Identifier: Apache-2.0
// A program that has chosen pool and adapters has these and no others.
#include <gtest/gtest.h>
#include <callis/base/feature.h>
#include "orb_with.h"

CALLIS_FEATURE(pool);
CALLIS_FEATURE(sharing);

namespace callis::features {
namespace {

TEST(WithSomeFeatures, ThoseChosenAreThere) {
  EXPECT_TRUE(CALLIS_HAS(pool));
  EXPECT_FALSE(CALLIS_HAS(sharing));
  OrbWith orb({"-ORBServerThreads", "pool", "-ORBEndpoint", "memory:features-some"});
  PortableServer::POA_var root(orb.root());
  PortableServer::LifespanPolicy_var persistent(root->create_lifespan_policy(PortableServer::PERSISTENT));
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = PortableServer::LifespanPolicy::_duplicate(persistent.in());
  PortableServer::POA_var child(root->create_POA("child", PortableServer::POAManager::_nil(), policies));
  const CORBA::String_var name(child->the_name());
  EXPECT_STREQ(name.in(), "child");
  EXPECT_NE(thrown_with({"-ORBClientConnections", "shared"}), "");
}

}  // namespace
}  // namespace callis::features
