// SPDX-License-Identifier: Apache-2.0
// The warnings, in the log and for clients, about foreign exceptions of servants, managers that nobody has activated,
// and nested calls that run out of time.
#include <callis/base/testing/log_lines.h>
#include <callis/poa/testing/tcp_fixture.h>
#include <stdexcept>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;
using callis::testing::LogLines;

struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Warnings = TcpFixture;

TEST_F(Warnings, OfAForeignExceptionNameOperationTypeAndText) {
  const LogLines lines;
  probe->during = [] { throw Mistake("the table is full"); };
  EXPECT_NE(thrown_by([&] { OrbFixture::act(object.in()); }).find("C++ exception that is no CORBA exception"),
            std::string::npos);
  ASSERT_EQ(lines.all().size(), 1u);
  for (const char* part : {"act()", "callis::poa::testing::", "Mistake", "the table is full"})
    EXPECT_EQ(lines.with(part), 1u) << part << " in " << lines.all()[0];
}

TEST_F(Warnings, OfAForeignExceptionComeOnceForEachType) {
  const LogLines lines;
  probe->during = [] { throw short(7); };
  for (int i = 0; i < 3; ++i) thrown_by([&] { OrbFixture::act(object.in()); });
  EXPECT_EQ(lines.with(": short"), 1u);
  probe->during = [] { throw 7ULL; };
  thrown_by([&] { OrbFixture::act(object.in()); });
  EXPECT_EQ(lines.with(": unsigned long long"), 1u);
  EXPECT_EQ(lines.all().size(), 2u);
}

TEST_F(Warnings, OfAForeignExceptionComeFromDirectCallsToo) {
  const LogLines lines;
  probe->during = [] { throw std::logic_error("direct"); };
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(thrown_by([&] { OrbFixture::act(own.in()); }).find("C++ exception"), std::string::npos);
  EXPECT_EQ(lines.with("std::logic_error: direct"), 1u);
}

TEST_F(Warnings, OfAManagerThatNobodyHasActivatedComeOnce) {
  const LogLines lines;
  const POA_var child(root->create_POA("late", nullptr, {}));
  const CORBA::Object_var in_child(activate(child.in()));
  const CORBA::Object_var there(of(client.in(), in_child.in()));
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) callers.emplace_back([&] { OrbFixture::ping(there.in()); });
  await([&] { return lines.with("RootPOA/late is HOLDING") != 0; });
  POAManager_var(child->the_POAManager())->activate();
  for (auto& c : callers) c.join();
  EXPECT_EQ(lines.with("call activate()"), 1u);
  EXPECT_EQ(probe->pings, 2);
}

TEST_F(Warnings, OfHoldingAreNotForManagersThatHoldOnPurpose) {
  const LogLines lines;
  const CORBA::Object_var there(of(impatient.in(), own.in()));
  manager->hold_requests(false);
  EXPECT_NE(thrown_by([&] { OrbFixture::ping(there.in()); }).find("CORBA::TIMEOUT"), std::string::npos);
  manager->activate();
  EXPECT_TRUE(lines.all().empty());
}

// The inner call gets no answer, as its adapter holds requests; the outer one does.
TEST_F(Warnings, OfANestedTimeoutSayThatItIsNotTheClientsOwn) {
  const LogLines lines;
  const POA_var child(root->create_POA("slow", nullptr, {}));
  const POAManager_var its(child->the_POAManager());
  its->hold_requests(false);
  const CORBA::Object_var in_child(activate(child.in()));
  const CORBA::Object_var behind(of(impatient.in(), in_child.in()));
  probe->during = [&] { OrbFixture::ping(behind.in()); };
  const std::string what = thrown_by([&] { OrbFixture::act(object.in()); });
  EXPECT_TRUE(what.starts_with("CORBA::TIMEOUT")) << what;
  EXPECT_NE(what.find("a call that the servant made in act() was not answered in time"), std::string::npos) << what;
  EXPECT_EQ(lines.with("passes its TIMEOUT on to the client of act()"), 1u);
  its->activate();
}

}  // namespace
}  // namespace callis::poa::testing
