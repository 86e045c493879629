// SPDX-License-Identifier: Apache-2.0
// Homes whose servers an Implementation Repository starts: references of their objects lead through it, and go on to
// where an object has moved, whichever of the servers runs.
#include <chrono>
#include <thread>
#include <services/common/testing/folder.h>
#include <services/imr/testing/life.h>
#include <services/lifecycle/testing/world.h>
#include <signal.h>
#include <condition_variable>
#include <cstdlib>

namespace callis::life_cycle::testing {
namespace {

struct UnderARepository : World {
  services::testing::Folder folder;
  services::MemoryStore servers;
  imr::Settings settings;
  std::unique_ptr<imr::testing::Life> life = std::make_unique<imr::testing::Life>(servers, "0", settings);
  const std::string port = port_of(life->text());
  CosLifeCycle::FactoryFinder_var to_berlin = finder(registered("berlin")), to_munich = finder(registered("munich"));

  ~UnderARepository() override {
    begin_again();
    for (const auto& server : repository().list("", 100)) {
      try {
        repository().halt(server.record.name);
      } catch (const imr::NotDone& e) {
        ADD_FAILURE() << e.what();
      }
    }
    life.reset();
  }
  // At the same port, with the same store.
  void begin_again() {
    if (!life) life = std::make_unique<imr::testing::Life>(servers, port, settings);
  }
  imr::Repository& repository() { return life->service->repository(); }
  // A server that is started by the first call; the reference of its home, for which it has been started once.
  std::string registered(const std::string& name) {
    imr::Record server;
    server.name = name;
    server.command = {CALLIS_BINARY_DIR "/bin/callis_lifecycle_account", name, folder.path().string(),
                      "-ORBEndpoint", "tcp:127.0.0.1:0"};
    server.first_pause_ms = server.longest_pause_ms = 50;  // of one that is killed again and again
    server.start_limit = 100;
    for (const char* variable : {"ASAN_OPTIONS", "TSAN_OPTIONS"})
      if (const char* const options = std::getenv(variable)) server.variables.emplace_back(variable, options);
    repository().add(server, false);
    repository().start(name);
    wait_until([&] { return repository().status(name).state == imr::Machine::State::Running; });
    return services::testing::bytes_of(folder / (name + ".home"));
  }
  std::string new_account(const std::string& home) {
    const CORBA::Object_var object = client->string_to_object(home.c_str());
    const auto factory = CosLifeCycle::GenericFactory::_unchecked_narrow(object.in());
    const CORBA::Object_var made = factory->create_object(key_of("Account"), none);
    return CORBA::String_var(client->object_to_string(made.in())).in();
  }
  std::string new_account_in(const std::string& name) {
    return new_account(services::testing::bytes_of(folder / (name + ".home")));
  }
  std::uint64_t launches(const std::string& name) { return repository().status(name).launches; }
  void halt(const std::string& name) {
    repository().halt(name);
    ASSERT_EQ(repository().status(name).pid, 0);
  }
  void kill(const std::string& name) {
    const auto pid = repository().status(name).pid;
    ASSERT_GT(pid, 0);
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    wait_until([&] { return repository().status(name).pid != pid; });
  }
  // By a client that has had no reference yet.
  template <class Call>
  void as_somebody_else(const std::string& text, Call&& call) {
    const CORBA::ORB_var other = new_orb();
    try {
      call(account(text, other.in()).in());
    } catch (const CORBA::Exception& e) {
      ADD_FAILURE() << e.what();
    }
    other->destroy();
  }
};

TEST_F(UnderARepository, clients_go_on_whether_the_old_home_runs_or_not) {
  const std::string text = new_account_in("berlin");
  ASSERT_EQ(port_of(text), port) << "the reference leads through the repository";
  const auto a = account(text);
  EXPECT_EQ(a->add(0, 1, 5), 5);
  a->move(to_munich.in(), none);
  EXPECT_EQ(home_of(a.in()), "munich");

  halt("berlin");
  EXPECT_EQ(a->add(0, 2, 1), 6);
  EXPECT_EQ(launches("berlin"), 1u) << "who has been forwarded needs no old home";
  as_somebody_else(text, [&](LifeCycleTest::Account_ptr b) {
    EXPECT_EQ(b->add(1, 1, 1), 7);
    EXPECT_EQ(home_of(b), "munich");
  });
  EXPECT_EQ(launches("berlin"), 2u) << "it is started to forward";

  kill("berlin");
  as_somebody_else(text, [&](LifeCycleTest::Account_ptr b) { EXPECT_EQ(b->add(1, 2, 1), 8); });
  EXPECT_EQ(a->add(0, 3, 1), 9);
  EXPECT_EQ(launches("munich"), 1u);
}

TEST_F(UnderARepository, clients_go_on_when_the_new_home_or_all_homes_have_ended) {
  const std::string text = new_account_in("berlin");
  const auto a = account(text);
  a->move(to_munich.in(), none);
  EXPECT_EQ(a->add(0, 1, 5), 5);
  halt("munich");
  EXPECT_EQ(a->add(0, 2, 1), 6);
  EXPECT_EQ(launches("munich"), 2u);
  halt("munich");
  halt("berlin");
  EXPECT_EQ(a->add(0, 3, 1), 7);
  EXPECT_EQ(home_of(a.in()), "munich");
  kill("berlin");
  kill("munich");
  as_somebody_else(text, [&](LifeCycleTest::Account_ptr b) { EXPECT_EQ(b->add(1, 1, 1), 8); });

  a->move(to_berlin.in(), none);
  EXPECT_EQ(home_of(a.in()), "berlin");
  halt("munich");
  EXPECT_EQ(a->add(0, 4, 1), 9);
  halt("berlin");
  EXPECT_EQ(a->add(0, 5, 1), 10);
  EXPECT_EQ(launches("munich"), 4u) << "no longer asked for: the object is where its reference leads";
  const LifeCycleTest::State_var state = a->look();
  EXPECT_EQ(state->anomalies, 0u);
  EXPECT_EQ(state->executed, 6u);
}

TEST_F(UnderARepository, home_that_was_stopped_hears_where_the_object_is_now) {
  const CosLifeCycle::FactoryFinder_var to_ulm = finder(registered("ulm"));
  const std::string text = new_account_in("berlin");
  const auto a = account(text);
  a->move(to_munich.in(), none);
  halt("berlin");
  halt("munich");  // it knows the old home by nothing but a reference that leads through the repository
  a->move(to_ulm.in(), none);
  EXPECT_EQ(home_of(a.in()), "ulm");
  const auto forwards_past_munich = [&] {
    repository().halt("munich");
    const std::uint64_t before = launches("munich");
    as_somebody_else(text, [](LifeCycleTest::Account_ptr b) { EXPECT_EQ(home_of(b), "ulm"); });
    return launches("munich") == before;
  };
  wait_until(forwards_past_munich);
  repository().halt("munich");
  repository().remove("munich");  // for good
  halt("ulm");
  as_somebody_else(text, [](LifeCycleTest::Account_ptr b) { EXPECT_EQ(home_of(b), "ulm"); });
  EXPECT_EQ(home_of(a.in()), "ulm");
}

TEST_F(UnderARepository, object_may_move_to_a_home_that_is_started_for_it) {
  const auto a = account(new_account_in("berlin"));
  halt("munich");
  a->move(to_munich.in(), none);
  EXPECT_EQ(home_of(a.in()), "munich");
  EXPECT_EQ(launches("munich"), 2u);
}

TEST_F(UnderARepository, object_that_moves_to_where_it_is_stays) {
  const auto a = account(new_account_in("berlin"));
  a->move(to_berlin.in(), none);
  EXPECT_EQ(LifeCycleTest::State_var(a->look())->moves, 0u);
  const CosLifeCycle::LifeCycleObject_var made = a->copy(to_berlin.in(), none);
  EXPECT_EQ(home_of(LifeCycleTest::Account_var(LifeCycleTest::Account::_narrow(made.in())).in()), "berlin");
}

TEST_F(UnderARepository, clients_go_on_when_the_repository_was_started_again) {
  const std::string text = new_account_in("berlin");
  const auto a = account(text);
  a->move(to_munich.in(), none);
  EXPECT_EQ(a->add(0, 1, 5), 5);
  halt("berlin");
  life.reset();
  EXPECT_EQ(a->add(0, 2, 1), 6) << "who has been forwarded needs no repository";
  begin_again();
  as_somebody_else(text, [](LifeCycleTest::Account_ptr b) { EXPECT_EQ(b->add(1, 1, 1), 7); });
  halt("munich");
  EXPECT_EQ(a->add(0, 3, 1), 8);
}

// Calls and moves, while homes are stopped or killed by turns: each call counts once. A client whose call fails, and
// who cannot know whether it was executed, looks; so do applications.
struct HomesThatEnd : UnderARepository, ::testing::WithParamInterface<bool> {
  static constexpr CORBA::ULong kClients = 3, kCalls = 100, kEnds = 8;
  std::atomic<CORBA::ULong> done{0}, refused{0}, unknown{0};
  std::mutex mutex;
  std::condition_variable went_on;  // a call has been executed, or the test has failed

  void go_on() {
    { const std::lock_guard lock(mutex); }
    went_on.notify_all();
  }
  // A thread that tries again leaves the processor to the homes meanwhile.
  void pause() {
    std::unique_lock lock(mutex);
    went_on.wait_for(lock, std::chrono::milliseconds(10));
  }
  void wait_for(CORBA::ULong calls) {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(went_on.wait_for(lock, std::chrono::seconds(60), [&] { return done >= calls || HasFailure(); }));
  }

  static bool counts(LifeCycleTest::Account_ptr a, CORBA::ULong caller, CORBA::ULong number) {
    return LifeCycleTest::State_var(a->look())->last[caller] == number;
  }
  // Until it has been executed once. False: the test has failed.
  bool add(LifeCycleTest::Account_ptr a, CORBA::ULong caller, CORBA::ULong number) {
    bool may_count = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      try {
        if (may_count && counts(a, caller, number)) return true;
        a->add(caller, number, 1);
        return true;
      } catch (const CORBA::TRANSIENT& e) {
        EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
        ++refused;
        pause();
      } catch (const CORBA::COMM_FAILURE& e) {
        may_count = true;
        ++unknown;
        pause();
      } catch (const CORBA::Exception& e) {
        ADD_FAILURE() << e.what();
        return false;
      }
    }
    ADD_FAILURE() << "client " << caller << " waits for its call " << number;
    return false;
  }
  void call(const std::string& text, CORBA::ULong caller) {
    const CORBA::ORB_var own = new_orb();
    const LifeCycleTest::Account_var a = account(text, own.in());
    for (CORBA::ULong n = 1; n <= kCalls && add(a.in(), caller, n); ++n) {
      ++done;
      go_on();
    }
    go_on();
    own->destroy();
  }
};

TEST_P(HomesThatEnd, each_call_counts_once) {
  const std::string text = new_account_in("berlin");
  std::atomic<bool> end{false};
  std::atomic<CORBA::ULong> moves{0};
  std::vector<std::jthread> threads;
  for (CORBA::ULong c = 0; c < kClients; ++c) threads.emplace_back([&, c] { call(text, c); });
  threads.emplace_back([&] {
    const auto a = account(text);
    for (CORBA::ULong n = 0; !end; ++n) {
      try {
        a->move(n % 2 == 0 ? to_munich.in() : to_berlin.in(), none);
        ++moves;
        continue;
      } catch (const CosLifeCycle::NotMovable&) {  // a home has ended within it: the object is in one of them
      } catch (const CosLifeCycle::NoFactory&) {
      } catch (const CORBA::TRANSIENT&) {
      } catch (const CORBA::COMM_FAILURE&) {
      } catch (const CORBA::TIMEOUT&) {  // the other home took longer to come back than a home waits
      } catch (const CORBA::Exception& e) {
        ADD_FAILURE() << e.what();
        end = true;
        go_on();
      }
      pause();
    }
  });
  for (CORBA::ULong n = 0; n < kEnds; ++n) {
    wait_for(n * (kClients * kCalls / (kEnds + 1)));
    const std::string name = n % 2 == 0 ? "berlin" : "munich";
    if (GetParam()) {
      if (const auto pid = repository().status(name).pid; pid > 0) ::kill(static_cast<pid_t>(pid), SIGKILL);
    } else {
      EXPECT_NO_THROW(repository().halt(name));
    }
  }
  wait_for(kClients * kCalls);
  end = true;
  threads.clear();
  const LifeCycleTest::State_var state = account(text)->look();
  EXPECT_EQ(state->anomalies, 0u) << "calls that were executed twice, or left out";
  EXPECT_EQ(state->executed, kClients * kCalls);
  EXPECT_GT(state->moves, 0u);
  if (!GetParam()) {
    EXPECT_EQ(unknown, 0u) << "a home that is stopped answers what it has executed";
  }
  std::printf("%u moves, %u calls were refused, of %u nobody knew\n", moves.load(), refused.load(),
              unknown.load());
}
INSTANTIATE_TEST_SUITE_P(Homes, HomesThatEnd, ::testing::Values(false, true),
                         [](const auto& of) { return of.param ? "killed" : "stopped"; });

}  // namespace
}  // namespace callis::life_cycle::testing
