// SPDX-License-Identifier: Apache-2.0
// A usual program has all features, whether it uses them or not.
#include <gtest/gtest.h>
#include <callis/base/feature.h>
#include "orb_with.h"

CALLIS_FEATURE(adapters);
CALLIS_FEATURE(code_sets);
CALLIS_FEATURE(collocation);
CALLIS_FEATURE(corbaname);
CALLIS_FEATURE(current);
CALLIS_FEATURE(direct);
CALLIS_FEATURE(fragments);
CALLIS_FEATURE(initial_references);
CALLIS_FEATURE(lookups);
CALLIS_FEATURE(object_ids);
CALLIS_FEATURE(oneways);
CALLIS_FEATURE(other_keys);
CALLIS_FEATURE(pool);
CALLIS_FEATURE(rare_dispatch);
CALLIS_FEATURE(settings);
CALLIS_FEATURE(sharing);
CALLIS_FEATURE(shuffles);
CALLIS_FEATURE(text);
CALLIS_FEATURE(unix);
CALLIS_FEATURE(unix_addresses);
CALLIS_FEATURE(urls);

namespace callis::features {
namespace {

TEST(WithAllFeatures, EachIsThere) {
  EXPECT_TRUE(CALLIS_HAS(adapters));
  EXPECT_TRUE(CALLIS_HAS(code_sets));
  EXPECT_TRUE(CALLIS_HAS(collocation));
  EXPECT_TRUE(CALLIS_HAS(corbaname));
  EXPECT_TRUE(CALLIS_HAS(current));
  EXPECT_TRUE(CALLIS_HAS(direct));
  EXPECT_TRUE(CALLIS_HAS(fragments));
  EXPECT_TRUE(CALLIS_HAS(initial_references));
  EXPECT_TRUE(CALLIS_HAS(lookups));
  EXPECT_TRUE(CALLIS_HAS(object_ids));
  EXPECT_TRUE(CALLIS_HAS(oneways));
  EXPECT_TRUE(CALLIS_HAS(other_keys));
  EXPECT_TRUE(CALLIS_HAS(pool));
  EXPECT_TRUE(CALLIS_HAS(rare_dispatch));
  EXPECT_TRUE(CALLIS_HAS(settings));
  EXPECT_TRUE(CALLIS_HAS(sharing));
  EXPECT_TRUE(CALLIS_HAS(shuffles));
  EXPECT_TRUE(CALLIS_HAS(text));
  EXPECT_TRUE(CALLIS_HAS(unix));
  EXPECT_TRUE(CALLIS_HAS(unix_addresses));
  EXPECT_TRUE(CALLIS_HAS(urls));
}

TEST(WithAllFeatures, OptionsAreTaken) {
  EXPECT_EQ(thrown_with({"-ORBServerThreads", "pool", "-ORBClientConnections", "shared", "-ORBCollocation", "direct",
                         "-ORBNativeCharCodeSet", "UTF-8", "-ORBFragmentSize", "1024", "-ORBInitRef",
                         "A=corbaloc::host/A"}),
            "");
}

}  // namespace
}  // namespace callis::features
