// SPDX-License-Identifier: Apache-2.0
// Clients, a repository and servers that are processes.
#include <chrono>
#include <thread>
#include <callis/imr/key.h>
#include <callis/imr/leading.h>
#include <callis/ior/ior.h>
#include <services/imr/activator.h>
#include <services/imr/testing/world.h>
#include <signal.h>
#include <sys/resource.h>
#include <set>

namespace callis::imr::testing {
namespace {

using State = Machine::State;

struct ImrService : World {
  ImrService() { begin(); }
  // A call after the server's end. It may have been sent before the end of a connection could be seen: then nobody
  // knows whether it was executed, and it is the caller who makes it again.
  template <class Call>
  static auto again(Call&& call) -> decltype(call()) {
    try {
      return call();
    } catch (const CORBA::COMM_FAILURE& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
      return call();
    }
  }
  // A server that never is ready; its requests end with it.
  Record hanging() const {
    Record out = counter("hangs", {"hang"});
    out.stop_deadline_ms = 100;
    return out;
  }
  void end_hanging() {
    Record out = hanging();
    out.activation = Activation::ByHand;
    repository().add(out, true);
    repository().halt("hangs");
  }
  // At the repository's address.
  CORBA::Object_var object_of_key(std::string_view key) {
    ior::Ior ior = life->ior();
    const ByteView bytes(reinterpret_cast<const Byte*>(key.data()), key.size());
    ior.profiles = profiles_via(ior, bytes, {}, {});
    return client->string_to_object(ior::to_text(ior).c_str());
  }
};

// A commit takes so long that others come meanwhile, if they may.
class SlowStore final : public services::Store {
 public:
  services::Revision read(std::string_view, const std::function<void(services::Pair&&)>&) override { return 0; }
  services::Outcome commit(const services::Transaction&) override {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return {true, ++revision_};
  }
  services::Revision latest() override { return revision_; }
  void watch(services::Revision, services::Watcher&) override {}
  bool shared() const override { return false; }
  void announce(const std::string&) override {}
  std::vector<std::string> instances() override { return {}; }

 private:
  std::atomic<services::Revision> revision_{0};
};

TEST_F(ImrService, first_call_starts_the_server_and_the_next_go_to_it_directly) {
  repository().add(counter(), false);
  const auto c = object();
  const CORBA::Long pid = c->pid();
  EXPECT_NE(pid, ::getpid());
  EXPECT_EQ(repository().status("counter").state, State::Running);
  EXPECT_EQ(repository().status("counter").pid, pid);
  const auto forwarded = life->counters.counter("requests.forwarded").load();
  for (CORBA::ULong i = 0; i < 10; ++i) EXPECT_EQ(c->note(i), i);
  EXPECT_EQ(life->counters.counter("requests.forwarded").load(), forwarded);
}

TEST_F(ImrService, references_of_the_server_lead_through_the_repository) {
  repository().add(counter(), false);
  const auto first = object();
  const ImrTest::Counter_var own = first->self();
  const ior::Ior& ior = own->_callis_reference()->ior();
  ASSERT_EQ(ior.profiles.size(), 1u);
  const auto profile = ior::parse_iiop(ior.profiles[0].data).value();
  EXPECT_EQ(profile.address, ior::parse_iiop(life->ior().profiles[0].data).value().address);
  const auto key = parse_key(profile.object_key);
  ASSERT_TRUE(key);
  EXPECT_EQ(key->server, "counter");
  EXPECT_TRUE(profile.component(ior::kCodeSets));
  EXPECT_EQ(own->pid(), first->pid());
  EXPECT_TRUE(first->knows(own.in())) << "the server knows them as its own";
}

TEST_F(ImrService, locate_request_starts_the_server_too) {
  repository().add(counter(), false);
  EXPECT_FALSE(object()->_non_existent());
  EXPECT_EQ(repository().status("counter").state, State::Running);
}

TEST_F(ImrService, clients_of_a_server_that_has_died_come_back) {
  repository().add(counter(), false);
  const auto c = object();
  const CORBA::Long before = c->pid();
  ::kill(before, SIGKILL);
  wait_until([&] { return repository().status("counter").state != State::Running; });
  const CORBA::Long after = again([&] { return c->pid(); });
  EXPECT_NE(after, before);
  EXPECT_EQ(repository().status("counter").launches, 2u);
}

TEST_F(ImrService, call_that_the_server_dies_in_is_not_made_again) {
  repository().add(counter(), false);
  const auto c = object();
  c->pid();
  try {
    c->die();
    ADD_FAILURE();
  } catch (const CORBA::COMM_FAILURE& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
  }
  EXPECT_EQ(again([&] { return c->note(7); }), 7u);
}

TEST_F(ImrService, fifty_first_calls_at_once_start_one_process) {
  repository().add(counter("counter", {"slow", "300"}), false);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  std::mutex mutex;
  std::set<CORBA::Long> pids;
  std::vector<CORBA::ORB_var> orbs;
  std::vector<ImrTest::Counter_var> objects;
  for (int i = 0; i < 50; ++i) {
    orbs.push_back(make_orb({}));
    objects.push_back(object("counter", orbs.back().in()));
  }
  for (int i = 0; i < 50; ++i)
    threads.emplace_back([&, i] {
      try {
        const CORBA::Long pid = objects[static_cast<std::size_t>(i)]->pid();
        const std::lock_guard lock(mutex);
        pids.insert(pid);
        ++good;
      } catch (const CORBA::SystemException& e) {
        ADD_FAILURE() << e.what();
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(good, 50);
  EXPECT_EQ(pids.size(), 1u);
  EXPECT_EQ(repository().status("counter").launches, 1u);
  EXPECT_EQ(life->counters.gauge("requests.waiting").load(), 0);
  for (CORBA::ORB_var& orb : orbs) orb->destroy();
}

// Each that wakes up must not wake the others, which would take the processor from the server that they wait for.
TEST_F(ImrService, calls_that_wait_take_no_processor) {
  constexpr int kCalls = 4;
  repository().add(counter("counter", {"slow", "500"}), false);
  std::vector<CORBA::ORB_var> orbs;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kCalls; ++i) orbs.push_back(make_orb({}));
  for (const CORBA::ORB_var& orb : orbs)
    threads.emplace_back([c = object("counter", orb.in())] { EXPECT_NO_THROW(c->pid()); });
  wait_until([&] { return life->counters.gauge("requests.waiting").load() == kCalls; });
  const auto switches = [] {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw + used.ru_nivcsw;
  };
  const long before = switches();
  threads.clear();
  EXPECT_LT(switches() - before, 1'000) << "the threads wake each other";
  for (CORBA::ORB_var& orb : orbs) orb->destroy();
}

TEST_F(ImrService, server_that_crashes_at_once_is_said_to) {
  Record r = counter("counter", {"crash"});
  r.start_limit = 2;
  r.first_pause_ms = r.longest_pause_ms = 200;
  repository().add(r, false);
  const auto c = object();
  const std::string first = transient([&] { c->pid(); });
  EXPECT_NE(first.find("counter"), std::string::npos) << first;
  EXPECT_NE(first.find("exit status 3"), std::string::npos) << first;
  EXPECT_NE(first.find("again in"), std::string::npos) << first;
  EXPECT_NE(transient([&] { c->pid(); }).find("once"), std::string::npos) << "not started again yet";
  wait_until([&] { return transient([&] { c->pid(); }).find("callis imr start") != std::string::npos; });
  EXPECT_EQ(repository().status("counter").launches, 2u);
  EXPECT_THROW(repository().start("counter"), NotDone);
  EXPECT_EQ(repository().status("counter").launches, 3u);
}

TEST_F(ImrService, server_that_hangs_at_its_start_is_killed_at_the_deadline) {
  Record r = counter("counter", {"hang"});
  r.start_deadline_ms = 300;
  repository().add(r, false);
  const auto c = object();
  const std::string why = transient([&] { c->pid(); });
  EXPECT_NE(why.find("did not say that it is ready within 0.3 s"), std::string::npos) << why;
  EXPECT_EQ(repository().status("counter").pid, 0);
}

TEST_F(ImrService, program_that_is_not_there_is_said_so) {
  Record r = counter();
  r.command[0] = "/nowhere/tanks";
  repository().add(r, false);
  const std::string why = transient([&] { object()->pid(); });
  EXPECT_NE(why.find("cannot execute /nowhere/tanks: No such file"), std::string::npos) << why;
}

TEST_F(ImrService, requests_that_may_not_wait_are_refused) {
  life.reset();
  settings.max_waiting = 1;
  begin();
  Record r = counter("counter", {"hang"});
  repository().add(r, false);
  const auto c = object();
  std::thread waits([&] { transient([&] { c->pid(); }); });
  wait_until([&] { return repository().status("counter").waiting == 1; });
  const std::string why = transient([&] { object()->pid(); });
  EXPECT_NE(why.find("1 requests, which is the limit"), std::string::npos) << why;
  repository().halt("counter");
  Record none = r;
  none.activation = Activation::ByHand;
  repository().add(none, true);
  repository().halt("counter");
  waits.join();
}

// While eight wait for the store, all have found that the name, or the prefix, is free.
TEST_F(ImrService, a_name_or_a_prefix_of_keys_is_given_to_one_of_those_who_ask_at_once) {
  constexpr int kClients = 8;
  for (const bool prefix : {false, true}) {
    SlowStore slow;
    services::Counters counters;
    Repository r(slow, counters, {});
    std::atomic<int> good{0}, refused{0};
    std::vector<std::jthread> threads;
    for (int i = 0; i < kClients; ++i)
      threads.emplace_back([&, i] {
        Record record = counter(prefix ? "counter" + std::to_string(i) : "counter");
        record.activation = Activation::ByHand;
        if (prefix) record.key_prefixes = {"ab"};
        try {
          r.add(record, false);
          ++good;
        } catch (const NotDone& e) {
          EXPECT_EQ(e.why, prefix ? NotDone::Why::Invalid : NotDone::Why::Exists) << e.what();
          ++refused;
        }
      });
    threads.clear();
    EXPECT_EQ(good, 1) << (prefix ? "prefix" : "name");
    EXPECT_EQ(refused, kClients - 1);
    EXPECT_EQ(r.list("", 100).size(), 1u);
  }
}

TEST_F(ImrService, requests_for_a_server_that_does_not_come_leave_room_for_those_of_others) {
  life.reset();
  settings.max_waiting = 4;
  settings.max_waiting_of_one = 4;  // of this machine: all clients here
  begin();
  repository().add(hanging(), false);
  repository().add(counter("counter", {"slow", "100"}), false);
  const auto c = object("hangs");
  std::jthread waits([&] { transient([&] { c->pid(); }); });
  wait_until([&] { return repository().status("hangs").waiting == 1; });
  CORBA::ORB_var second = make_orb({});
  const std::string why = transient([&] { object("hangs", second.in())->pid(); });
  EXPECT_NE(why.find("1 requests, which is the limit for one server"), std::string::npos) << why;
  EXPECT_GT(object("counter", second.in())->pid(), 0);
  end_hanging();
  second->destroy();
}

TEST_F(ImrService, requests_of_one_client_leave_room_for_those_of_others) {
  life.reset();
  settings.max_waiting = settings.max_waiting_for_one = 4;
  settings.max_waiting_of_one = 1;
  begin();
  repository().add(hanging(), false);
  repository().add(counter("counter", {"slow", "100"}), false);
  const auto c = object("hangs");
  std::jthread waits([&] { transient([&] { c->pid(); }); });
  wait_until([&] { return repository().status("hangs").waiting == 1; });
  const std::string why = transient([&] { object("counter")->pid(); });
  EXPECT_NE(why.find("1 requests of this client"), std::string::npos) << why;
  repository().start("counter");  // of this process, and nobody's
  end_hanging();
}

TEST_F(ImrService, what_is_registered_is_counted_and_given_back) {
  services::MemoryBound bound({1u << 20, 512u << 10});
  Settings small;
  small.memory = &bound;
  services::Counters counters;
  Repository r(store, counters, small);
  Record record = counter();
  record.activation = Activation::ByHand;
  record.variables = {{"X", std::string(40'000, 'x')}};
  int added = 0;
  EXPECT_THROW(
      for (; added < 100; ++added) {
        record.name = "server" + std::to_string(added);
        r.add(record, false);
      },
      CORBA::NO_RESOURCES);
  EXPECT_GT(added, 4);
  EXPECT_LE(bound.held(), 1u << 20);
  for (int i = 0; i < added; ++i) r.remove("server" + std::to_string(i));
  EXPECT_EQ(bound.held(), 0u);
}

TEST_F(ImrService, requests_that_wait_do_not_hold_up_the_end_of_the_repository) {
  repository().add(counter("counter", {"hang"}), false);
  const auto c = object();
  std::string why;
  std::thread waits([&] { why = transient([&] { c->pid(); }); });
  std::int64_t pid = 0;
  wait_until([&] {
    const auto s = repository().status("counter");
    pid = s.pid;
    return s.waiting == 1 && pid != 0;
  });
  life.reset();
  waits.join();
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  EXPECT_NE(why.find("TRANSIENT"), std::string::npos) << why;
}

TEST_F(ImrService, keys_of_nobody_are_not_there) {
  repository().add(counter(), false);
  EXPECT_THROW(object("nobody"), CallisImr::Unknown);
  const auto c = object();
  repository().remove("counter");
  EXPECT_THROW(c->pid(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(object_of_key("\xca\x11\x15R")->_non_existent());
}

TEST_F(ImrService, running_servers_outlive_the_repository_and_are_known_to_the_next) {
  const std::string port = std::to_string(ior::parse_iiop(life->ior().profiles[0].data).value().address.port);
  repository().add(counter(), false);
  const auto c = object();
  const CORBA::Long pid = c->pid();
  wait_until([&] {
    bool kept = false;
    store.read("running/", [&](services::Pair&&) { kept = true; });
    return kept;
  });
  life.reset();
  EXPECT_EQ(c->pid(), pid) << "clients that know the server do not need the repository";
  begin(port);
  EXPECT_EQ(repository().status("counter").state, State::Running);
  EXPECT_EQ(object()->pid(), pid);
  ::kill(pid, SIGKILL);
  EXPECT_NE(object("counter", nullptr)->pid(), pid) << "the loss is noticed by the next call";
}

TEST_F(ImrService, server_of_a_former_life_of_the_repository_is_stopped_as_soon_as_it_has_ended) {
  const std::string port = std::to_string(ior::parse_iiop(life->ior().profiles[0].data).value().address.port);
  repository().add(counter(), false);
  const CORBA::Long pid = object()->pid();
  wait_until([&] {
    bool kept = false;
    store.read("running/", [&](services::Pair&&) { kept = true; });
    return kept;
  });
  life.reset();
  begin(port);
  const auto before = std::chrono::steady_clock::now();
  repository().halt("counter");  // what it says when it ends it says to the former life
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8));
  EXPECT_EQ(repository().status("counter").state, State::Stopped);
  EXPECT_EQ(repository().status("counter").reason, "stopped by an operator");
  EXPECT_FALSE(is_running(pid)) << "what it had opened another one may have";
}

TEST_F(ImrService, stop_ends_the_server_in_good_order_and_rm_forgets_it) {
  const auto r = remote();
  r->add(server_of(counter()), false);
  EXPECT_THROW(r->add(server_of(counter()), false), CallisImr::Exists);
  r->start("counter");
  EXPECT_THROW(r->remove("counter"), CallisImr::Refused);
  r->stop("counter");
  const CallisImr::Status_var status = r->find("counter");
  EXPECT_STREQ(status->state.in(), "stopped");
  EXPECT_STREQ(status->reason.in(), "stopped by an operator");
  const auto c = object();
  r->remove("counter");
  EXPECT_THROW(r->find("counter"), CallisImr::Unknown);
  EXPECT_THROW(c->pid(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(ImrService, always_runs_from_the_beginning_and_again) {
  Record r = counter();
  r.activation = Activation::Always;
  repository().add(r, false);
  wait_until([&] { return repository().status("counter").state == State::Running; });
  const auto pid = repository().status("counter").pid;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  wait_until([&] {
    const auto s = repository().status("counter");
    return s.state == State::Running && s.pid != pid;
  });
}

TEST_F(ImrService, activator_starts_servers_and_tells_of_their_ends) {
  Record r = counter();
  r.activator = "other-host";
  repository().add(r, false);
  const auto c = object();
  EXPECT_NE(transient([&] { c->pid(); }).find("has not attached"), std::string::npos);
  {
    CORBA::ORB_var orb = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"});
    const CORBA::Object_var root_object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(root_object.in());
    const PortableServer::POAManager_var manager = root->the_POAManager();
    const PortableServer::Servant_var<Activator> activator(new Activator("other-host", life->text()));
    const PortableServer::ObjectId_var id = root->activate_object(activator.in());
    const CORBA::Object_var self = root->id_to_reference(id.in());
    manager->activate();
    activator->begin(self.in());
    wait_until([&] {
      try {
        repository().start("counter");
        return true;
      } catch (const NotDone&) {
        return false;
      }
    });
    const CORBA::Long pid = again([&] { return c->pid(); });
    EXPECT_EQ(repository().status("counter").pid, pid);
    ::kill(pid, SIGKILL);
    wait_until([&] { return repository().status("counter").pid != pid; });
    EXPECT_NE(again([&] { return c->pid(); }), pid);
    repository().halt("counter");
    EXPECT_EQ(repository().status("counter").reason, "stopped by an operator");
    activator->stop();
    orb->destroy();
  }
}

TEST_F(ImrService, hostile_names_and_starts_do_no_harm) {
  const auto r = remote();
  const CallisImr::Process_var self = CallisImr::Process::_unchecked_narrow(r.in());
  for (const char* const bad : {"", "../../etc", "a b", "-rf", "\xff"}) {
    const std::string name = *bad == '-' ? std::string(100'000, 'x') : std::string(bad);
    CallisImr::Server s = server_of(counter());
    s.name = name.c_str();
    EXPECT_THROW(r->add(s, true), CallisImr::Invalid);
    EXPECT_THROW(r->find(name.c_str()), CallisImr::Unknown);
    EXPECT_THROW(r->start(name.c_str()), CallisImr::Unknown);
    EXPECT_THROW(r->up(name.c_str(), "x", 1, self.in()), CallisImr::Unknown);
  }
  r->add(server_of(counter()), false);
  EXPECT_THROW(r->up("counter", "guess", 1, self.in()), CallisImr::Refused);
  EXPECT_THROW(r->up("counter", "", 1, nullptr), CallisImr::Refused);
  r->going_down("counter", "guess");
  EXPECT_GT(object()->pid(), 0);
}

}  // namespace
}  // namespace callis::imr::testing
