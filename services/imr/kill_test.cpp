// SPDX-License-Identifier: Apache-2.0
// A server that is killed again and again under load: no call is executed twice, and what the client is told of each
// is so.
#include <thread>
#include <services/imr/testing/world.h>
#include <signal.h>
#include <filesystem>
#include <map>

namespace callis::imr::testing {
namespace {

enum class Told : std::uint8_t { Done, NotDone, Maybe, Other };

struct ImrKill : World {
  ImrKill() { begin(); }

  // How often each call has been executed.
  std::map<CORBA::ULong, int> executed() const {
    std::map<CORBA::ULong, int> out;
    std::ifstream file(notes);
    for (CORBA::ULong n; file >> n;) ++out[n];
    return out;
  }
  // Grows with each execution; reading all of them over and over would take longer than the calls.
  std::uintmax_t noted() const {
    std::error_code none_yet;
    const std::uintmax_t bytes = std::filesystem::file_size(notes, none_yet);
    return none_yet ? 0 : bytes;
  }
  static Told call(const ImrTest::Counter_var& on, CORBA::ULong n) {
    try {
      return on->note(n) == n ? Told::Done : Told::Other;
    } catch (const CORBA::SystemException& e) {
      if (e.completed() == CORBA::COMPLETED_NO) return Told::NotDone;
      return e.completed() == CORBA::COMPLETED_MAYBE ? Told::Maybe : Told::Other;
    }
  }
};

TEST_F(ImrKill, each_call_is_executed_once_at_most_and_told_as_it_was) {
  Record r = counter();
  r.start_limit = 0;
  r.first_pause_ms = r.longest_pause_ms = 1;
  repository().add(r, false);
  constexpr CORBA::ULong kThreads = 4, kKills = 25;
  std::atomic<bool> stop{false};
  std::vector<std::map<CORBA::ULong, Told>> told(kThreads);
  std::vector<std::thread> threads;
  for (CORBA::ULong t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const auto c = object();
      for (CORBA::ULong n = t * 10'000'000; !stop; ++n) told[t][n] = call(c, n);
    });
  for (CORBA::ULong i = 0; i < kKills; ++i) {
    std::int64_t pid = 0;
    wait_until([&] {
      const auto s = repository().status("counter");
      pid = s.pid;
      return s.state == Machine::State::Running && s.launches > i && pid != 0;
    });
    const std::uintmax_t before = noted();
    wait_until([&] { return noted() > before + 50; });
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    wait_until([&] { return repository().status("counter").pid != pid; });
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  const auto ran = executed();
  std::map<Told, std::size_t> sums;
  for (const auto& one : told)
    for (const auto& [n, how] : one) {
      ++sums[how];
      const auto found = ran.find(n);
      const int times = found == ran.end() ? 0 : found->second;
      EXPECT_LE(times, 1) << n;
      if (how == Told::Done) {
        EXPECT_EQ(times, 1) << n;
      }
      if (how == Told::NotDone) {
        EXPECT_EQ(times, 0) << n;
      }
    }
  EXPECT_EQ(sums[Told::Other], 0u);
  EXPECT_GT(sums[Told::Done], 5u * kKills);
  RecordProperty("done", std::to_string(sums[Told::Done]));
  RecordProperty("maybe", std::to_string(sums[Told::Maybe]));
  RecordProperty("not_done", std::to_string(sums[Told::NotDone]));
  std::printf("done %zu, maybe %zu, not done %zu\n", sums[Told::Done], sums[Told::Maybe], sums[Told::NotDone]);
}

}  // namespace
}  // namespace callis::imr::testing
