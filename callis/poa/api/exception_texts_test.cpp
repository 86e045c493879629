// SPDX-License-Identifier: Apache-2.0
// The parts that clients see, and do not see, of the texts that servants give their system exceptions (CORBA 3.0.3,
// 13.7.1).
#include <callis/classic/exception.h>
#include <callis/poa/testing/orb_fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct TextsOf : OrbFixture {
  void TestBody() override {}  // so that a test may have another one
  CORBA::ORB_var client = make({});
  Servant_var<Probe> probe{new Probe};
  CORBA::Object_var own;     // as the server has it
  CORBA::Object_var object;  // as the client has it

  explicit TextsOf(std::vector<std::string> options = {}) : OrbFixture(std::move(options)) {
    own = activate(probe.in(), root.in());
    const CORBA::String_var text = orb->object_to_string(own.in());
    object = client->string_to_object(text.in());
  }
  ~TextsOf() override { client->destroy(); }
  // The text of the client's exception, without its place of origin.
  std::string what(CORBA::Object_ptr of) {
    try {
      act(of);
      return "nothing";
    } catch (const CORBA::SystemException& e) {
      const std::string all = e.what();
      const std::size_t from = all.find("from ");
      if (from == std::string::npos) return all;
      const std::size_t end = all.find(": ", from);
      return all.substr(0, from) + (end == std::string::npos ? "" : all.substr(end + 2));
    }
  }
};
using ExceptionTexts = TextsOf;

struct KeptExceptionTexts : TextsOf {
  KeptExceptionTexts() : TextsOf({"-ORBExceptionTexts", "keep"}) {}
};
struct CollocatedExceptionTexts : TextsOf, ::testing::WithParamInterface<const char*> {
  CollocatedExceptionTexts() : TextsOf({"-ORBCollocation", GetParam()}) {}
};

const char kLocked[] = "CORBA::NO_PERMISSION minor 0x00000005 COMPLETED_YES: the account is locked";
void locked() { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES, "the account is locked"); }

TEST_F(ExceptionTexts, OfServantsGoToTheirClients) {
  probe->during = locked;
  EXPECT_EQ(what(object.in()), kLocked);
}

TEST_F(ExceptionTexts, SetBeforeTheyAreThrownGoToTheirClients) {
  probe->during = [] {
    CORBA::NO_PERMISSION e(5, CORBA::COMPLETED_YES);
    e.detail("the account is locked");
    e._raise();
  };
  EXPECT_EQ(what(object.in()), kLocked);
}

TEST_F(ExceptionTexts, MayHaveAnyCharacters) {
  probe->during = [] {
    throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff");
  };
  EXPECT_EQ(what(object.in()),
            "CORBA::NO_PERMISSION minor 0x00000005 COMPLETED_YES: \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\xff");
}

TEST_F(ExceptionTexts, OfTheOrbStayInTheServer) {
  probe->during = [] { classic::raise<CORBA::NO_PERMISSION>(5, CORBA::COMPLETED_YES, "from 10.0.0.1:7"); };
  EXPECT_EQ(what(object.in()), "CORBA::NO_PERMISSION minor 0x00000005 COMPLETED_YES: ");
}

TEST_F(ExceptionTexts, OfAnotherServerDoNotGoOnToTheClient) {
  const TextsOf* const behind = this;
  TextsOf front;
  probe->during = locked;
  front.probe->during = [behind] { act(behind->object.in()); };
  EXPECT_EQ(front.what(front.object.in()), "CORBA::NO_PERMISSION minor 0x00000005 COMPLETED_YES: ");
}

TEST_F(KeptExceptionTexts, StayInTheServer) {
  probe->during = locked;
  EXPECT_EQ(what(object.in()), "CORBA::NO_PERMISSION minor 0x00000005 COMPLETED_YES: ");
}

TEST_P(CollocatedExceptionTexts, AreInTheExceptionItself) {
  probe->during = locked;
  EXPECT_EQ(what(own.in()), kLocked);
}
INSTANTIATE_TEST_SUITE_P(Ways, CollocatedExceptionTexts, ::testing::Values("marshaled", "adapter", "direct"),
                         [](const auto& way) { return std::string(way.param); });

}  // namespace
}  // namespace callis::poa::testing
