// SPDX-License-Identifier: Apache-2.0
// Interceptors on the client's side: order, flow, exceptions, forwards (CORBA 3.0.3, 21.3.3 to 21.3.6).
#include <callis/interceptors/testing/recorder.h>

namespace callis::interceptors::testing {
namespace {

// An ORB with the interceptors A, B and C, and a peer with a script.
struct Client : ::testing::Test {
  Log log;
  std::vector<ClientRecorder*> all;
  ClientRecorder *a = make("A"), *b = make("B"), *c = make("C");
  Script script = [](Turn& t) { return t.echo(); };
  ScriptedPeer peer{"interceptors_client", [this](Turn& t) { return script(t); }};
  orb::Counted<orb::Core> core = start();
  CORBA::Object_var object = peer.object(*core);

  ClientRecorder* make(const char* name) {
    all.push_back(new ClientRecorder(name, log));
    return all.back();
  }
  orb::Counted<orb::Core> start() {
    return orb::Counted<orb::Core>::adopt(make_orb({[this](PI::ORBInitInfo_ptr info) {
      for (ClientRecorder* r : all) info->add_client_request_interceptor(r);
    }, {}}));
  }
  ~Client() override {
    core->destroy();
    for (ClientRecorder* r : all) CORBA::release(r);
  }
  CORBA::ULong call() { return echo(object.in(), 42); }
  std::string outcome() {
    return outcome_of([this] { call(); });
  }
};

void deny(PI::ClientRequestInfo_ptr) { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE); }
ClientRecorder::Act forwards_to(CORBA::Object_ptr to) {
  return [to](PI::ClientRequestInfo_ptr) { throw PI::ForwardRequest(to); };
}

TEST_F(Client, hear_of_calls_in_order_and_of_replies_the_other_way_round) {
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_reply", "B.receive_reply",
                      "A.receive_reply"}));
}

TEST_F(Client, whose_send_request_throws_ends_the_call_for_those_before_it) {
  b->at["send_request"] = deny;
  EXPECT_EQ(outcome(), "NO_PERMISSION 7 NO") << "it has not been sent";
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "A.receive_exception"}));
  EXPECT_EQ(peer.requests(), 0);
}

TEST_F(Client, whose_send_request_forwards_send_the_call_to_another_object) {
  ScriptedPeer other("interceptors_other", [](Turn& t) { return t.ok(7); });
  const CORBA::Object_var to = other.object(*core);
  bool done = false;
  b->at["send_request"] = [&](PI::ClientRequestInfo_ptr ri) {
    if (std::exchange(done, true)) {
      const CORBA::Object_var effective = ri->effective_target(), target = ri->target();
      EXPECT_TRUE(effective->_is_equivalent(to.in()));
      EXPECT_TRUE(target->_is_equivalent(object.in()));
      return;
    }
    throw PI::ForwardRequest(to.in());
  };
  a->at["receive_other"] = [&](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::LOCATION_FORWARD);
    const CORBA::Object_var forward = ri->forward_reference();
    EXPECT_TRUE(forward->_is_equivalent(to.in()));
  };
  EXPECT_EQ(call(), 7u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "A.receive_other", "A.send_request", "B.send_request",
                      "C.send_request", "C.receive_reply", "B.receive_reply", "A.receive_reply"}));
  EXPECT_EQ(peer.requests(), 0);
  EXPECT_EQ(other.requests(), 1);
  b->at.clear();
  EXPECT_EQ(call(), 42u) << "the next call begins with its own object";
}

TEST_F(Client, that_forward_without_end_are_stopped) {
  a->at["send_request"] = forwards_to(object.in());
  EXPECT_EQ(outcome(), "TRANSIENT 128 NO");
}

TEST_F(Client, cannot_forward_to_nothing) {
  b->at["send_request"] = forwards_to(nullptr);
  EXPECT_EQ(outcome(), "INV_OBJREF 180 NO");
  EXPECT_EQ(log.back(), "A.receive_exception");
}

TEST_F(Client, hear_of_system_exceptions) {
  script = [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0", 5, giop::Completion::Maybe);
  };
  a->at["receive_exception"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::SYSTEM_EXCEPTION);
    const CORBA::String_var id = ri->received_exception_id();
    EXPECT_STREQ(id.in(), "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0");
    const CORBA::Any_var any = ri->received_exception();
    const CORBA::TypeCode_var type = any->type();
    EXPECT_STREQ(type->id(), id.in());
    const auto e = system_exception_in(any.in());
    ASSERT_TRUE(e);
    EXPECT_STREQ(e->_rep_id(), id.in());
    EXPECT_EQ(e->minor(), 5u);
    EXPECT_EQ(e->completed(), CORBA::COMPLETED_MAYBE);
  };
  EXPECT_EQ(outcome(), "NO_IMPLEMENT 5 MAYBE");
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_exception",
                      "B.receive_exception", "A.receive_exception"}));
}

TEST_F(Client, hear_of_user_exceptions) {
  script = [](Turn& t) {
    return t.reply(giop::ReplyStatus::UserException, [](cdr::Encoder& e) {
      e.put_string(kFailure);
      e.put_ulong(3);
    });
  };
  a->at["receive_exception"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::USER_EXCEPTION);
    const CORBA::String_var id = ri->received_exception_id();
    EXPECT_STREQ(id.in(), kFailure);
    const CORBA::Any_var any = ri->received_exception();
    const auto unknown = system_exception_in(any.in());
    ASSERT_TRUE(unknown) << "its type is not known here";
    EXPECT_STREQ(unknown->_name(), "UNKNOWN");
    EXPECT_EQ(unknown->minor(), orb::omg(1));
  };
  EXPECT_EQ(outcome(), "Failure");
  EXPECT_EQ(log.back(), "A.receive_exception");
}

TEST_F(Client, hear_of_servers_that_cannot_be_reached) {
  object = core->string_to_object("corbaloc::127.0.0.1:1/echo");
  EXPECT_EQ(outcome().substr(0, 9), "TRANSIENT");
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_exception",
                      "B.receive_exception", "A.receive_exception"}));
}

TEST_F(Client, hear_of_arguments_that_cannot_be_sent) {
  struct Broken final : orb::CallBody {
    void encode(cdr::Encoder& e) override { e.set_fault(Fault::NullPointer); }
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
      return nullptr;
    }
  } body;
  EXPECT_THROW(orb::call(orb::reference_of(object.in()), {"echo"}, body), CORBA::BAD_PARAM);
  EXPECT_EQ(log.back(), "A.receive_exception");
}

TEST_F(Client, hear_of_forwards_as_another_request_each) {
  ScriptedPeer other("interceptors_other", [](Turn& t) { return t.ok(7); });
  script = [&](Turn& t) { return t.forward(other.ior()); };
  std::vector<CORBA::ULong> ids;
  a->at["send_request"] = [&](PI::ClientRequestInfo_ptr ri) { ids.push_back(ri->request_id()); };
  a->at["receive_other"] = [&](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::LOCATION_FORWARD);
    const CORBA::Object_var forward = ri->forward_reference(), to = other.object(*core),
                            from = ri->effective_target();
    EXPECT_TRUE(forward->_is_equivalent(to.in()));
    EXPECT_TRUE(from->_is_equivalent(object.in()));
  };
  EXPECT_EQ(call(), 7u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_other", "B.receive_other",
                      "A.receive_other", "A.send_request", "B.send_request", "C.send_request", "C.receive_reply",
                      "B.receive_reply", "A.receive_reply"}));
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_NE(ids[0], ids[1]);
}

TEST_F(Client, hear_of_requests_that_are_sent_again) {
  script = [](Turn& t) { return t.connection == 1 ? t.close_connection() : t.echo(); };
  a->at["receive_other"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::TRANSPORT_RETRY);
    EXPECT_THROW(ri->forward_reference(), CORBA::BAD_INV_ORDER);
  };
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_other", "B.receive_other",
                      "A.receive_other", "A.send_request", "B.send_request", "C.send_request", "C.receive_reply",
                      "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Client, hear_of_oneways_that_nobody_answers_by_receive_other) {
  a->at["receive_other"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(ri->reply_status(), PI::SUCCESSFUL);
    EXPECT_FALSE(ri->response_expected());
    EXPECT_EQ(ri->sync_scope(), Messaging::SYNC_WITH_TRANSPORT);
  };
  script = [](Turn&) { return true; };
  tell(object.in(), 1);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_other", "B.receive_other",
                      "A.receive_other"}));
  EXPECT_EQ(peer.requests(), 1);
}

TEST_F(Client, whose_receive_reply_throws_make_it_an_exception_that_has_been_executed) {
  b->at["receive_reply"] = deny;
  EXPECT_EQ(outcome(), "NO_PERMISSION 7 YES");
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_reply", "B.receive_reply",
                      "A.receive_exception"}));
  b->at.clear();
  EXPECT_EQ(outcome(), "ok");
  EXPECT_EQ(peer.connections(), 1) << "the connection is as good as before";
}

TEST_F(Client, cannot_forward_what_has_been_answered) {
  b->at["receive_reply"] = forwards_to(object.in());
  EXPECT_EQ(outcome(), "UNKNOWN 178 YES");
}

TEST_F(Client, whose_receive_exception_throws_exchange_the_exception_but_not_its_completion) {
  script = [](Turn& t) {
    return t.system_exception("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0", 5, giop::Completion::Yes);
  };
  b->at["receive_exception"] = deny;
  a->at["receive_exception"] = [](PI::ClientRequestInfo_ptr ri) {
    const CORBA::String_var id = ri->received_exception_id();
    EXPECT_STREQ(id.in(), "IDL:omg.org/CORBA/NO_PERMISSION:1.0");
  };
  EXPECT_EQ(outcome(), "NO_PERMISSION 7 YES");
}

TEST_F(Client, may_send_the_call_on_after_an_exception) {
  script = [](Turn& t) {
    return t.request == 1 ? t.system_exception("IDL:omg.org/CORBA/TRANSIENT:1.0", 1, giop::Completion::No) : t.echo();
  };
  b->at["receive_exception"] = forwards_to(object.in());
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_exception",
                      "B.receive_exception", "A.receive_other", "A.send_request", "B.send_request", "C.send_request",
                      "C.receive_reply", "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Client, whose_receive_other_throws_end_a_call_that_has_been_forwarded) {
  script = [&](Turn& t) { return t.forward(peer.ior()); };
  b->at["receive_other"] = deny;
  EXPECT_EQ(outcome(), "NO_PERMISSION 7 NO");
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "C.send_request", "C.receive_other", "B.receive_other",
                      "A.receive_exception"}));
}

TEST_F(Client, may_change_where_a_call_is_forwarded_to) {
  ScriptedPeer other("interceptors_other", [](Turn& t) { return t.ok(7); });
  const CORBA::Object_var to = other.object(*core);
  script = [&](Turn& t) { return t.forward(peer.ior()); };
  b->at["receive_other"] = forwards_to(to.in());
  a->at["receive_other"] = [&](PI::ClientRequestInfo_ptr ri) {
    const CORBA::Object_var forward = ri->forward_reference();
    EXPECT_TRUE(forward->_is_equivalent(to.in()));
  };
  EXPECT_EQ(call(), 7u);
}

TEST_F(Client, that_throw_what_is_no_exception_of_CORBA_make_it_UNKNOWN) {
  b->at["send_request"] = [](PI::ClientRequestInfo_ptr) { throw 1; };
  EXPECT_EQ(outcome(), "UNKNOWN 178 NO");
  b->at["send_request"] = [](PI::ClientRequestInfo_ptr) { throw Failure(); };
  EXPECT_EQ(outcome(), "UNKNOWN 178 NO");
  EXPECT_EQ(log.back(), "A.receive_exception");
}

TEST_F(Client, may_make_calls_of_their_own) {
  const PI::Current_var current = [this] {
    const CORBA::Object_var o = core->resolve_initial_references("PICurrent");
    return PI::Current::_narrow(o.in());
  }();
  bool inside = false;
  b->at["send_request"] = [&](PI::ClientRequestInfo_ptr) {
    if (std::exchange(inside, true)) return;
    EXPECT_EQ(echo(object.in(), 5), 5u);
  };
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(log, (Log{"A.send_request", "B.send_request", "A.send_request", "B.send_request", "C.send_request",
                      "C.receive_reply", "B.receive_reply", "A.receive_reply", "C.send_request", "C.receive_reply",
                      "B.receive_reply", "A.receive_reply"}));
}

TEST_F(Client, are_not_told_of_LocateRequests) {
  CORBA::PolicyList_var inconsistent;
  try {
    (void)object->_validate_connection(inconsistent.out());
  } catch (const CORBA::SystemException&) {  // the peer does not answer them
  }
  EXPECT_EQ(log, Log{});
}

TEST_F(Client, are_destroyed_with_the_ORB) {
  core->destroy();
  EXPECT_EQ(log, (Log{"A.destroy", "B.destroy", "C.destroy"}));
  core = start();
}

}  // namespace
}  // namespace callis::interceptors::testing
