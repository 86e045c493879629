// SPDX-License-Identifier: Apache-2.0
// A usual program has all features, whether it uses them or not.
#include <gtest/gtest.h>
#include <callis/base/feature.h>
#include "all_features.h"
#include "orb_with.h"

#define DECLARE(name) CALLIS_FEATURE(name);
CALLIS_ALL_FEATURES(DECLARE)
#undef DECLARE

namespace callis::features {
namespace {

TEST(WithAllFeatures, EachIsThere) {
#define EXPECT_IT(name) EXPECT_TRUE(CALLIS_HAS(name)) << #name;
  CALLIS_ALL_FEATURES(EXPECT_IT)
#undef EXPECT_IT
}

TEST(WithAllFeatures, OptionsAreTaken) {
  EXPECT_EQ(thrown_with({"-ORBServerThreads", "pool", "-ORBClientConnections", "shared", "-ORBCollocation", "direct",
                         "-ORBNativeCharCodeSet", "UTF-8", "-ORBFragmentSize", "1024", "-ORBInitRef",
                         "A=corbaloc::host/A"}),
            "");
}

}  // namespace
}  // namespace callis::features
