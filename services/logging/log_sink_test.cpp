// SPDX-License-Identifier: Apache-2.0
// A program's own log lines on their way to a sink: bounded, counted, never waited for.
#include <gtest/gtest.h>
#include <services/logging/sink/log_sink.h>
#include <services/logging/sink/queue.h>
#include <services/logging/testing/serving.h>
#include <cstdlib>
#include <thread>

namespace callis::log_sink::testing {
namespace {

using logs::testing::LogService;

TEST(LineQueue, drops_and_counts_what_finds_no_room) {
  Queue queue(3, 100);
  for (int i = 0; i < 5; ++i) queue.put(LogLevel::Info, "line");
  queue.put(LogLevel::Info, std::string(101, 'x'));
  std::vector<Line> lines;
  std::uint64_t dropped = 0;
  EXPECT_TRUE(queue.take(lines, dropped, 2));
  EXPECT_EQ(lines.size(), 2u);
  EXPECT_EQ(dropped, 3u);
  EXPECT_TRUE(queue.take(lines, dropped, 2));
  EXPECT_EQ(dropped, 0u) << "they have been told";
  queue.put(LogLevel::Info, std::string(101, 'x'));
  queue.end();
  queue.put(LogLevel::Info, "too late");
  EXPECT_TRUE(queue.take(lines, dropped, 2)) << "one was dropped";
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(dropped, 1u);
  EXPECT_FALSE(queue.take(lines, dropped, 2));
}

// What the program wrote before, it still writes.
std::atomic<int> written{0};
void count(LogLevel, std::string_view, void*) { ++written; }

class Variable {
 public:
  explicit Variable(const std::string& value) { ::setenv(kVariable, value.c_str(), 1); }
  ~Variable() { ::unsetenv(kVariable); }
};

TEST(LogSinkUnset, does_nothing) {
  ::unsetenv(kVariable);
  EXPECT_FALSE(Sending("p").active());
}

TEST_F(LogService, gets_lines_of_a_program_that_sends_them) {
  const CORBA::String_var sink =
      life->client->object_to_string(CallisLogging::Sink_var(life->front->line_sink()).in());
  const DsLogAdmin::Log_var log = life->basic->find_log(life->front->line_log());
  {
    const Variable variable(sink.in());
    Sending sending("boiler", &count);
    EXPECT_TRUE(sending.active());
    const int before = written;
    for (int i = 0; i < 1'200; ++i) callis::log(LogLevel::Error, "the pump has stopped");
    EXPECT_GE(written, before + 1'200);
  }  // waits for what is on its way
  EXPECT_EQ(log->match("EXTENDED_TCL", "program == 'boiler' and level == 4 and 'pump' ~ info"), 1'200u);
  set_log_sink(nullptr, nullptr);
}

// Nothing listens there: the program goes on, its lines are dropped, and its end waits no longer than said.
TEST(LogSinkAway, holds_nobody_up) {
  const Variable variable("corbaloc::127.0.0.1:1/LogSink");
  const auto begin = std::chrono::steady_clock::now();
  {
    Sending sending("boiler", &count);
    for (int i = 0; i < 100'000; ++i) callis::log(LogLevel::Error, "the pump has stopped");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3 * kDeadlineMs));
  set_log_sink(nullptr, nullptr);
}

// At the level that says most each call of the ORB's brings lines; those of the sending itself are not sent.
TEST_F(LogService, gets_no_lines_that_sending_lines_brings) {
  const CORBA::String_var sink =
      life->client->object_to_string(CallisLogging::Sink_var(life->front->line_sink()).in());
  const DsLogAdmin::Log_var log = life->basic->find_log(life->front->line_log());
  const LogLevel level = log_level();
  {
    const Variable variable(sink.in());
    Sending sending("boiler", &count);
    set_log_level(LogLevel::Trace);
    callis::log(LogLevel::Error, "one line");
    while (log->match("EXTENDED_TCL", "info == 'one line'") == 0) std::this_thread::yield();
  }
  set_log_level(level);
  EXPECT_EQ(log->match("EXTENDED_TCL", "'write_and_wait' ~ info and 'call ' ~ info"), 0u);
  set_log_sink(nullptr, nullptr);
}

TEST(LogSinkWrong, says_once_that_the_reference_is_none) {
  const Variable variable("no reference");
  written = 0;
  {
    Sending sending("boiler", &count);
    callis::log(LogLevel::Error, "one line");
  }
  EXPECT_EQ(written, 2);
  set_log_sink(nullptr, nullptr);
}

}  // namespace
}  // namespace callis::log_sink::testing
