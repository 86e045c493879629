// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/operation_lookup.h>
#include <callis/poa/testing/probe.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace callis::poa::testing {
namespace {

using orb::OperationLookup;
constexpr OperationLookup kWays[] = {OperationLookup::Perfect, OperationLookup::Binary, OperationLookup::Hash,
                                     OperationLookup::Linear};

TEST(OperationLookup, EveryWayFindsEveryOperationAndNothingElse) {
  const PortableServer::Servant_var<Probe> probe(new Probe);
  const Skeleton& skeleton = probe->_callis_skeleton();
  for (const OperationLookup way : kWays) {
    for (const char* name : {"ping", "add", "greet", "tick", "act", "sum", "twice", "check"}) {
      const SkeletonOperation* op = find_operation(skeleton, name, way);
      ASSERT_TRUE(op) << name;
      const marshal::OperationView view(*skeleton.unit, op->op);
      EXPECT_EQ(std::string_view(view.name(), view.name_length()), name);
    }
    for (const char* name : {"", "pin", "pingg", "zzz", "aaa", "_is_a"}) EXPECT_FALSE(find_operation(skeleton, name, way)) << name;
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
      std::string name(random() % 6, ' ');
      for (char& c : name) c = static_cast<char>(random());
      EXPECT_FALSE(find_operation(skeleton, name, way));
    }
  }
}

TEST(OperationLookup, ThreadsMayBeTheFirstTogether) {
  const PortableServer::Servant_var<Probe> probe(new Probe);
  Skeleton copy = probe->_callis_skeleton();  // another address: not known yet
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] { EXPECT_TRUE(find_operation(copy, "greet", OperationLookup::Binary)); });
  for (auto& t : threads) t.join();
}

}  // namespace
}  // namespace callis::poa::testing
