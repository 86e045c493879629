// SPDX-License-Identifier: Apache-2.0
// Real processes: what they have, how their ends are told, what is said when there can be none.
#include <gtest/gtest.h>
#include <services/imr/processes.h>
#include <unistd.h>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace callis::imr {
namespace {

struct Ends : Launcher::Listener {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::string> all;

  void ended(const std::string&, const std::string& start, const std::string& how) override {
    const std::lock_guard lock(mutex);
    all[start] = how;
    changed.notify_all();
  }
  std::string of(const std::string& start) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return all.count(start) != 0; });
    return all[start];
  }
};

struct ImrProcesses : ::testing::Test {
  Ends ends;
  Processes processes{ends};
  int runs = 0;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("callis-imr-" + std::to_string(::getpid()));

  ~ImrProcesses() override { std::filesystem::remove(file); }
  static Record shell(const std::string& script) {
    Record r;
    r.name = "sh";
    r.command = {"/bin/sh", "-c", script};
    return r;
  }
  std::string run(const Record& r) {
    const std::string start = "run " + std::to_string(++runs);
    processes.launch(r, start, "corbaloc::x/y");
    return ends.of(start);
  }
  std::string printed() const {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::string refused(const Record& r) {
    try {
      processes.launch(r, "never", "x");
      return "launched";
    } catch (const CannotLaunch& e) {
      return e.what();
    }
  }
};

TEST_F(ImrProcesses, ends_are_told_in_words) {
  EXPECT_EQ(run(shell("exit 3")), "exit status 3");
  EXPECT_EQ(run(shell("kill -SEGV $$")).substr(0, 19), "killed by signal 11");
}

TEST_F(ImrProcesses, have_the_environment_of_their_record_alone) {
  ::setenv("CALLIS_TEST_SECRET", "x", 1);
  Record r = shell("exec /usr/bin/env > " + file.string());
  r.variables = {{"FLOW", "a b"}};
  EXPECT_EQ(run(r), "exit status 0");
  const std::string text = printed();
  EXPECT_NE(text.find("FLOW=a b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("CALLIS_IMR=corbaloc::x/y\n"), std::string::npos) << text;
  EXPECT_NE(text.find("CALLIS_SERVER_ID=sh\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("SECRET"), std::string::npos) << text;
  ::unsetenv("CALLIS_TEST_SECRET");
}

TEST_F(ImrProcesses, have_no_descriptors_of_ours_and_their_directory) {
  Record r = shell("pwd > " + file.string() + "; ls /proc/$$/fd | tr '\\n' ' ' >> " + file.string());
  r.directory = "/usr";
  EXPECT_EQ(run(r), "exit status 0");
  const std::string text = printed();
  EXPECT_EQ(text.substr(0, 9), "/usr\n0 1 ") << text;
  EXPECT_EQ(text.find(" 4"), std::string::npos) << text;
}

TEST_F(ImrProcesses, can_be_ended_and_killed_with_their_group) {
  Record r = shell("exec sleep 1000");
  processes.launch(r, "a", "x");
  processes.end("a", false);
  EXPECT_EQ(ends.of("a").substr(0, 19), "killed by signal 15");
  Record stubborn = shell("trap '' TERM; echo ready > " + file.string() + "; sleep 1000; sleep 1000");
  processes.launch(stubborn, "b", "x");
  processes.end("b", true);
  EXPECT_EQ(ends.of("b").substr(0, 18), "killed by signal 9");
  processes.end("b", true);
  processes.end("unknown", true);
}

// A server behind a shell may take a while to go, and have its port until then.
TEST_F(ImrProcesses, have_ended_when_all_of_their_group_have) {
  const std::string path = file.string(), big = "b'x' * (1 << 28)";  // which the system takes some time to take back
  const Record r = shell("/usr/bin/python3 -c \"import os, time; b = " + big + "; open('" + path +
                         "', 'w').write(str(os.getpid())); time.sleep(1000)\" & while [ ! -s " + path +
                         " ]; do /bin/sleep 0.01; done");
  EXPECT_EQ(run(r), "exit status 0");
  EXPECT_FALSE(is_running(std::stoll(printed())));
}

TEST_F(ImrProcesses, that_print_much_are_not_held_up) {
  const Record r = shell("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done; printf 'no end'");
  EXPECT_EQ(run(r), "exit status 0");
}

TEST_F(ImrProcesses, that_cannot_be_are_said_why) {
  Record r;
  r.name = "x";
  EXPECT_NE(refused(r).find("no command line"), std::string::npos);
  r.command = {"/nowhere/x"};
  EXPECT_EQ(refused(r), "cannot execute /nowhere/x: No such file or directory");
  r.command = {"/bin/true"};
  r.directory = "/nowhere";
  EXPECT_EQ(refused(r), "cannot go to /nowhere: No such file or directory");
  r.directory.clear();
  r.user = "no-such-user";
  EXPECT_EQ(refused(r), "there is no user \"no-such-user\" on this host");
}

TEST_F(ImrProcesses, run_as_their_user_where_we_are_root) {
  Record r = shell("id -u > " + file.string() + "-user");
  r.user = "nobody";
  if (::geteuid() != 0) {
    EXPECT_NE(refused(r).find("only root"), std::string::npos);
    return;
  }
  r.command[2] = "[ \"$(id -un)\" = nobody ] && [ \"$(id -G)\" = \"$(id -G nobody)\" ]";
  EXPECT_EQ(run(r), "exit status 0");
}

}  // namespace
}  // namespace callis::imr
