// SPDX-License-Identifier: Apache-2.0
// An object that moves to and fro between two servers while it is called: each call is executed once.
#include <services/lifecycle/testing/world.h>
#include <thread>

namespace callis::life_cycle::testing {
namespace {

struct Moves : World {
  Site berlin{"berlin"}, munich{"munich"};
};

TEST_F(Moves, each_of_a_hundred_thousand_calls_is_executed_once_during_a_hundred_moves) {
  constexpr CORBA::ULong kClients = 4, kCalls = 25'000, kMoves = 100;
  const CosLifeCycle::FactoryFinder_var finders[] = {finder(munich), finder(berlin)};
  const std::string text = make(berlin);
  std::atomic<CORBA::ULong> done{0};
  std::vector<std::thread> threads;
  for (CORBA::ULong c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      const CORBA::ORB_var own = new_orb();
      try {
        const LifeCycleTest::Account_var a = account(text, own.in());
        for (CORBA::ULong n = 1; n <= kCalls; ++n, ++done) a->add(c, n, 1);
      } catch (const CORBA::Exception& e) {
        ADD_FAILURE() << "client " << c << ": " << e.what();
        done += 1'000'000;
      }
      own->destroy();
    });
  }
  // Spread over the calls.
  const LifeCycleTest::Account_var a = account(text);
  CORBA::ULong moves = 0;
  for (; moves < kMoves; ++moves) {
    while (done < moves * (kClients * kCalls / (kMoves + 1))) std::this_thread::yield();
    a->move(finders[moves % 2].in(), none);
  }
  for (std::thread& t : threads) t.join();
  const LifeCycleTest::State_var state = a->look();
  EXPECT_EQ(state->anomalies, 0u) << "calls that were executed twice, or left out";
  EXPECT_EQ(state->executed, kClients * kCalls);
  EXPECT_EQ(state->balance, kClients * kCalls);
  EXPECT_EQ(state->moves, kMoves);
  for (CORBA::ULong c = 0; c < kClients; ++c) EXPECT_EQ(state->last[c], kCalls) << c;
  EXPECT_EQ(berlin.counter("objects.went") + munich.counter("objects.went"), kMoves);
  EXPECT_GT(berlin.counter("requests.forwarded") + munich.counter("requests.forwarded"), 0);
}

}  // namespace
}  // namespace callis::life_cycle::testing
