// SPDX-License-Identifier: Apache-2.0
// A program that is linked without any feature: whatever is asked for that it lacks names the feature.
#include <gtest/gtest.h>
#include <callis/base/feature.h>
#include "orb_with.h"

namespace callis::features {
namespace {

::testing::AssertionResult lacks(const std::string& feature, const std::string& thrown) {
  if (thrown.find("this program is linked without the feature " + feature + ",") != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "thrown: " << thrown;
}

TEST(WithoutFeatures, OptionsNameTheFeatureThatTheyWant) {
  EXPECT_TRUE(lacks("pool", thrown_with({"-ORBServerThreads", "pool"})));
  EXPECT_TRUE(lacks("pool", thrown_with({"-ORBServerThreads", "single"})));
  EXPECT_TRUE(lacks("sharing", thrown_with({"-ORBClientConnections", "shared"})));
  EXPECT_TRUE(lacks("sharing", thrown_with({"-ORBMaxConnectionsPerServer", "2"})));
  EXPECT_TRUE(lacks("urls", thrown_with({"-ORBDefaultInitRef", "corbaloc::host"})));
  EXPECT_TRUE(lacks("collocation", thrown_with({"-ORBCollocation", "direct"})));
  EXPECT_TRUE(lacks("code_sets", thrown_with({"-ORBNativeCharCodeSet", "UTF-8"})));
  EXPECT_TRUE(lacks("code_sets", thrown_with({"-ORBNativeWCharCodeSet", "UCS-4"})));
  EXPECT_TRUE(lacks("fragments", thrown_with({"-ORBFragmentSize", "1024"})));
  for (const char* level : {"trace", "debug", "info"})
    EXPECT_TRUE(lacks("call_log", thrown_with({"-ORBLog", level})));
  EXPECT_TRUE(lacks("settings", thrown_with({"-ORBConfigFile", "orb.conf"})));
  EXPECT_TRUE(lacks("settings", thrown_with({"-ORBInitRef", "A=corbaloc::host/A"})));
  EXPECT_TRUE(lacks("settings", thrown_with({"-ORBPublish", "host"})));
  EXPECT_TRUE(lacks("settings", thrown_with({"-ORBForwardTo", "any"})));
}

TEST(WithoutFeatures, WhatStaysIsTold) {
  EXPECT_EQ(thrown_with({"-ORBCallTimeout", "1000", "-ORBServerThreads", "connection"}), "");
  for (const char* level : {"warning", "error", "off"}) EXPECT_EQ(thrown_with({"-ORBLog", level}), "");
  EXPECT_NE(thrown_with({"-ORBCallTimeout", "soon"}).find("wants"), std::string::npos);
  EXPECT_NE(thrown_with({"-ORBCallTimeouts", "1"}).find("unknown option"), std::string::npos);
}

TEST(WithoutFeatures, AdaptersWantOtherLookupsAtTheirMaking) {
  for (const char* option : {"-ORBObjectLookup", "-ORBOperationLookup"})
    EXPECT_TRUE(lacks("lookups", thrown_by([&] {
      OrbWith orb({option, "hash"});
      PortableServer::POA_var root(orb.root());
    })));
}

TEST(WithoutFeatures, AdaptersWantUnguessableKeysAtTheirMaking) {
  EXPECT_TRUE(lacks("unguessable_keys", thrown_by([] {
    OrbWith orb({"-ORBUnguessableKeys", "yes"});
    PortableServer::POA_var root(orb.root());
  })));
}

TEST(WithoutFeatures, SocketsOfUnixCannotBeListenedOn) {
  for (const char* endpoint : {"unix:/tmp/features", "giop:unix:/tmp/features", "uiop:///tmp/features"})
    EXPECT_TRUE(lacks("unix", thrown_by([&] {
      OrbWith orb({"-ORBEndpoint", endpoint});
      PortableServer::POA_var root(orb.root());
    }))) << endpoint;
}

TEST(WithoutFeatures, UrlsAreNotRead) {
  OrbWith orb({});
  EXPECT_TRUE(lacks("urls", thrown_by([&] { CORBA::Object_var(orb->string_to_object("corbaloc::host/A")); })));
  EXPECT_TRUE(lacks("urls", thrown_by([&] { CORBA::Object_var(orb->string_to_object("corbaname::host#A")); })));
  CORBA::Object_var nil(orb->string_to_object("IOR:01000000010000000000000000000000"));
  EXPECT_TRUE(CORBA::is_nil(nil));
}

TEST(WithoutFeatures, InitialReferencesAreOnlyMade) {
  OrbWith orb({"-ORBEndpoint", "memory:features-initial"});
  EXPECT_TRUE(lacks("initial_references", thrown_by([&] { delete orb->list_initial_services(); })));
  PortableServer::POA_var root(orb.root());
  EXPECT_TRUE(lacks("initial_references", thrown_by([&] { orb->register_initial_reference("A", root.in()); })));
  EXPECT_THROW(CORBA::Object_var(orb->resolve_initial_references("POACurrent")), CORBA::ORB::InvalidName);
}

TEST(WithoutFeatures, TheRootIsTheOnlyAdapter) {
  OrbWith orb({"-ORBEndpoint", "memory:features-root"});
  PortableServer::POA_var root(orb.root());
  EXPECT_TRUE(lacks("adapters", thrown_by([&] {
    PortableServer::POA_var(root->create_POA("child", PortableServer::POAManager::_nil(), CORBA::PolicyList()));
  })));
  EXPECT_TRUE(lacks("adapters", thrown_by([&] { PortableServer::POA_var(root->find_POA("child", true)); })));
  EXPECT_TRUE(lacks("adapters", thrown_by([&] { delete root->the_children(); })));
  EXPECT_TRUE(lacks("adapters", thrown_by([&] { PortableServer::ServantManager_var(root->get_servant_manager()); })));
  EXPECT_TRUE(lacks("adapters", thrown_by([&] { root->set_servant(nullptr); })));
}

TEST(WithoutFeatures, IdsAreThoseOfTheSystem) {
  OrbWith orb({"-ORBEndpoint", "memory:features-ids"});
  PortableServer::POA_var root(orb.root());
  const PortableServer::ObjectId_var id(PortableServer::string_to_ObjectId("a"));
  EXPECT_TRUE(lacks("object_ids", thrown_by([&] { root->activate_object_with_id(id.in(), nullptr); })));
  EXPECT_TRUE(lacks("object_ids", thrown_by([&] { CORBA::Object_var(root->create_reference("IDL:A:1.0")); })));
  EXPECT_TRUE(lacks("object_ids", thrown_by([&] { PortableServer::ObjectId_var(root->servant_to_id(nullptr)); })));
  EXPECT_TRUE(lacks("object_ids", thrown_by([&] { CORBA::Object_var(root->servant_to_reference(nullptr)); })));
  EXPECT_TRUE(lacks("object_ids", thrown_by([&] { (void)root->id_to_servant(id.in()); })));
}

}  // namespace
}  // namespace callis::features
