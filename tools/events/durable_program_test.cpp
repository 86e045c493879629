// SPDX-License-Identifier: Apache-2.0
// callis events --durable as a program, killed again and again, as is its nats-server. Skipped without nats-server.
#include <callis/orb/client/reference.h>
#include <gtest/gtest.h>
#include <services/events/durable/testing/nats_server.h>
#include <services/events/testing/serving.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <tools/ior/testing/ran.h>
#include <atomic>
#include <random>
#include <thread>

extern char** environ;

namespace callis::events {
namespace {

using namespace testing;

const std::string kEvents = std::string(CALLIS_BINARY_DIR) + "/bin/callis-events";

tools::testing::Ended ran_events(const std::string& arguments) {
  return tools::testing::ran(kEvents + " " + arguments);
}

// callis events with channel "one", which can be killed, and started again at the same port.
class Program {
 public:
  explicit Program(std::string nats) : nats_(std::move(nats)) { start(); }
  ~Program() { kill(); }
  void start() {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    for (const int end : ends) ::posix_spawn_file_actions_addclose(&actions, end);
    const std::string endpoint = "tcp:127.0.0.1:" + port_;
    std::vector<std::string> words{kEvents,      "--channel",  "one",    "--durable",    nats_,   "--durable-wait",
                                   "20000",      "--deadline", "300",    "-ORBEndpoint", endpoint,
                                   "--allow",    "admin=any"};
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    const int error = ::posix_spawn(&process_, kEvents.c_str(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ASSERT_EQ(error, 0);
    std::string ior;  // a line: it is ready
    for (char c; ::read(ends[0], &c, 1) == 1 && c != '\n';) ior += c;
    ::close(ends[0]);
    ASSERT_TRUE(ior.starts_with("IOR:")) << "callis events has not started";
    const auto parsed = ior::parse_reference(ior);
    const auto profile = ior::parse_iiop(std::get<ior::Ior>(parsed).profiles.at(0).data);
    port_ = std::to_string(profile.value().address.port);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  std::string reference() const { return "corbaloc::127.0.0.1:" + port_ + "/one"; }

 private:
  const std::string nats_;
  std::string port_ = "0";
  pid_t process_ = -1;
};

struct DurableProgram : ::testing::Test {
  std::unique_ptr<NatsServer> nats;
  void SetUp() override {
    if (!NatsServer::is_installed()) GTEST_SKIP() << "no nats-server";
    nats = std::make_unique<NatsServer>();
  }
};

// Pushes numbers from 1 on, one after the other; each until the channel has taken it, through whatever happens.
class Pushing {
 public:
  Pushing(CORBA::ORB_ptr orb, const std::string& channel) : thread_([this, orb, channel] { run(orb, channel); }) {}
  ~Pushing() { end(); }
  // Waits until so many are taken.
  bool taken(CORBA::Long n) {
    return taken_.wait([n](CORBA::Long now) { return now >= n; });
  }
  CORBA::Long end() {
    ended_ = true;
    if (thread_.joinable()) thread_.join();
    return taken_.value();
  }

 private:
  void run(CORBA::ORB_ptr orb, const std::string& channel) {
    admin::ProxyPushConsumer_var to;
    for (CORBA::Long n = 1; !ended_;) {
      try {
        if (CORBA::is_nil(to.in())) {
          const CORBA::Object_var object = orb->string_to_object(channel.c_str());
          const admin::EventChannel_var at = admin::EventChannel::_unchecked_narrow(object.in());
          to = admin::SupplierAdmin_var(at->for_suppliers())->obtain_push_consumer();
          to->connect_push_supplier(comm::PushSupplier::_nil());
        }
        to->push(any_of(n));
        taken_.change([&](CORBA::Long& now) { now = n; });
        ++n;
      } catch (const CORBA::Exception&) {  // the channel is dead, or another one
        to = admin::ProxyPushConsumer::_nil();
      }
    }
  }
  Watched<CORBA::Long> taken_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// A proxy of the named consumer "log", whose name is made.
admin::ProxyPullSupplier_var named_log(CORBA::ORB_ptr orb, const std::string& channel) {
  const CORBA::Object_var object = orb->string_to_object(channel.c_str());
  const admin::EventChannel_var at = admin::EventChannel::_narrow(object.in());
  const admin::ConsumerAdmin_var plain = at->for_consumers();
  const CallisEvents::ConsumerAdmin_var named = CallisEvents::ConsumerAdmin::_narrow(plain.in());
  return named->obtain_named_pull_supplier("log");
}

// What the named consumer gets, until `last`: each number once or more, and none is missing.
void expect_all(CORBA::ORB_ptr orb, const std::string& channel, CORBA::Long last) {
  const admin::ProxyPullSupplier_var from = named_log(orb, channel);
  from->connect_pull_consumer(comm::PullConsumer::_nil());
  for (CORBA::Long before = 0; before < last;) {
    const CORBA::Any_var event = from->pull();
    const CORBA::Long n = number_in(event.in());
    ASSERT_TRUE(n == before || n == before + 1) << n << " after " << before;
    before = n;
  }
  from->disconnect_pull_supplier();
}

TEST_F(DurableProgram, loses_nothing_that_it_has_taken_when_it_is_killed) {
  Program channel(nats->url());
  const CORBA::ORB_var orb = new_orb({}, "durable-kills");
  named_log(orb.in(), channel.reference());
  std::mt19937 random(17);
  Pushing pushing(orb.in(), channel.reference());
  CORBA::Long at = 0;
  for (int i = 0; i < 12; ++i) {
    at += std::uniform_int_distribution<CORBA::Long>(1, 40)(random);
    ASSERT_TRUE(pushing.taken(at));
    if (i % 3 == 2) {
      nats->kill();
      nats->start();
    } else {
      channel.kill();
      channel.start();
    }
  }
  ASSERT_TRUE(pushing.taken(at + 20));
  expect_all(orb.in(), channel.reference(), pushing.end());
  orb->destroy();
}

// A consumer that is pushed to, and connects again when its channel has died.
TEST_F(DurableProgram, pushes_to_a_named_consumer_again_what_it_had_under_way_when_it_was_killed) {
  Program channel(nats->url());
  const CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "durable-consumer");
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  const PortableServer::Servant_var<Consumer> consumer = new Consumer;
  const CORBA::Object_var object = poa->servant_to_reference(consumer.in());
  const auto connect = [&] {
    const CORBA::Object_var at = orb->string_to_object(channel.reference().c_str());
    const admin::EventChannel_var here = admin::EventChannel::_narrow(at.in());
    const admin::ConsumerAdmin_var plain = here->for_consumers();
    const auto to = CallisEvents::ConsumerAdmin::_narrow(plain.in())->obtain_named_push_supplier("log");
    to->connect_push_consumer(comm::PushConsumer_var(comm::PushConsumer::_narrow(object.in())).in());
  };
  connect();
  consumer->held.change([](bool& b) { b = true; });
  Pushing pushing(orb.in(), channel.reference());
  ASSERT_TRUE(consumer->inside.wait([](int n) { return n == 1; }));
  ASSERT_TRUE(pushing.taken(20));
  channel.kill();
  consumer->held.change([](bool& b) { b = false; });
  ASSERT_TRUE(consumer->got.wait([](const auto& all) { return all.size() == 1; }));  // and nobody hears of it
  channel.start();
  connect();
  ASSERT_TRUE(pushing.taken(40));
  const CORBA::Long last = pushing.end();
  ASSERT_TRUE(consumer->got.wait([&](const auto& all) { return !all.empty() && all.back() >= last; }));
  CORBA::Long before = 0;
  for (const CORBA::Long n : consumer->got.value()) {
    ASSERT_TRUE(n == before || n == before + 1) << n << " after " << before;
    before = n;
  }
  orb->destroy();
}

TEST_F(DurableProgram, shares_a_channel_with_another_one_on_the_same_JetStream) {
  Program one(nats->url()), two(nats->url());
  const std::string names = "names " + two.reference();
  EXPECT_EQ(ran_events(names).output, "");
  // The name is made by the one, and known to the other, which goes on when the one is killed.
  const CORBA::ORB_var orb = new_orb({}, "durable-shares");
  named_log(orb.in(), one.reference());
  EXPECT_EQ(ran_events(names).output, "log\n");
  EXPECT_EQ(ran_events("push " + one.reference() + " a").status, 0);
  one.kill();
  EXPECT_EQ(ran_events("push " + two.reference() + " b").status, 0);
  EXPECT_EQ(ran_events("pull --name log --count 2 " + two.reference()).output,
            "callis events: connected\n\"a\"\n\"b\"\n");
  EXPECT_EQ(ran_events("forget " + two.reference() + " log").status, 0);
  EXPECT_EQ(ran_events("forget " + two.reference() + " log").output,
            "callis events: there is no named consumer 'log'\n");
  orb->destroy();
}

TEST_F(DurableProgram, says_what_is_wrong) {
  EXPECT_EQ(ran_events("--durable tcp://127.0.0.1:1").status, 2);
  EXPECT_EQ(ran_events("--durable ''").status, 2);
  EXPECT_EQ(ran_events("--durable-bytes 4096").status, 2);
  const tools::testing::Ended nobody =
      ran_events("--durable nats://u:secret@127.0.0.1:1 --durable-wait 200 -ORBEndpoint tcp:127.0.0.1:0");
  EXPECT_EQ(nobody.status, 1);
  EXPECT_NE(nobody.output.find("--durable: JetStream at nats://127.0.0.1:1 cannot be reached"), std::string::npos)
      << nobody.output;
  EXPECT_EQ(nobody.output.find("secret"), std::string::npos) << nobody.output;
  Program channel(nats->url());
  const tools::testing::Ended bad = ran_events("watch --name 'a b' " + channel.reference());
  EXPECT_EQ(bad.status, 3);
  EXPECT_NE(bad.output.find("no name of a consumer"), std::string::npos) << bad.output;
}

}  // namespace
}  // namespace callis::events
