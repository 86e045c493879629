// SPDX-License-Identifier: Apache-2.0
// A server that starts. Its clients have persistent references and call before its adapters are made (CORBA 3.3 part
// 1, 15.3.2.1: requests to adapters that hold wait).
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct Starting : ::testing::Test {
  Orb orb{{}, tests_have_seals(), false};
  Servant_var<Probe> servant{new Probe};
  POA_var made;

  static Key key() {
    Key k = persistent_key_prefix(encode_path({{"later"}}));
    for (const char c : {'o', 'b', 'j', 'e', 'c', 't'}) k.push_back(static_cast<Byte>(c));
    return k;
  }
  void make_adapter() {
    CORBA::PolicyList list;
    list.length(2);
    list[0] = orb.root->create_lifespan_policy(PERSISTENT);
    list[1] = orb.root->create_id_assignment_policy(USER_ID);
    made = orb.root->create_POA("later", orb.manager.in(), list);
    const ObjectId_var id = text_id("object");
    made->activate_object_with_id(id.in(), servant.in());
  }
  std::string ping(const Key& key) {
    FakeRequest request(key, "ping");
    orb.dispatcher.handle(request);
    return request.outcome == FakeRequest::Outcome::Reply ? "ok" : request.system();
  }
};

TEST_F(Starting, RequestsWaitForAdaptersThatAreNotMadeYet) {
  auto answer = std::async(std::launch::async, [&] { return ping(key()); });
  await([&] { return orb.registry->held() == 1; });
  make_adapter();
  orb.manager->activate();
  EXPECT_EQ(answer.get(), "ok");
}

TEST_F(Starting, RequestsForAdaptersThatAreNeverMadeAreRefusedOnceAManagerIsActive) {
  auto answer = std::async(std::launch::async, [&] { return ping(key()); });
  await([&] { return orb.registry->held() == 1; });
  orb.manager->activate();
  EXPECT_EQ(answer.get(), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(ping(key()), "OBJECT_NOT_EXIST 2 NO") << "at once";
  orb.manager->hold_requests(false);
  EXPECT_EQ(ping(key()), "OBJECT_NOT_EXIST 2 NO") << "a server that has started knows its adapters";
}

TEST_F(Starting, RequestsWithKeysOfOtherServersAreRefusedAtOnce) {
  EXPECT_EQ(ping({'x', 'y'}), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(orb.registry->held(), 0u);
}

TEST_F(Starting, LocateRequestsSayThatTheObjectMayBeHere) {
  EXPECT_EQ(orb.registry->locate(key()), orb::Locate::Here);
  orb.manager->activate();
  EXPECT_EQ(orb.registry->locate(key()), orb::Locate::Unknown);
}

TEST_F(Starting, NoMoreRequestsWaitThanOtherwise) {
  Registry::Options options;
  options.max_held = 0;
  Orb none(options, tests_have_seals(), false);
  FakeRequest request(key(), "ping");
  none.dispatcher.handle(request);
  EXPECT_EQ(request.system(), "TRANSIENT 1 NO");
}

}  // namespace
}  // namespace callis::poa::testing
