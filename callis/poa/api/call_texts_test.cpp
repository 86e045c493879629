// SPDX-License-Identifier: Apache-2.0
// The texts of calls' exceptions for people: whose limit has passed, which object, which operation, which members.
#include <callis/poa/testing/tcp_fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct CallTexts : TcpFixture {
  // Whether that throws what has the text in it.
  static ::testing::AssertionResult says(const std::string& text, const std::function<void()>& call) {
    const std::string what = thrown_by(call);
    if (what.find(text) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << what;
  }
};

TEST_F(CallTexts, OfTimeoutsHaveOperationLimitSourceTimeAndPeer) {
  manager->hold_requests(false);
  const CORBA::Object_var there(of(impatient.in(), own.in()));
  const std::string what = thrown_by([&] { OrbFixture::ping(there.in()); });
  EXPECT_NE(what.find(": ping() was not answered within 20 ms (-ORBCallTimeout); "), std::string::npos) << what;
  EXPECT_NE(what.find(" ms have passed, waiting for a reply from 127.0.0.1:"), std::string::npos) << what;
  manager->activate();
}

TEST_F(CallTexts, OfServersHaveTheSentencesOfTheirMinorCodes) {
  probe->during = [] { throw CORBA::BAD_INV_ORDER(CORBA::OMGVMCID | 4, CORBA::COMPLETED_NO); };
  EXPECT_TRUE(says(": the ORB has been shut down", [&] { OrbFixture::act(object.in()); }));
  probe->during = [] { throw CORBA::BAD_INV_ORDER(CORBA::OMGVMCID | 4, CORBA::COMPLETED_NO, "later"); };
  EXPECT_TRUE(says(": the ORB has been shut down: later", [&] { OrbFixture::act(object.in()); }));
  manager->discard_requests(false);
  EXPECT_TRUE(says(": the adapter discards requests", [&] { OrbFixture::ping(object.in()); }));
  manager->activate();
}

TEST_F(CallTexts, SayASentenceOnce) {
  probe->during = [] { throw 1.5f; };
  const std::string what = thrown_by([&] { OrbFixture::act(object.in()); });
  const std::size_t at = what.find("a C++ exception that is no CORBA exception left the servant");
  ASSERT_NE(at, std::string::npos) << what;
  EXPECT_EQ(what.find("left the servant", at + 60), std::string::npos) << what;
}

TEST_F(CallTexts, OfObjectsThatDoNotExistHaveTheKey) {
  const ObjectId_var id(root->reference_to_id(own.in()));
  root->deactivate_object(id.in());
  EXPECT_TRUE(says("the object is not active in it: object key ", [&] { OrbFixture::ping(object.in()); }));
}

TEST_F(CallTexts, OfOperationsThatDoNotExistHaveTheName) {
  probe->during = [] { throw CORBA::BAD_OPERATION(CORBA::OMGVMCID | 2, CORBA::COMPLETED_NO); };
  EXPECT_TRUE(says(": operation act", [&] { OrbFixture::act(object.in()); }));
}

TEST_F(CallTexts, OfUserExceptionsHaveTheirMembers) {
  EXPECT_TRUE(says("IDL:test/Refused:1.0 {\"", [&] { OrbFixture::greet(object.in(), "stranger"); }));
}

}  // namespace
}  // namespace callis::poa::testing
