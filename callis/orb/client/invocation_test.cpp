// SPDX-License-Identifier: Apache-2.0
// The steps of an invocation, driven by hand: no sockets, no waiting, and another thread for each step where that
// matters.
#include <gtest/gtest.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/testing/echo.h>
#include <callis/orb/testing/shared_client.h>
#include <thread>

namespace callis::orb {
namespace {

using namespace testing;
using State = Invocation::State;
using End = InvocationObserver::End;

// The bytes that a test lets a connection bring.
struct Wire {
  Buffer to_client;
  int open = 0;
};

class ScriptedStream final : public transport::Stream {
 public:
  explicit ScriptedStream(Wire& wire) : wire_(wire) { ++wire_.open; }
  ~ScriptedStream() override { --wire_.open; }
  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline) override {
    std::size_t n = 0;
    for (ByteView p : parts) n += p.size();
    return n;
  }
  using Stream::receive;
  transport::Transfer receive(MutableBytes into, Deadline, TimePoint) override {
    if (wire_.to_client.empty()) return {0, Fault::DeadlinePassed, 0};
    const std::size_t n = std::min(into.size(), wire_.to_client.size());
    std::copy_n(wire_.to_client.data(), n, into.data());
    wire_.to_client.drop_front(n);
    return n;
  }
  bool quiet() override { return true; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {}
  const std::string& peer() const override { return name_; }
  const transport::Peer& peer_identity() const override { return identity_; }

 private:
  Wire& wire_;
  const std::string name_ = "10.9.8.7";
  const transport::Peer identity_ = transport::Peer::at(name_);
};

ior::Ior reference_to(const std::vector<ior::Address>& addresses) {
  ior::Ior r;
  for (const ior::Address& a : addresses) r.profiles.push_back(ior::to_profile({1, 2}, a, bytes_of("echo"), {}));
  return r;
}

class InvocationTest : public ::testing::Test {
 protected:
  ~InvocationTest() override { core->destroy(); }

  Counted<Core> core = make_core();
  ReferencePtr target = ReferencePtr::adopt(new Reference(*core, reference_to({{"10.0.0.1", 1}})));
  ULongBody body;
  Wire wire;
  CallOperation echo{"echo", false, "echo"};

  Invocation call() { return Invocation(*target, echo, body, Clock::steady().now(), Deadline()); }
  Invocation::Connection connection() {
    return std::make_unique<ClientConnection>(std::make_unique<ScriptedStream>(wire), core->limits());
  }
  static Error refused(const char* where) { return {Fault::ConnectRefused, 111, where}; }

  // As far as the request being out.
  void send(Invocation& i) {
    ASSERT_EQ(i.advance(), State::Connecting);
    i.connected(connection());
    ASSERT_EQ(i.advance(), State::Sending);
    i.sent(i.send());
  }
  // The reply comes, and is read.
  template <class Body>
  void reply(Invocation& i, giop::ReplyStatus status, Body write) {
    {
      cdr::Encoder e(wire.to_client);
      const auto s = giop::begin_reply(e, giop::kGiop12, i.request_id(), status);
      write(e);
      ASSERT_EQ(giop::finish_message(e, s), Fault::None);
    }
    arrive(i);
  }
  void arrive(Invocation& i) {
    ClientConnection::Arrival a;
    i.connection().receive(i.request_id(), i.reply_deadline(), a);
    i.arrived(a);
  }
  void answer(Invocation& i, std::uint32_t v) {
    reply(i, giop::ReplyStatus::NoException, [v](cdr::Encoder& e) { e.put_ulong(v); });
  }
  template <class E>
  static const E& failure(Invocation& i) {
    EXPECT_EQ(i.advance(), State::Failed);
    const E* const e = E::_downcast(&i.exception());
    if (!e) throw std::runtime_error(i.exception()._rep_id());
    return *e;
  }
};

TEST_F(InvocationTest, goes_through_its_states_to_the_results) {
  body.in = 41;
  Invocation i = call();
  EXPECT_EQ(i.state(), State::Choosing);
  EXPECT_EQ(i.advance(), State::Connecting);
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.1:1");
  EXPECT_EQ(i.advance(), State::Connecting) << "until it is told how that came out";
  i.connected(connection());
  EXPECT_EQ(i.advance(), State::Sending);
  EXPECT_FALSE(i.connection().request().empty()) << "the request is built";
  i.sent(i.connection().request().size());
  EXPECT_EQ(i.advance(), State::Sent);
  answer(i, 42);
  EXPECT_EQ(i.advance(), State::Completed);
  EXPECT_EQ(body.out, 42u);
  EXPECT_EQ(i.endpoint().idle(), 1u) << "the connection is there for the next call";
  EXPECT_EQ(call().advance(), State::Sending) << "which takes it";
}

TEST_F(InvocationTest, another_thread_may_take_each_step) {
  Invocation i = call();
  const auto elsewhere = [](auto step) { std::thread(step).join(); };
  elsewhere([&] { ASSERT_EQ(i.advance(), State::Connecting); });
  elsewhere([&] { i.connected(connection()); });
  elsewhere([&] { ASSERT_EQ(i.advance(), State::Sending); });
  elsewhere([&] { i.sent(i.send()); });
  elsewhere([&] { answer(i, 7); });
  EXPECT_EQ(i.state(), State::Completed);
  EXPECT_EQ(body.out, 7u);
}

TEST_F(InvocationTest, every_address_is_tried_and_named) {
  target = ReferencePtr::adopt(new Reference(*core, reference_to({{"10.0.0.1", 1}, {"10.0.0.2", 2}})));
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(refused("first refused"));
  ASSERT_EQ(i.advance(), State::Connecting);
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.2:2");
  i.connected(refused("second refused"));
  const auto& e = failure<CORBA::TRANSIENT>(i);
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_NE(std::string(e.what()).find("first refused; second refused"), std::string::npos) << e.what();
}

TEST_F(InvocationTest, the_address_that_worked_is_first_the_next_time) {
  target = ReferencePtr::adopt(new Reference(*core, reference_to({{"10.0.0.1", 1}, {"10.0.0.2", 2}})));
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(refused("refused"));
  send(i);
  answer(i, 1);
  EXPECT_EQ(i.state(), State::Completed);
  EXPECT_EQ(target->preferred(), 1u);
}

TEST_F(InvocationTest, a_oneway_is_over_when_it_is_sent) {
  echo.oneway = true;
  Invocation i = call();
  send(i);
  EXPECT_EQ(i.advance(), State::Completed);
}

TEST_F(InvocationTest, a_forward_begins_at_the_new_address_9_4_3_2) {
  Invocation i = call();
  send(i);
  reply(i, giop::ReplyStatus::LocationForward, [](cdr::Encoder& e) {
    ior::encode(e, reference_to({{"10.0.0.9", 9}}));
  });
  EXPECT_EQ(i.state(), State::Forwarded);
  EXPECT_EQ(i.advance(), State::Connecting);
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.9:9");
  send(i);
  answer(i, 3);
  EXPECT_EQ(i.state(), State::Completed);
  EXPECT_NE(target->forward().get(), nullptr) << "remembered";
}

TEST_F(InvocationTest, where_a_forward_leads_nowhere_the_first_address_is_asked_again) {
  Invocation i = call();
  send(i);
  reply(i, giop::ReplyStatus::LocationForward, [](cdr::Encoder& e) {
    ior::encode(e, reference_to({{"10.0.0.9", 9}}));
  });
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(refused("refused"));
  EXPECT_EQ(i.advance(), State::Sending) << "on the connection that there is";
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.1:1");
}

TEST_F(InvocationTest, what_was_not_processed_is_sent_again_once_on_a_new_connection_9_5_1_1) {
  Invocation i = call();
  send(i);
  (void)wire.to_client.append(giop::close_connection(giop::kGiop12));
  arrive(i);
  EXPECT_EQ(i.state(), State::Choosing);
  EXPECT_EQ(wire.open, 0);
  send(i);
  (void)wire.to_client.append(giop::close_connection(giop::kGiop12));
  arrive(i);
  EXPECT_EQ(failure<CORBA::TRANSIENT>(i).completed(), CORBA::COMPLETED_NO);
}

TEST_F(InvocationTest, nothing_sent_on_a_lost_connection_is_sent_again) {
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(connection());
  ASSERT_EQ(i.advance(), State::Sending);
  i.sent({0, Fault::ConnectionLost, 104});
  EXPECT_EQ(i.advance(), State::Connecting);
}

TEST_F(InvocationTest, a_part_sent_on_a_lost_connection_is_not) {
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(connection());
  ASSERT_EQ(i.advance(), State::Sending);
  i.sent({5, Fault::ConnectionLost, 104});
  EXPECT_EQ(failure<CORBA::COMM_FAILURE>(i).completed(), CORBA::COMPLETED_MAYBE);
}

TEST_F(InvocationTest, exceptions_of_the_server_are_kept_until_they_are_asked_for) {
  Invocation i = call();
  send(i);
  reply(i, giop::ReplyStatus::UserException, [](cdr::Encoder& e) {
    e.put_string(kFailure);
    e.put_ulong(99);
  });
  EXPECT_EQ(i.state(), State::Failed);
  try {
    i.raise_exception();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, 99u);
  }
}

TEST_F(InvocationTest, arguments_that_cannot_be_sent_fail_it_and_keep_the_connection) {
  struct LocalBody final : CallBody {
    void encode(cdr::Encoder& e) override { e.set_fault(Fault::LocalObject); }
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
      return nullptr;
    }
  } local;
  Invocation i(*target, echo, local, Clock::steady().now(), Deadline());
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(connection());
  EXPECT_EQ(failure<CORBA::MARSHAL>(i).completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(i.endpoint().idle(), 1u);
}

// --- Observers ---

class Recorder final : public InvocationObserver {
 public:
  struct Script {
    std::vector<std::string> heard;
    std::function<void(Invocation&)> begins;
    std::function<void(Invocation&, End, std::unique_ptr<CORBA::Exception>&)> ends;
  };
  explicit Recorder(Script& script) : script_(script) { contexts = places_; }
  void begins(Invocation& i) override {
    script_.heard.emplace_back("begins");
    if (script_.begins) script_.begins(i);
  }
  void goes(Reference&, const Path& path) override { script_.heard.push_back("goes to " + path.endpoint->name()); }
  void came(const giop::ServiceContexts&) override { script_.heard.emplace_back("came"); }
  bool results(const cdr::Decoder&) override {
    script_.heard.emplace_back("results");
    return true;
  }
  void ends(Invocation& i, End how, std::unique_ptr<CORBA::Exception>& e) override {
    const char* const names[] = {"replied", "failed", "forwarded", "again"};
    script_.heard.emplace_back(names[static_cast<int>(how)]);
    if (script_.ends) script_.ends(i, how, e);
  }

 private:
  Script& script_;
  giop::ServiceContext places_[kOwnPlaces];
};

class RecordingInterception final : public Interception {
 public:
  explicit RecordingInterception(Recorder::Script& script) : script_(script) {}
  std::unique_ptr<InvocationObserver> observe(Invocation&) override { return std::make_unique<Recorder>(script_); }
  RequestHandler* wrap(RequestHandler* handler) override { return handler; }
  std::unique_ptr<AdapterNotes> adapter_made(poa::Adapter&, const CORBA::PolicyList*) override { return nullptr; }
  void manager_changed(const std::string&, unsigned) noexcept override {}
  bool makes_policies(CORBA::PolicyType) const override { return false; }
  CORBA::Policy_ptr create_policy(CORBA::PolicyType, const CORBA::Any&) override { return nullptr; }
  void end() noexcept override {}

 private:
  Recorder::Script& script_;
};

class ObservedInvocation : public InvocationTest {
 protected:
  ObservedInvocation() {
    core->set_interception(std::make_unique<RecordingInterception>(script));
    core->intercept_calls();
  }
  ReferencePtr other() { return ReferencePtr::adopt(new Reference(*core, reference_to({{"10.0.0.9", 9}}))); }

  Recorder::Script script;
  using Heard = std::vector<std::string>;
};

TEST_F(ObservedInvocation, each_attempt_begins_and_ends_once) {
  Invocation i = call();
  send(i);
  reply(i, giop::ReplyStatus::LocationForward, [](cdr::Encoder& e) {
    ior::encode(e, reference_to({{"10.0.0.9", 9}}));
  });
  send(i);
  (void)wire.to_client.append(giop::close_connection(giop::kGiop12));
  arrive(i);
  send(i);
  answer(i, 5);
  EXPECT_EQ(i.state(), State::Completed);
  EXPECT_EQ(script.heard, (Heard{"begins", "goes to tcp:10.0.0.1:1", "came", "forwarded",  //
                                 "begins", "goes to tcp:10.0.0.9:9", "again",              //
                                 "begins", "goes to tcp:10.0.0.9:9", "results", "replied"}));
}

TEST_F(ObservedInvocation, may_be_sent_elsewhere_before_anything_is_sent) {
  script.begins = [this](Invocation& i) {
    if (script.heard.size() == 1) i.send_elsewhere(other());
  };
  Invocation i = call();
  EXPECT_EQ(i.advance(), State::Connecting);
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.9:9");
  EXPECT_EQ(script.heard, (Heard{"begins", "begins"})) << "what was not attempted does not end";
}

TEST_F(ObservedInvocation, a_refusal_at_the_beginning_is_the_outcome) {
  script.begins = [](Invocation&) { throw CORBA::NO_PERMISSION(3, CORBA::COMPLETED_NO); };
  Invocation i = call();
  EXPECT_EQ(failure<CORBA::NO_PERMISSION>(i).minor(), 3u);
  EXPECT_EQ(script.heard, (Heard{"begins"}));
}

TEST_F(ObservedInvocation, a_failure_may_be_changed) {
  script.ends = [](Invocation&, End, std::unique_ptr<CORBA::Exception>& e) {
    e = std::make_unique<CORBA::NO_RESOURCES>();
  };
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(refused("refused"));
  (void)failure<CORBA::NO_RESOURCES>(i);
}

TEST_F(ObservedInvocation, a_failure_may_become_another_attempt_elsewhere) {
  script.ends = [this](Invocation& i, End how, std::unique_ptr<CORBA::Exception>& e) {
    if (how != End::Failed) return;
    e = nullptr;
    i.send_elsewhere(other());
  };
  Invocation i = call();
  ASSERT_EQ(i.advance(), State::Connecting);
  i.connected(refused("refused"));
  EXPECT_EQ(i.advance(), State::Connecting);
  EXPECT_EQ(i.endpoint().name(), "tcp:10.0.0.9:9");
}

TEST_F(ObservedInvocation, what_an_observer_throws_at_an_end_is_the_outcome) {
  script.ends = [](Invocation&, End, std::unique_ptr<CORBA::Exception>&) {
    throw CORBA::NO_PERMISSION(4, CORBA::COMPLETED_YES);
  };
  Invocation i = call();
  send(i);
  answer(i, 5);
  EXPECT_EQ(failure<CORBA::NO_PERMISSION>(i).minor(), 4u);
}

// The beginner is done long before the reply comes, and the reader of the connection completes the invocation.
TEST(InvocationOverSharedConnection, is_completed_by_what_reads_and_no_thread_waits) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  SharingClient client;
  auto o = server.object_for(*client.core);
  static constexpr std::size_t kCalls = 20;
  struct Call final : ReplySink {
    ULongBody body;
    std::unique_ptr<Invocation> invocation;
    bool told = false;
    void came() noexcept override { told = true; }
    void complete() {
      ClientConnection::Arrival a;
      invocation->connection().receive(invocation->request_id(), Deadline::at(TimePoint{}), a);
      invocation->arrived(a);
    }
  };
  const CallOperation operation{"echo", false, "echo"};
  std::vector<Call> calls(kCalls);
  for (std::size_t n = 0; n < kCalls; ++n) {
    Call& c = calls[n];
    c.body.in = static_cast<std::uint32_t>(n) + 100;
    c.invocation =
        std::make_unique<Invocation>(*o->_callis_reference(), operation, c.body, Clock::steady().now(), Deadline());
    while (c.invocation->advance() != State::Sent) {
      ASSERT_LT(c.invocation->state(), State::Sent);
      if (c.invocation->state() == State::Connecting) c.invocation->connected(c.invocation->connect());
      else c.invocation->sent(c.invocation->send());
    }
    ASSERT_TRUE(c.invocation->connection().lane()->tell(c)) << "nobody has read";
  }
  const std::shared_ptr<SharedConnection> connection = endpoint_of(o).shared()->connections().at(0);
  std::thread([&] {
    for (std::size_t left = kCalls; left != 0;) {
      ASSERT_EQ(connection->read(Deadline::in(Duration(10'000))), SharedConnection::Outcome::Read);
      for (Call& c : calls) {
        if (!std::exchange(c.told, false)) continue;
        c.complete();
        --left;
      }
    }
  }).join();
  for (Call& c : calls) {
    EXPECT_EQ(c.invocation->state(), State::Completed);
    EXPECT_EQ(c.body.out, c.body.in);
  }
}

}  // namespace
}  // namespace callis::orb
