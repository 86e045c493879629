// SPDX-License-Identifier: Apache-2.0
// The mapping's cases over the ORB itself, to objects of the caller's own ORB: directly, through the adapter, and
// marshaled. In the place of loopback.cpp.
#include "cases.h"
#include <callis/corba.h>
#include <callis/poa/servant/demultiplexing.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <map>

namespace {

using callis::poa::Collocation;
constexpr Collocation kWays[] = {Collocation::Direct, Collocation::ThroughAdapter, Collocation::Marshaled};
constexpr const char* kWayNames[] = {"Marshaled", "ThroughAdapter", "Direct"};  // by value

// One ORB, an adapter for each way, and the servants' ids there.
struct World {
  CORBA::ORB_var orb = make();
  PortableServer::POA_var root = root_of(orb);
  PortableServer::POA_var poas[3];
  std::map<std::pair<int, PortableServer::ServantBase*>, CORBA::Object_var> objects;
  int way = 0;

  World() {
    const PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    for (const Collocation each : kWays) {
      CORBA::PolicyList policies;
      policies.length(1);
      policies[0] = callis::poa::create_collocation_policy(each);
      const int i = static_cast<int>(each);
      poas[i] = root->create_POA(kWayNames[i], manager, policies);
    }
  }
  static CORBA::ORB_ptr make() {
    char program[] = "test", option[] = "-ORBEndpoint", value[] = "memory:collocated";
    char* argv[] = {program, option, value, nullptr};
    int argc = 3;
    return CORBA::ORB_init(argc, argv, "collocated");
  }
  static PortableServer::POA_ptr root_of(CORBA::ORB_ptr orb) {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    return PortableServer::POA::_narrow(object);
  }
  CORBA::Object_ptr object_of(PortableServer::ServantBase& servant) {
    CORBA::Object_var& known = objects[{way, &servant}];
    if (!known.in()) {
      const PortableServer::ObjectId_var id = poas[way]->activate_object(&servant);
      known = poas[way]->id_to_reference(id);
    }
    return known.in();
  }
};

World& world() {
  static World& w = *new World;
  return w;
}

}  // namespace

namespace loopback {

void select_style(const std::string&) {}

void* reference(PortableServer::ServantBase& servant, void* (*create)(callis::orb::Reference*), const char*) {
  return create(world().object_of(servant)->_callis_reference());
}

unsigned key_of(CORBA::Object_ptr object) {
  for (const auto& [where, known] : world().objects)
    if (object && known->_is_equivalent(object))
      return 1 + static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(where.second) >> 4);
  return 0;
}

}  // namespace loopback

namespace {

class Collocated : public testing::TestWithParam<std::tuple<Collocation, std::size_t>> {
 protected:
  void run(const cases::Style& style) {
    const auto [way, number] = GetParam();
    world().way = static_cast<int>(way);
    const cases::Case& c = style.cases[number];
    for (unsigned seed = 0; seed < 30; ++seed) EXPECT_TRUE(c.run(seed)) << "seed " << seed;
  }
};

TEST_P(Collocated, CarriesValuesThroughInterpretedStubs) { run(cases::interpreted()); }
TEST_P(Collocated, CarriesValuesThroughCompiledStubs) { run(cases::compiled()); }
TEST_P(Collocated, CarriesValuesThroughHybridStubs) { run(cases::hybrid()); }

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> all(cases::interpreted().cases.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

std::string name_of(const testing::TestParamInfo<Collocated::ParamType>& test) {
  const auto [way, number] = test.param;
  return std::string(kWayNames[static_cast<int>(way)]) + "_" +
         std::string(cases::interpreted().cases[number].operation);
}

INSTANTIATE_TEST_SUITE_P(Ways, Collocated, testing::Combine(testing::ValuesIn(kWays), testing::ValuesIn(numbers())),
                         name_of);

}  // namespace
