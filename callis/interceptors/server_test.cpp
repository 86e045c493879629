// SPDX-License-Identifier: Apache-2.0
// Interceptors on the server's side: order, flow, exceptions, forwards (CORBA 3.0.3, 21.3.7 to 21.3.9).
#include <callis/interceptors/testing/server_fixture.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/poa/testing/fake_request.h>

namespace callis::interceptors::testing {
namespace {

const Log kBegin = {"A.contexts", "B.contexts", "C.contexts", "A.receive_request", "B.receive_request",
                    "C.receive_request"};
Log after_begin(std::initializer_list<const char*> more) {
  Log all = kBegin;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Another server, to forward to.
struct Elsewhere {
  int requests = 0;
  ScriptedPeer peer{"interceptors_elsewhere", [this](Turn& t) {
    ++requests;
    return t.reply(giop::ReplyStatus::NoException, [](cdr::Encoder&) {});
  }};
  CORBA::Object_var object;
  explicit Elsewhere(orb::Core& core) : object(peer.object(core)) {}
};

TEST_F(Server, hear_of_requests_in_order_and_of_replies_the_other_way_round) {
  EXPECT_EQ(OrbFixture::add(object.in(), 2, 3), 5);
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
}

TEST_F(Server, hear_of_operations_without_result_and_of_compiled_ones) {
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
  EXPECT_EQ(probe.in()->pings, 1);
}

TEST_F(Server, hear_of_the_questions_that_the_adapter_answers) {
  EXPECT_TRUE(object->_is_a(poa::testing::kBaseId));
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
  log.clear();
  EXPECT_FALSE(object->_non_existent());
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
}

TEST_F(Server, hear_of_oneways) {
  a->at["send_reply"] = [](PI::ServerRequestInfo_ptr ri) {
    EXPECT_FALSE(ri->response_expected());
    EXPECT_EQ(ri->sync_scope(), Messaging::SYNC_WITH_TRANSPORT);
    ri->add_reply_service_context(context(1, {2}), false);
  };
  OrbFixture::tick(object.in(), 4);
  a->at.clear();
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(probe.in()->ticks, 4);
  EXPECT_EQ((Log{log.begin(), log.begin() + 9}), after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
}

TEST_F(Server, hear_of_user_exceptions) {
  a->at["send_exception"] = [](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::USER_EXCEPTION);
    const CORBA::Any_var any = ri->sending_exception();
    const auto unknown = system_exception_in(any.in());
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->minor(), orb::omg(1));
  };
  EXPECT_EQ(outcome_of([&] { OrbFixture::greet(object.in(), "stranger"); }), "Refused");
  EXPECT_EQ(log, after_begin({"C.send_exception", "B.send_exception", "A.send_exception"}));
}

TEST_F(Server, hear_of_system_exceptions_of_servants) {
  probe.in()->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_YES); };
  a->at["send_exception"] = [](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::SYSTEM_EXCEPTION);
    const CORBA::Any_var any = ri->sending_exception();
    const auto e = system_exception_in(any.in());
    ASSERT_TRUE(e);
    EXPECT_STREQ(e->_name(), "NO_IMPLEMENT");
    EXPECT_EQ(e->minor(), 5u);
  };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "NO_IMPLEMENT 5 YES");
  EXPECT_EQ(log, after_begin({"C.send_exception", "B.send_exception", "A.send_exception"}));
}

TEST_F(Server, see_to_it_that_texts_of_servants_reach_clients) {
  probe.in()->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_YES, "not today"); };
  try {
    OrbFixture::act(object.in());
    FAIL();
  } catch (const CORBA::NO_IMPLEMENT& e) {
    EXPECT_TRUE(e.detail().ends_with(": not today")) << e.what();
  }
}

// If an interceptor has added a context of that id, the ORB adds none.
TEST_F(Server, may_say_another_text_of_an_exception) {
  probe.in()->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_YES, "not today"); };
  a->at["send_exception"] = [](PI::ServerRequestInfo_ptr ri) {
    IOP::ServiceContext context;
    context.context_id = IOP::ExceptionDetailMessage;
    for (const int octet : {0, 0, 0, 0, 0, 0, 0, 4, 0, int{'n'}, 0, int{'o'}}) {
      context.context_data.length(context.context_data.length() + 1);
      context.context_data[context.context_data.length() - 1] = static_cast<CORBA::Octet>(octet);
    }
    ri->add_reply_service_context(context, false);
  };
  try {
    OrbFixture::act(object.in());
    FAIL();
  } catch (const CORBA::NO_IMPLEMENT& e) {
    EXPECT_TRUE(e.detail().ends_with(": no")) << e.what();
  }
}

TEST_F(Server, hear_of_requests_without_target_but_for_receive_request) {
  const PortableServer::ObjectId_var id = root->reference_to_id(own.in());
  root->deactivate_object(id.in());
  EXPECT_EQ(ping(), "OBJECT_NOT_EXIST 160 NO");
  EXPECT_EQ(log, (Log{"A.contexts", "B.contexts", "C.contexts", "C.send_exception", "B.send_exception",
                      "A.send_exception"}));
}

TEST_F(Server, whose_first_point_throws_end_the_request_for_those_before_it) {
  b->at["contexts"] = deny_request;
  EXPECT_EQ(ping(), "NO_PERMISSION 7 NO");
  EXPECT_EQ(log, (Log{"A.contexts", "B.contexts", "A.send_exception"}));
  EXPECT_EQ(probe.in()->pings, 0);
}

TEST_F(Server, whose_first_point_forwards_send_the_client_elsewhere) {
  Elsewhere elsewhere(*core);
  b->at["contexts"] = forward_request(elsewhere.object.in());
  a->at["send_other"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::LOCATION_FORWARD);
    const CORBA::Object_var to = ri->forward_reference();
    EXPECT_TRUE(to->_is_equivalent(elsewhere.object.in()));
  };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(log, (Log{"A.contexts", "B.contexts", "A.send_other"}));
  EXPECT_EQ(probe.in()->pings, 0);
  EXPECT_EQ(elsewhere.requests, 1);
}

TEST_F(Server, whose_receive_request_throws_end_the_request_for_all) {
  b->at["receive_request"] = deny_request;
  EXPECT_EQ(ping(), "NO_PERMISSION 7 NO");
  EXPECT_EQ(log, (Log{"A.contexts", "B.contexts", "C.contexts", "A.receive_request", "B.receive_request",
                      "C.send_exception", "B.send_exception", "A.send_exception"}));
  EXPECT_EQ(probe.in()->pings, 0);
}

TEST_F(Server, whose_receive_request_forwards_send_the_client_elsewhere) {
  Elsewhere elsewhere(*core);
  b->at["receive_request"] = forward_request(elsewhere.object.in());
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(log, (Log{"A.contexts", "B.contexts", "C.contexts", "A.receive_request", "B.receive_request",
                      "C.send_other", "B.send_other", "A.send_other"}));
  EXPECT_EQ(probe.in()->pings, 0);
  EXPECT_EQ(elsewhere.requests, 1);
}

TEST_F(Server, cannot_forward_to_nothing) {
  b->at["receive_request"] = forward_request(nullptr);
  EXPECT_EQ(ping(), "INV_OBJREF 180 NO");
}

TEST_F(Server, whose_send_reply_throws_make_it_an_exception_that_has_been_executed) {
  b->at["send_reply"] = deny_request;
  EXPECT_EQ(outcome_of([&] { OrbFixture::add(object.in(), 2, 3); }), "NO_PERMISSION 7 YES");
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_exception"}));
}

TEST_F(Server, cannot_forward_what_has_been_executed) {
  b->at["send_reply"] = forward_request(own.in());
  EXPECT_EQ(ping(), "UNKNOWN 178 YES");
}

TEST_F(Server, whose_send_exception_throws_exchange_the_exception_but_not_its_completion) {
  b->at["send_exception"] = deny_request;
  probe.in()->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_NO); };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "NO_PERMISSION 7 NO");
  EXPECT_EQ(log, after_begin({"C.send_exception", "B.send_exception", "A.send_exception"}));
  EXPECT_EQ(outcome_of([&] { OrbFixture::greet(object.in(), "stranger"); }), "NO_PERMISSION 7 YES");
}

TEST_F(Server, whose_send_exception_forwards_send_the_client_elsewhere) {
  Elsewhere elsewhere(*core);
  b->at["send_exception"] = forward_request(elsewhere.object.in());
  probe.in()->during = [] { throw CORBA::NO_IMPLEMENT(5, CORBA::COMPLETED_NO); };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "ok");
  EXPECT_EQ(log, after_begin({"C.send_exception", "B.send_exception", "A.send_other"}));
  EXPECT_EQ(elsewhere.requests, 1);
}

// A servant locator that forwards.
struct Forwarder final : PortableServer::ServantLocator {
  explicit Forwarder(CORBA::Object_ptr o) : to(CORBA::Object::_duplicate(o)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    throw PortableServer::ForwardRequest(to.in());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {}
  CORBA::Object_var to;
};

TEST_F(Server, hear_of_forwards_of_servant_managers_and_may_change_them) {
  Elsewhere elsewhere(*core);
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  const PortableServer::POA_var child = root->create_POA("child", manager.in(), policies);
  const PortableServer::ServantManager_var locator = new Forwarder(own.in());
  child->set_servant_manager(locator.in());
  const CORBA::Object_var there = child->create_reference(poa::testing::kProbeId);
  object = seen_by_client(there.in());
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(probe.in()->pings, 1);
  EXPECT_EQ((Log{log.begin(), log.begin() + 6}), (Log{"A.contexts", "B.contexts", "C.contexts", "C.send_other",
                                                      "B.send_other", "A.send_other"}));
  object = seen_by_client(there.in());
  b->at["send_other"] = forward_request(elsewhere.object.in());
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(elsewhere.requests, 1);
}

TEST_F(Server, hear_of_a_reply_that_turns_out_not_to_be_one) {
  EXPECT_NE(outcome_of([&] { OrbFixture::greet(object.in(), "null"); }), "ok");
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"})) << "before results are written";
}

TEST_F(Server, may_make_calls_of_their_own) {
  bool inside = false;
  b->at["receive_request"] = [&](PI::ServerRequestInfo_ptr) {
    if (std::exchange(inside, true)) return;
    OrbFixture::ping(own.in());
  };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(probe.in()->pings, 2);
}

TEST_F(Server, are_destroyed_with_the_ORB) {
  core->destroy();
  EXPECT_EQ(log, (Log{"A.destroy", "B.destroy", "C.destroy"}));
  core = start({});
}

// Nor do they make an adapter take them that is not to be called over our own connections (CORBA 3.3 part 2, 9.8).
TEST_F(Server, leave_it_to_the_adapter_whether_requests_may_come_back) {
  const ByteView key = core->own_key(own.in());
  poa::testing::FakeRequest request({key.begin(), key.end()}, "ping", true, true);
  core->handler()->handle(request);
  EXPECT_EQ(request.outcome, poa::testing::FakeRequest::Outcome::SystemException);
  EXPECT_EQ(request.minor, orb::kNotBidirectional);
}

// --- calls within one ORB ---

// The parameter says how such calls are made.
struct Collocated : Server, ::testing::WithParamInterface<std::string> {
  Collocated() : Server({"-ORBCollocation", GetParam()}) {}
};
struct CollocatedBoth : Server, ::testing::WithParamInterface<std::string> {
  CollocatedBoth() : Server({"-ORBCollocation", GetParam()}, true) {}
};

TEST_P(Collocated, calls_are_heard_of_by_the_server_s_interceptors) {
  EXPECT_EQ(OrbFixture::add(own.in(), 2, 3), 5);
  EXPECT_EQ(log, after_begin({"C.send_reply", "B.send_reply", "A.send_reply"}));
}

TEST_P(CollocatedBoth, calls_are_heard_of_on_both_sides) {
  EXPECT_EQ(OrbFixture::add(own.in(), 2, 3), 5);
  Log both = after_begin({"C.send_reply", "B.send_reply", "A.send_reply", "X.receive_reply"});
  both.insert(both.begin(), "X.send_request");
  EXPECT_EQ(log, both);
}

INSTANTIATE_TEST_SUITE_P(Ways, Collocated, ::testing::Values("marshaled", "adapter", "direct"));
INSTANTIATE_TEST_SUITE_P(Ways, CollocatedBoth, ::testing::Values("marshaled", "adapter", "direct"));

}  // namespace
}  // namespace callis::interceptors::testing
