// SPDX-License-Identifier: Apache-2.0
// The program: files, options, outputs, exit status; and the service that it serves.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <tools/schedule/arguments.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include "CallisScheduling.h"

namespace callis::scheduling {
namespace {

struct Ended {
  int status = -1;
  std::string output;  // both streams
};

// A folder of the test's own, and the program in it, by way of the dispatcher.
struct ScheduleProgram : ::testing::Test {
  std::filesystem::path folder = make_folder();
  ~ScheduleProgram() override { std::filesystem::remove_all(folder); }

  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_schedule_XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  void write(const char* name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string read(const char* name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Ended run(const std::string& arguments) const {
    const std::string command =
        "cd " + folder.string() + " && " + CALLIS_BINARY_DIR + "/bin/callis schedule " + arguments + " 2>&1";
    Ended out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[512];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
    const int status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr char kGood[] =
    R"({"operations": [{"name": "Gps::sample", "wcet": "2ms", "period": "25ms", "calls": ["Map::lookup"]},
                       {"name": "Map::lookup", "wcet": "1ms"}]})";

TEST_F(ScheduleProgram, SaysByItsStatusWhetherDeadlinesAreMet) {
  write("good.json", kGood);
  write("bad.json",
        R"({"operations": [{"name": "a", "wcet": "20ms", "period": "25ms"},
                                         {"name": "b", "wcet": "9ms", "period": "40ms"}]})");
  const Ended good = run("good.json");
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_TRUE(has(good.output, "schedulable: every deadline is met")) << good.output;
  const Ended bad = run("bad.json");
  EXPECT_EQ(bad.status, 1);
  EXPECT_TRUE(has(bad.output, "NOT schedulable")) << bad.output;
  EXPECT_TRUE(has(bad.output, "overloaded")) << bad.output;
  EXPECT_EQ(run("bad.json --json").status, 1);
}

TEST_F(ScheduleProgram, TakesIdlJsonAndMeasurementsTogether) {
  write("nav.idl", R"(#define EVERY "25ms"
module Nav {
  interface Display {
    @rt(period = EVERY, importance = high) @rt_calls(operation = "Map::lookup", times = 2)
    void update();
  };
};
)");
  write("map.json", R"({"operations": [{"name": "Map::lookup", "wcet": "100us"}]})");
  write("times.txt",
        "callis-times 1\nop 3 2000000 3000000 update IDL:Nav/Display:1.0\n"
        "op 3 150000 300000 lookup IDL:Map:1.0\n");
  const Ended missing = run("nav.idl map.json");
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(has(missing.output, "'Nav::Display::update' has no worst-case execution time")) << missing.output;
  const Ended measured = run("nav.idl map.json --measured times.txt --margin 50 --json");
  EXPECT_EQ(measured.status, 0) << measured.output;
  EXPECT_TRUE(has(measured.output, "'Map::lookup' took 150us, more than its 100us")) << measured.output;
  EXPECT_TRUE(has(measured.output, "\"execution\": 3450000")) << measured.output;
}

TEST_F(ScheduleProgram, SaysWhereFilesAreWrong) {
  write("a.idl", "interface A { @rt(wcet = \"1 parsec\") void f(); };\n");
  const Ended idl = run("a.idl");
  EXPECT_EQ(idl.status, 3);
  EXPECT_TRUE(idl.output.starts_with("a.idl:1:26: error: 'wcet' is no time")) << idl.output;
  write("a.json", "{\"operations\": [\n{\"name\": 5}]}");
  const Ended json = run("a.json");
  EXPECT_EQ(json.status, 3);
  EXPECT_EQ(json.output, "a.json:2:10: error: \"name\" is a string, not a number\n");
  const Ended none = run("nowhere.json");
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(has(none.output, "nowhere.json: cannot be read: No such file")) << none.output;
  write("empty.idl", "interface A {};\n");
  EXPECT_TRUE(has(run("empty.idl").output, "no operations to schedule"));
}

TEST_F(ScheduleProgram, WritesEachForm) {
  write("good.json", kGood);
  EXPECT_EQ(run("good.json --header --namespace a::b -o plan.h").status, 0);
  EXPECT_TRUE(has(read("plan.h"), "namespace a::b {")) << read("plan.h");
  EXPECT_EQ(run("good.json --config --output plan.json --priorities 10:20").status, 0);
  EXPECT_TRUE(has(read("plan.json"), "\"priority\": 20")) << read("plan.json");
  EXPECT_EQ(run("good.json --svg --span 50ms -o plan.svg").status, 0);
  EXPECT_TRUE(has(read("plan.svg"), "</svg>"));
  EXPECT_TRUE(has(run("good.json -o /nowhere/at/all").output, "/nowhere/at/all: cannot be written"));
}

TEST_F(ScheduleProgram, SaysHowItIsUsed) {
  for (const char* wrong :
       {"", "x.json --policy edf", "x.json --lanes 0", "x.json --priorities 5", "x.json --priorities 9:5",
        "x.json --namespace 1a", "x.json --namespace a:", "x.json --span never", "x.json --frobnicate",
        "x.json --measured", "x.json -ORBLog debug", "serve --json"}) {
    const Ended ended = run(wrong);
    EXPECT_EQ(ended.status, 2) << wrong;
    EXPECT_TRUE(has(ended.output, " --help lists all")) << ended.output;
  }
  EXPECT_EQ(run("--help").status, 0);
}

TEST_F(ScheduleProgram, ServesWhatItsFilesHave) {
  write("good.json", kGood);
  const std::string ior_file = (folder / "ior").string(), json = (folder / "good.json").string();
  int out[2];
  ASSERT_EQ(::pipe(out), 0);
  const pid_t server = ::fork();
  if (server == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::close(out[0]);
    ::execl(CALLIS_BINARY_DIR "/bin/callis-schedule", "callis-schedule", "serve", json.c_str(), "--ior-file",
            ior_file.c_str(), "-ORBEndpoint", "tcp:127.0.0.1:0", nullptr);
    ::_exit(127);
  }
  ::close(out[1]);
  std::string line;
  char c = 0;
  while (::read(out[0], &c, 1) == 1 && c != '\n') line += c;
  EXPECT_EQ(line + "\n", read("ior"));
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "schedule-program-test");
  const CORBA::Object_var object = orb->string_to_object(line.c_str());
  CallisScheduling::Scheduler_var scheduler = CallisScheduling::Scheduler::_narrow(object.in());
  EXPECT_EQ(scheduler->lookup("Map::lookup"), 2u);
  CallisScheduling::Options options{CallisScheduling::RATE_MONOTONIC, false, 32, 0, 100};
  EXPECT_TRUE(CallisScheduling::Summary_var(scheduler->compute(options))->schedulable);
  scheduler = CallisScheduling::Scheduler::_nil();
  orb->destroy();
  ::kill(server, SIGTERM);
  int status = -1;
  ::waitpid(server, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  ::close(out[0]);
}

}  // namespace
}  // namespace callis::scheduling
