// SPDX-License-Identifier: Apache-2.0
// The life of a server without servers: what is told, when, and what is to be done about it.
#include <gtest/gtest.h>
#include <services/imr/machine.h>

namespace callis::imr {
namespace {

using Action = Machine::Action;
using Answer = Machine::Answer;
using State = Machine::State;

struct Life : ::testing::Test {
  Terms terms;
  Time now{};
  Machine machine;

  void make(const Terms& with) {
    terms = with;
    machine = Machine(with);
  }
  void pass(int ms) { now += Milliseconds(ms); }
  Answer want(Action expected = Action::None) {
    Action action;
    const Answer answer = machine.wanted(now, action);
    EXPECT_EQ(action, expected);
    return answer;
  }
  void run() {
    ASSERT_EQ(want(Action::Launch), Answer::Wait);
    machine.launched();
    ASSERT_TRUE(machine.up(now, true));
  }
  void crash(const char* how = "exit status 1") {
    ASSERT_EQ(want(Action::Launch), Answer::Wait);
    machine.launched();
    EXPECT_EQ(machine.ended(now, how), Action::None);
  }
};

TEST_F(Life, first_request_launches_and_the_others_wait) {
  EXPECT_EQ(want(Action::Launch), Answer::Wait);
  EXPECT_EQ(want(), Answer::Wait);
  machine.launched();
  EXPECT_EQ(want(), Answer::Wait);
  EXPECT_TRUE(machine.up(now, true));
  EXPECT_EQ(want(), Answer::Forward);
  EXPECT_EQ(machine.launches(), 1u);
}

TEST_F(Life, what_ends_at_its_start_is_given_pauses_that_double) {
  terms.first_pause = Milliseconds(100);
  terms.longest_pause = Milliseconds(300);
  make(terms);
  for (const int pause : {100, 200, 300, 300}) {
    crash();
    EXPECT_EQ(machine.state(), State::BackingOff);
    EXPECT_EQ(want(), Answer::Refuse);
    EXPECT_NE(machine.refusal(now).find("exit status 1"), std::string::npos) << machine.refusal(now);
    pass(pause - 1);
    EXPECT_EQ(want(), Answer::Refuse) << pause;
    pass(1);
  }
}

TEST_F(Life, start_limit_gives_up_until_an_operator_starts_it) {
  terms.start_limit = 2;
  make(terms);
  crash();
  pass(1'000);
  crash("killed by signal 11");
  EXPECT_TRUE(machine.given_up());
  pass(1'000'000);
  EXPECT_EQ(want(), Answer::Refuse);
  EXPECT_NE(machine.refusal(now).find("signal 11"), std::string::npos);
  EXPECT_NE(machine.refusal(now).find("callis imr start"), std::string::npos);
  EXPECT_FALSE(machine.wakes_at());
  EXPECT_EQ(machine.start(now), Action::Launch);
  machine.launched();
  EXPECT_TRUE(machine.up(now, true));
  EXPECT_EQ(want(), Answer::Forward);
}

TEST_F(Life, what_hangs_at_its_start_is_killed_at_the_deadline) {
  want(Action::Launch);
  machine.launched();
  pass(59'999);
  EXPECT_EQ(machine.tick(now), Action::None);
  pass(1);
  ASSERT_EQ(machine.wakes_at(), now);
  EXPECT_EQ(machine.tick(now), Action::Kill);
  EXPECT_EQ(machine.tick(now), Action::None) << "once";
  EXPECT_FALSE(machine.up(now, true)) << "too late";
  EXPECT_EQ(machine.ended(now, machine.reason()), Action::None);
  EXPECT_EQ(want(), Answer::Refuse);
  EXPECT_NE(machine.refusal(now).find("within 60.0 s"), std::string::npos) << machine.refusal(now);
}

TEST_F(Life, server_that_dies_long_after_its_start_is_started_by_the_next_request) {
  run();
  pass(10'000);
  EXPECT_EQ(machine.ended(now, "killed by signal 9"), Action::None);
  EXPECT_EQ(machine.state(), State::Stopped);
  EXPECT_EQ(machine.failures(), 0u);
  run();
}

TEST_F(Life, server_that_dies_soon_after_it_was_up_is_started_at_once_the_first_time_only) {
  run();
  machine.ended(now, "killed by signal 9");
  run();
  machine.ended(now, "killed by signal 9");
  EXPECT_EQ(machine.state(), State::BackingOff);
  EXPECT_EQ(want(), Answer::Refuse);
}

TEST_F(Life, always_is_launched_at_the_beginning_and_again) {
  terms.activation = Activation::Always;
  make(terms);
  EXPECT_EQ(machine.begin(now), Action::Launch);
  machine.launched();
  machine.up(now, true);
  pass(20'000);
  EXPECT_EQ(machine.ended(now, "exit status 0"), Action::Launch);
  machine.launched();
  EXPECT_EQ(machine.ended(now, "exit status 1"), Action::None);
  pass(1'000);
  EXPECT_EQ(machine.tick(now), Action::Launch);
}

TEST_F(Life, always_stays_stopped_by_an_operator_until_somebody_calls) {
  terms.activation = Activation::Always;
  make(terms);
  machine.begin(now);
  machine.launched();
  machine.up(now, true);
  EXPECT_EQ(machine.stop(now), Action::Ask);
  EXPECT_EQ(want(), Answer::Wait);
  EXPECT_EQ(machine.ended(now, "exit status 0"), Action::None);
  EXPECT_EQ(machine.state(), State::Stopped);
  run();
}

TEST_F(Life, what_does_not_stop_is_killed) {
  run();
  EXPECT_EQ(machine.stop(now), Action::Ask);
  EXPECT_EQ(machine.stop(now), Action::None) << "once";
  pass(10'000);
  EXPECT_EQ(machine.tick(now), Action::Kill);
  EXPECT_FALSE(machine.wakes_at());
  machine.ended(now, "killed by signal 9");
  EXPECT_EQ(machine.state(), State::Stopped);
  EXPECT_EQ(machine.failures(), 0u);
}

TEST_F(Life, stop_ends_a_start_and_a_pause) {
  want(Action::Launch);
  machine.launched();
  EXPECT_EQ(machine.stop(now), Action::Ask);
  EXPECT_FALSE(machine.up(now, true));
  machine.ended(now, "killed by signal 15");
  crash();
  EXPECT_EQ(machine.stop(now), Action::None);
  EXPECT_EQ(machine.state(), State::Stopped);
  EXPECT_FALSE(machine.wakes_at());
}

TEST_F(Life, by_hand_is_not_launched_by_requests) {
  terms.activation = Activation::ByHand;
  make(terms);
  EXPECT_EQ(want(), Answer::Refuse);
  EXPECT_NE(machine.refusal(now).find("callis imr start"), std::string::npos);
  EXPECT_EQ(machine.start(now), Action::Launch);
}

TEST_F(Life, server_from_a_terminal_may_come_and_go) {
  terms.can_start = false;
  make(terms);
  EXPECT_EQ(want(), Answer::Refuse);
  EXPECT_EQ(machine.start(now), Action::None);
  EXPECT_TRUE(machine.up(now, false));
  EXPECT_FALSE(machine.has_process());
  EXPECT_EQ(want(), Answer::Forward);
  EXPECT_FALSE(machine.up(now, false)) << "there is one";
  EXPECT_EQ(machine.lost(now, "nobody answers"), Action::None);
  EXPECT_EQ(want(), Answer::Refuse);
  EXPECT_TRUE(machine.up(now, false));
  machine.going_down(now);
  EXPECT_EQ(machine.state(), State::Stopped);
}

TEST_F(Life, requests_wait_for_the_end_of_a_server_of_somebody_else_that_can_be_seen_to_end) {
  EXPECT_TRUE(machine.up(now, false));
  machine.going_down(now, true);
  EXPECT_EQ(want(), Answer::Wait);
  EXPECT_EQ(machine.lost(now, "nobody answers"), Action::None);
  EXPECT_EQ(machine.state(), State::Stopped);
  EXPECT_EQ(machine.reason(), "it has ended by itself");
}

TEST_F(Life, only_the_process_that_was_launched_last_is_the_server) {
  want(Action::Launch);
  machine.launched();
  EXPECT_FALSE(machine.up(now, false));
  EXPECT_TRUE(machine.up(now, true));
  EXPECT_TRUE(machine.up(now, true)) << "it may say so again";
  EXPECT_EQ(machine.lost(now, "x"), Action::None) << "our own processes are seen to end";
  EXPECT_EQ(machine.state(), State::Running);
}

TEST_F(Life, requests_wait_for_the_end_of_a_server_that_goes_down) {
  run();
  machine.going_down(now);
  EXPECT_EQ(want(), Answer::Wait);
  EXPECT_EQ(machine.ended(now, "exit status 0"), Action::None);
  EXPECT_EQ(want(Action::Launch), Answer::Wait);
}

TEST_F(Life, server_that_takes_no_connections_is_killed_if_it_does_not_end) {
  run();
  machine.vanished(now);
  EXPECT_EQ(want(), Answer::Wait);
  pass(10'000);
  EXPECT_EQ(machine.tick(now), Action::Kill);
}

TEST_F(Life, launch_that_fails_counts_as_a_failure) {
  want(Action::Launch);
  EXPECT_EQ(machine.ended(now, "cannot execute /x: No such file or directory"), Action::None);
  EXPECT_EQ(machine.state(), State::BackingOff);
  EXPECT_NE(machine.refusal(now).find("No such file"), std::string::npos);
}

TEST_F(Life, late_news_of_an_end_change_nothing) {
  crash();
  EXPECT_EQ(machine.ended(now, "again"), Action::None);
  EXPECT_EQ(machine.failures(), 1u);
  machine.going_down(now);
  machine.vanished(now);
  EXPECT_EQ(machine.state(), State::BackingOff);
}

}  // namespace
}  // namespace callis::imr
