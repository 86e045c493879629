// SPDX-License-Identifier: Apache-2.0
// Interceptors of a server with a ServantLocator (CORBA 3.0.3, 21.3.9). postinvoke() is part of the operation. So
// ending points come after postinvoke() and hear of its exceptions, as in JacORB and omniORB.
#include <callis/interceptors/testing/server_fixture.h>
#include <callis/orb/base/minor_codes.h>

namespace callis::interceptors::testing {
namespace {

struct LoggingLocator final : PortableServer::ServantLocator {
  LoggingLocator(Log& to, PortableServer::Servant gives) : log(to), servant(gives) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    log.push_back("preinvoke");
    return servant;
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {
    log.push_back("postinvoke");
    if (after) after();
  }
  Log& log;
  const PortableServer::Servant servant;
  std::function<void()> after;
};

struct Located : Server {
  classic::ReferenceVar<LoggingLocator> locator{new LoggingLocator(log, probe.in())};
  Located() {
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[1] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    const PortableServer::POA_var child = root->create_POA("child", manager.in(), policies);
    child->set_servant_manager(locator.in());
    const CORBA::Object_var there = child->create_reference(poa::testing::kProbeId);
    object = seen_by_client(there.in());
  }
  static Log with_ending(const char* ending) {
    const std::string e = ending;
    return {"A.contexts", "B.contexts", "C.contexts", "preinvoke", "A.receive_request", "B.receive_request",
            "C.receive_request", "postinvoke", "C." + e, "B." + e, "A." + e};
  }
};

TEST_F(Located, servers_hear_of_replies_after_postinvoke) {
  EXPECT_EQ(OrbFixture::add(object.in(), 2, 3), 5);
  EXPECT_EQ(log, with_ending("send_reply"));
}

TEST_F(Located, servers_hear_of_replies_of_compiled_operations_after_postinvoke) {
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(log, with_ending("send_reply"));
}

TEST_F(Located, servers_hear_of_the_adapters_answers_after_postinvoke) {
  EXPECT_FALSE(object->_non_existent());
  EXPECT_EQ(log, with_ending("send_reply"));
}

TEST_F(Located, servers_hear_of_oneways_after_postinvoke) {
  OrbFixture::tick(object.in(), 4);
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ((Log{log.begin(), log.begin() + 11}), with_ending("send_reply"));
  EXPECT_EQ(probe->ticks, 4);
}

TEST_F(Located, servers_hear_of_user_exceptions_after_postinvoke) {
  EXPECT_EQ(outcome_of([&] { OrbFixture::greet(object.in(), "stranger"); }), "Refused");
  EXPECT_EQ(log, with_ending("send_exception"));
}

TEST_F(Located, servers_hear_of_system_exceptions_after_postinvoke) {
  probe->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_YES); };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "NO_IMPLEMENT 5 YES");
  EXPECT_EQ(log, with_ending("send_exception"));
}

TEST_F(Located, servers_are_told_of_the_exception_of_postinvoke_instead_of_a_reply) {
  locator->after = [] { throw CORBA::PERSIST_STORE(5, CORBA::COMPLETED_YES); };
  a->at["send_exception"] = [](PI::ServerRequestInfo_ptr ri) {
    const CORBA::Any_var any = ri->sending_exception();
    const auto e = system_exception_in(any.in());
    ASSERT_TRUE(e);
    EXPECT_STREQ(e->_name(), "PERSIST_STORE");
  };
  EXPECT_EQ(outcome_of([&] { OrbFixture::add(object.in(), 2, 3); }), "PERSIST_STORE 5 YES");
  EXPECT_EQ(log, with_ending("send_exception"));
  log.clear();
  EXPECT_EQ(outcome_of([&] { OrbFixture::greet(object.in(), "stranger"); }), "PERSIST_STORE 5 YES");
  EXPECT_EQ(log, with_ending("send_exception"));
  log.clear();
  EXPECT_EQ(ping(), "PERSIST_STORE 5 YES");
  EXPECT_EQ(log, with_ending("send_exception"));
}

// The servant is the locator's again when results are written.
TEST_F(Located, servers_may_lose_the_servant_in_postinvoke) {
  struct Deleting final : PortableServer::ServantLocator {
    PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                      Cookie&) override {
      return new Probe;
    }
    void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                    PortableServer::Servant s) override {
      delete s;
    }
  };
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  const PortableServer::POA_var child = root->create_POA("deleting", manager.in(), policies);
  const PortableServer::ServantManager_var deleting(new Deleting);
  child->set_servant_manager(deleting.in());
  const CORBA::Object_var there = child->create_reference(poa::testing::kProbeId);
  object = seen_by_client(there.in());
  const int before = Probe::alive;
  EXPECT_EQ(OrbFixture::add(object.in(), 2, 3), 5);
  EXPECT_EQ(OrbFixture::greet(object.in(), "you"), "hello you");
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(Probe::alive, before);
}

}  // namespace
}  // namespace callis::interceptors::testing
