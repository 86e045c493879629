// SPDX-License-Identifier: Apache-2.0
// Calls that no thread waits for, over TCP.
#include <callis/orb/client/deferred_call.h>
#include <callis/orb/testing/client.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <atomic>
#include <future>

namespace callis::orb {
namespace {

using namespace testing;
using Begun = DeferredCall::Begun;
using Progress = DeferredCall::Progress;

// An echo server whose calls wait while it is held, and a client of it.
struct DeferredCallTest : ::testing::Test {
  std::promise<void> let_go;
  std::shared_future<void> gone = let_go.get_future().share();
  std::atomic<bool> held{false};
  EchoServer server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Client client;
  CORBA::Object_var object = server.object_for(*client.core);
  ULongBody body;
  CallOperation operation{"echo", false, "echo"};
  DeferredCall call{reference_of(object.in()), operation, body};

  DeferredCallTest() {
    body.in = 7;
    server.handler.before = [this](ServerRequest& r) {
      if (held && r.operation() != "ping") gone.wait();
    };
  }
  ~DeferredCallTest() override { release(); }
  void release() {
    if (held.exchange(false)) let_go.set_value();
  }
  // Opens a connection, which is idle then.
  void connect() { call_ulong(object.in(), "ping", {}, false); }
  void hold() { held = true; }
  // Whether something comes.
  bool comes() {
    pollfd one{call.descriptor(), POLLIN, 0};
    return ::poll(&one, 1, 20'000) == 1;
  }
};

TEST_F(DeferredCallTest, opens_no_connection) {
  EXPECT_EQ(call.begin(), Begun::NotNow);
  connect();
  EXPECT_EQ(call.begin(), Begun::Sent);
}

TEST_F(DeferredCallTest, opens_a_connection_where_it_is_told_to_and_waits_for_no_reply) {
  hold();
  ASSERT_EQ(call.begin(true), Begun::Sent);
  EXPECT_EQ(call.look(), Progress::Pending);
  release();
  ASSERT_TRUE(comes());
  EXPECT_EQ(call.look(), Progress::Over);
  EXPECT_NO_THROW(call.end());
  EXPECT_EQ(body.out, 7u);
}

TEST_F(DeferredCallTest, is_over_where_no_connection_can_be_had) {
  const CORBA::Object_var nobody = client.core->string_to_object("corbaloc::127.0.0.1:1/nobody");
  DeferredCall to_nobody(reference_of(nobody.in()), operation, body);
  ASSERT_EQ(to_nobody.begin(true), Begun::Over);
  EXPECT_THROW(to_nobody.end(), CORBA::TRANSIENT);
}

TEST_F(DeferredCallTest, has_no_descriptor_unless_it_is_pending) {
  EXPECT_EQ(call.descriptor(), -1);
  connect();
  ASSERT_EQ(call.begin(), Begun::Sent);
  EXPECT_GE(call.descriptor(), 0);
  ASSERT_TRUE(comes());
  ASSERT_EQ(call.look(), Progress::Over);
  EXPECT_EQ(call.descriptor(), -1);
}

TEST_F(DeferredCallTest, has_its_reply_when_the_descriptor_shows_it) {
  connect();
  ASSERT_EQ(call.begin(), Begun::Sent);
  ASSERT_TRUE(comes());
  EXPECT_EQ(call.look(), Progress::Over);
  call.end();
  EXPECT_EQ(body.out, 7u);
  ASSERT_EQ(call.begin(), Begun::Sent);  // on the same connection, which was given back
}

TEST_F(DeferredCallTest, waits_for_nobody) {
  connect();
  hold();
  ASSERT_EQ(call.begin(), Begun::Sent);
  EXPECT_EQ(call.look(), Progress::Pending);
  EXPECT_EQ(call.look(), Progress::Pending);
  release();
  ASSERT_TRUE(comes());
  EXPECT_EQ(call.look(), Progress::Over);
  EXPECT_NO_THROW(call.end());
}

TEST_F(DeferredCallTest, may_be_waited_for_by_another_thread) {
  connect();
  hold();
  ASSERT_EQ(call.begin(), Begun::Sent);
  std::thread other([&] { call.finish(); });
  release();
  other.join();
  call.end();
  EXPECT_EQ(body.out, 7u);
}

TEST_F(DeferredCallTest, ends_with_the_exception_that_the_server_raises) {
  connect();
  operation.name = "fail";
  operation.identity = "fail";
  ASSERT_EQ(call.begin(), Begun::Sent);
  ASSERT_TRUE(comes());
  EXPECT_EQ(call.look(), Progress::Over);
  EXPECT_THROW(call.end(), Failure);
}

TEST_F(DeferredCallTest, ends_when_its_time_has_passed) {
  Client hasty({"-ORBCallTimeout", "50"});
  const CORBA::Object_var seen = server.object_for(*hasty.core);
  call_ulong(seen.in(), "ping", {}, false);
  connect();
  hold();
  DeferredCall by_the_orb(reference_of(seen.in()), operation, body);
  DeferredCall by_its_limit(reference_of(object.in()), operation, body, Duration{50});
  for (DeferredCall* late : {&by_the_orb, &by_its_limit}) {
    ASSERT_EQ(late->begin(), Begun::Sent);
    while (late->look() == Progress::Pending) std::this_thread::yield();
    EXPECT_THROW(late->end(), CORBA::TIMEOUT);
  }
}

TEST_F(DeferredCallTest, that_is_dropped_leaves_nothing_behind) {
  connect();
  hold();
  ASSERT_EQ(call.begin(), Begun::Sent);
  call.drop();
  release();
  EXPECT_EQ(echo(object.in(), 3), 3u);
}

TEST_F(DeferredCallTest, is_never_made_within_an_ORB) {
  const CORBA::Object_var own = server.object_for(*server.core);
  DeferredCall within(reference_of(own.in()), operation, body);
  EXPECT_EQ(within.begin(), Begun::Never);
}

TEST_F(DeferredCallTest, is_never_made_over_shared_connections) {
  Client sharing({"-ORBClientConnections", "shared"});
  const CORBA::Object_var seen = server.object_for(*sharing.core);
  call_ulong(seen.in(), "ping", {}, false);
  DeferredCall over(reference_of(seen.in()), operation, body);
  EXPECT_EQ(over.begin(), Begun::Never);
  EXPECT_EQ(echo(seen.in(), 3), 3u) << "and the connection is as good as before";
}

TEST_F(DeferredCallTest, is_not_executed_when_the_server_has_closed_the_connection) {
  connect();
  const int before = server.handler.requests;
  server.core->destroy();
  const Begun begun = call.begin();
  if (begun == Begun::Sent) {  // the end of the stream had not come: it does now
    ASSERT_TRUE(comes());
    while (call.look() == Progress::Pending) std::this_thread::yield();
  }
  EXPECT_EQ(server.handler.requests, before);
}

// Forwards all but pings.
struct Forwarding final : EchoHandler {
  ior::Ior to;
  void handle(ServerRequest& r) noexcept override {
    if (r.operation() == "ping") EchoHandler::handle(r);
    else r.location_forward(to);
  }
};

TEST(DeferredCall, that_is_forwarded_has_to_be_waited_for) {
  EchoServer there({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  Forwarding forwarding;
  forwarding.to = there.reference->ior();
  EchoServer here({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &forwarding);
  Client client;
  const CORBA::Object_var object = here.object_for(*client.core);
  ULongBody body;
  body.in = 9;
  call_ulong(object.in(), "ping", {}, false);
  const CallOperation operation{"echo", false, "echo"};
  DeferredCall call(reference_of(object.in()), operation, body);
  ASSERT_EQ(call.begin(), Begun::Sent);
  Progress progress;
  while ((progress = call.look()) == Progress::Pending) std::this_thread::yield();
  EXPECT_EQ(progress, Progress::Waits);
  call.finish();
  call.end();
  EXPECT_EQ(body.out, 9u);
}

}  // namespace
}  // namespace callis::orb
