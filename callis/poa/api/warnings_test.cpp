// SPDX-License-Identifier: Apache-2.0
// What the log and clients are told of servants that throw what is no CORBA exception, of managers that nobody has
// activated, and of nested calls that run out of time.
#include <callis/base/testing/log_lines.h>
#include <callis/classic/exception.h>
#include <callis/poa/testing/orb_fixture.h>
#include <stdexcept>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;
using callis::testing::LogLines;

struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Over TCP, as the memory transport serves requests on the client's thread, however long they take.
struct Warnings : ::testing::Test {
  CORBA::ORB_var orb = make({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBCollocation", "direct"});
  CORBA::ORB_var client = make({});
  CORBA::ORB_var impatient = make({"-ORBCallTimeout", "20"});
  POA_var root;
  POAManager_var manager;
  Servant_var<Probe> probe{new Probe};
  CORBA::Object_var own;     // as the server has it
  CORBA::Object_var object;  // as the client has it

  Warnings() {
    const CORBA::Object_var any(orb->resolve_initial_references("RootPOA"));
    root = POA::_narrow(any.in());
    manager = root->the_POAManager();
    manager->activate();
    own = activate(root.in());
    object = of(client.in(), own.in());
  }
  ~Warnings() override {
    for (const auto& each : {client, impatient, orb}) each->destroy();
  }
  static CORBA::ORB_ptr make(std::vector<std::string> options) {
    static int number = 0;
    return make_orb(("warnings" + std::to_string(++number)).c_str(), std::move(options));
  }
  CORBA::Object_ptr activate(POA_ptr poa) {
    const ObjectId_var id(poa->activate_object(probe.in()));
    return poa->id_to_reference(id.in());
  }
  // The server's object, as that ORB has it.
  CORBA::Object_ptr of(CORBA::ORB_ptr other, CORBA::Object_ptr servers) {
    const CORBA::String_var text(orb->object_to_string(servers));
    return other->string_to_object(text.in());
  }
  static std::string thrown_by(const std::function<void()>& call) {
    try {
      call();
      return "nothing";
    } catch (const CORBA::SystemException& e) {
      return e.what();
    }
  }
};

TEST_F(Warnings, OfAForeignExceptionNameOperationTypeAndText) {
  const LogLines lines;
  probe->during = [] { throw Mistake("the table is full"); };
  EXPECT_NE(thrown_by([&] { OrbFixture::act(object.in()); }).find("a C++ exception that is no CORBA exception left the servant"),
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
  EXPECT_NE(what.find("CORBA::TIMEOUT"), std::string::npos) << what;
  EXPECT_NE(what.find("a call that the servant made in act() was not answered in time"), std::string::npos) << what;
  EXPECT_EQ(lines.with("passes its TIMEOUT on to the client of act()"), 1u);
  its->activate();
}

}  // namespace
}  // namespace callis::poa::testing
