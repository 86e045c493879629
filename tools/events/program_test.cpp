// SPDX-License-Identifier: Apache-2.0
// callis events as a program, with its clients: output, exit status, and what is said when something goes wrong.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <tools/ior/testing/ran.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace callis::events {
namespace {

using tools::testing::Ended;
using tools::testing::ran;

const std::string kProgram = std::string(CALLIS_BINARY_DIR) + "/bin/callis-events";

// callis events with two channels, at a port that the system chooses; and a folder with references to all three.
struct EventsProgram : ::testing::Test {
  std::filesystem::path folder = make_folder();
  std::FILE* service = nullptr;
  pid_t pid = 0;
  std::string address;

  EventsProgram() {
    const std::string command =
        "echo $$; exec " + kProgram + " --allow admin=any --channel one --channel two -ORBEndpoint tcp:127.0.0.1:0";
    service = ::popen(command.c_str(), "r");
    char line[8192];
    if (std::fgets(line, sizeof line, service)) pid = std::stoi(line);
    if (!std::fgets(line, sizeof line, service)) ADD_FAILURE() << "callis events has not started";
    std::ofstream(folder / "factory") << line;
    const std::string said =
        ran(std::string(CALLIS_BINARY_DIR) + "/bin/callis-ior " + (folder / "factory").string()).output;
    const std::size_t at = said.find("address: ");
    address = said.substr(at + 9, said.find('\n', at) - at - 9);
  }
  ~EventsProgram() override {
    ::kill(pid, SIGTERM);
    EXPECT_EQ(::pclose(service), 0);
    std::filesystem::remove_all(folder);
  }
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_events_XXXXXX").string();
    return ::mkdtemp(name.data());
  }
  std::string at(const std::string& name) const { return " corbaloc::" + address + "/" + name + " "; }
  Ended run(const std::string& arguments) const {
    return ran("cd " + folder.string() + " && " + kProgram + " " + arguments);
  }
};

// A client whose lines are read one by one.
struct Client {
  std::FILE* pipe;
  explicit Client(const std::string& arguments)
      : pipe(::popen(("exec " + kProgram + " " + arguments + " 2>&1").c_str(), "r")) {}
  ~Client() {
    if (pipe) ::pclose(pipe);
  }
  std::string line() {
    char out[4096];
    return std::fgets(out, sizeof out, pipe) ? std::string(out) : "ended\n";
  }
  int status() {
    const int out = ::pclose(pipe);
    pipe = nullptr;
    return WIFEXITED(out) ? WEXITSTATUS(out) : -1;
  }
};

TEST_F(EventsProgram, PassesEventsFromItsClientsToItsClients) {
  Client watching("watch --types --count 2" + at("one")), pulling("pull --count 3" + at("one"));
  EXPECT_EQ(watching.line(), "callis events: connected\n");
  EXPECT_EQ(pulling.line(), "callis events: connected\n");
  EXPECT_EQ(run("push" + at("one") + "'a b'").status, 0);
  EXPECT_EQ(ran("printf '7\\n\\n' | " + kProgram + " push" + at("one")).status, 0);
  EXPECT_EQ(watching.line(), "{\"type\":\"string\",\"value\":\"a b\"}\n");
  EXPECT_EQ(watching.line(), "{\"type\":\"string\",\"value\":\"7\"}\n");
  EXPECT_EQ(watching.status(), 0);
  for (const char* each : {"\"a b\"\n", "\"7\"\n", "\"\"\n"}) EXPECT_EQ(pulling.line(), each);
  EXPECT_EQ(pulling.status(), 0);
}

TEST_F(EventsProgram, TellsItsClientsWhenTheirChannelIsDestroyed) {
  Client watching("watch" + at("one"));
  EXPECT_EQ(watching.line(), "callis events: connected\n");
  const Ended destroyed = ran(std::string(CALLIS_BINARY_DIR) + "/bin/callis-call --idl " CALLIS_SOURCE_DIR
                              "/services/events/CosEventChannelAdmin.idl" + at("one") + "destroy");
  EXPECT_EQ(destroyed.status, 0) << destroyed.output;
  EXPECT_EQ(watching.line(), "callis events: the channel has disconnected this consumer, or was destroyed\n");
  EXPECT_EQ(watching.status(), 3);
  EXPECT_EQ(run("push" + at("one") + "x").status, 4);
}

TEST_F(EventsProgram, ListsItsChannels) {
  EXPECT_EQ(run("push" + at("two") + "a b c").status, 0);
  const Ended listed = run("ls factory");
  EXPECT_EQ(listed.status, 0);
  EXPECT_NE(listed.output.find("channel: one\n  received: 0\n"), std::string::npos) << listed.output;
  EXPECT_NE(listed.output.find("channel: two\n  received: 3\n"), std::string::npos) << listed.output;
  EXPECT_NE(run("ls --json" + at("omniEvents")).output.find("\"name\": \"two\""), std::string::npos)
      << run("ls --json" + at("omniEvents")).output;
  const std::string stats = run("--stats " + address + " --json").output;
  EXPECT_NE(stats.find("\"received\":3"), std::string::npos) << stats;
}

TEST_F(EventsProgram, LeavesNothingBehindWhenASignalEndsAClient) {
  for (const std::string command : {"watch", "pull"}) {
    const std::string words = "echo $$; exec " + kProgram + " " + command + at("one") + "2>&1";
    std::FILE* const client = ::popen(words.c_str(), "r");
    char line[512];
    ASSERT_TRUE(std::fgets(line, sizeof line, client));
    const pid_t number = std::stoi(line);
    ASSERT_TRUE(std::fgets(line, sizeof line, client));
    EXPECT_STREQ(line, "callis events: connected\n");
    EXPECT_NE(run("ls factory").output.find("suppliers: 1"), std::string::npos);
    ::kill(number, SIGTERM);
    EXPECT_EQ(::pclose(client), 0) << command;
    const std::string left = run("ls factory").output;
    EXPECT_EQ(left.find("suppliers: 1"), std::string::npos) << command << "\n" << left;
  }
}

TEST_F(EventsProgram, SaysWhatIsWrong) {
  EXPECT_EQ(run("push --json" + at("one") + "'{'").status, 1);
  EXPECT_EQ(run("push --json" + at("one") + "'{\"type\":\"long\",\"value\":\"x\"}'").output,
            "callis events: event.value: expected an integer from -2147483648 to 2147483647, found the string "
            "\"x\"\n");
  EXPECT_EQ(run("push").status, 2);
  EXPECT_EQ(run("ls --count 1" + at("one")).status, 2);
  EXPECT_EQ(run("watch --count x" + at("one")).status, 2);
  EXPECT_EQ(run("watch factory").output, "callis events: the object is no event channel\n");
  EXPECT_EQ(run("watch nothing").status, 1);
  EXPECT_EQ(run("watch corbaloc::127.0.0.1:1/x").status, 4);
  EXPECT_EQ(run("--overflow never").status, 2);
  EXPECT_EQ(run("--priority IDL:A:1.0=1").status, 2);
  for (const char* bad : {"IDL:A:1.0", "IDL:A:1.0=8", "=3", "IDL:A:1.0=1 --priority IDL:A:1.0=2"})
    EXPECT_EQ(run(std::string("--overflow priority --priority ") + bad).status, 2) << bad;
  EXPECT_EQ(run("--channel 'a b'").status, 2);
  EXPECT_EQ(run("--channel a --channel a").status, 2);
#ifdef CALLIS_HAS_TYPED_EVENTS
  const Ended untold = run("--typed a -ORBEndpoint tcp:127.0.0.1:0");
  EXPECT_EQ(untold.status, 2);
  EXPECT_TRUE(untold.output.starts_with(
      "callis events: --typed needs --repository REFERENCE, an Interface Repository that has the types\n"))
      << untold.output;
  EXPECT_EQ(run("--repository corbaloc::127.0.0.1:1/x").status, 2);
  EXPECT_EQ(run("--typed a --typed a --repository corbaloc::127.0.0.1:1/x").status, 2);
#endif
}

#ifdef CALLIS_REAL_TIME_EVENTS
// Two processes of the service, each with a real-time channel, the second of which takes from the first; and clients
// that know them by their IDL alone.
struct RealTimeProgram : ::testing::Test {
  struct Service {
    std::FILE* out;
    pid_t pid = 0;
    std::string address;
    explicit Service(const std::string& arguments) {
      const std::string command =
          "echo $$; exec " + kProgram + " -ORBRealTime off " + arguments +
          (arguments.find("-ORBEndpoint") == std::string::npos ? " -ORBEndpoint tcp:127.0.0.1:0" : "");
      out = ::popen(command.c_str(), "r");
      char line[8192];
      if (std::fgets(line, sizeof line, out)) pid = std::stoi(line);
      if (!std::fgets(line, sizeof line, out)) ADD_FAILURE() << "callis events has not started";
      line[std::string(line).find('\n')] = 0;
      const std::string said = ran(std::string(CALLIS_BINARY_DIR) + "/bin/callis-ior " + line).output;
      const std::size_t at = said.find("address: ");
      address = said.substr(at + 9, said.find('\n', at) - at - 9);
    }
    ~Service() {
      ::kill(pid, SIGTERM);
      EXPECT_EQ(::pclose(out), 0);
    }
    std::int64_t counted(const std::string& name) const {
      const std::string stats = ran(kProgram + " --stats " + address + " --json").output;
      const std::size_t at = stats.find("\"" + name + "\":");
      return at == std::string::npos ? -1 : std::stoll(stats.substr(at + name.size() + 3));
    }
    Ended call(const std::string& key, const std::string& words) const {
      const std::string idl = CALLIS_SOURCE_DIR "/services/events/rtchannel/CallisRealTimeEvents.idl";
      return ran(std::string(CALLIS_BINARY_DIR) + "/bin/callis-call --idl " + idl + " corbaloc::" + address + "/" +
                 key + " " + words);
    }
  };
};

TEST_F(RealTimeProgram, HasChannelsAFactoryAndCounts) {
  const Service service("--allow admin=any --rt-channel plant --rt-lanes 50:1,0:2");
  const Ended made = service.call("RealTimeEventService", "create '\"more\"'");
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(service.counted("rt_channels"), 2);
  EXPECT_EQ(service.counted("rt_threads"), 3);
  EXPECT_EQ(service.counted("channels"), 1) << "the plain one";
  const Ended again = service.call("RealTimeEventService", "create '\"plant\"'");
  EXPECT_EQ(again.status, 3);
  EXPECT_NE(again.output.find("there is a real-time channel 'plant' already"), std::string::npos) << again.output;
  const Ended state = service.call("plant", "state");
  EXPECT_NE(state.output.find("\"received\":0"), std::string::npos) << state.output;
  EXPECT_EQ(service.call("more", "destroy").status, 0);
  EXPECT_EQ(service.counted("rt_channels"), 1);
}

TEST_F(RealTimeProgram, PassesEventsFromItsClientsToItsClients) {
  const Service service("--rt-channel plant");
  const std::string at = " corbaloc::" + service.address + "/plant ";
  Client watching("watch --count 2 --source 3" + at), all("watch --types --count 3" + at);
  EXPECT_EQ(watching.line(), "callis events: connected\n");
  EXPECT_EQ(all.line(), "callis events: connected\n");
  EXPECT_EQ(ran(kProgram + " push --source 3 --type 20" + at + "'a b'").status, 0);
  EXPECT_EQ(ran("printf '7\\n' | " + kProgram + " push --source 4 --type 20 --ttl 0" + at).status, 0);
  EXPECT_EQ(ran(kProgram + " push --json --source 3 --type 21" + at + "'{\"type\":\"long\",\"value\":5}'").status, 0);
  EXPECT_EQ(watching.line(), "{\"source\":3,\"type\":20,\"ttl\":1,\"value\":\"a b\"}\n");
  EXPECT_EQ(watching.line(), "{\"source\":3,\"type\":21,\"ttl\":1,\"value\":5}\n");
  EXPECT_EQ(watching.status(), 0);
  for (int i = 0; i < 2; ++i) (void)all.line();
  EXPECT_EQ(all.line(), "{\"source\":3,\"type\":21,\"ttl\":1,\"value\":{\"type\":\"long\",\"value\":5}}\n");
  EXPECT_EQ(all.status(), 0);
  EXPECT_EQ(service.counted("rt_proxies"), 0) << "nothing is left of them";
  const std::string listed = ran(kProgram + " ls corbaloc::" + service.address + "/RealTimeEventService").output;
  EXPECT_NE(listed.find("channel: plant\n  received: 3\n"), std::string::npos) << listed;
  EXPECT_EQ(ran(kProgram + " push" + at + "x").status, 2) << "without a type";
  EXPECT_EQ(ran(kProgram + " push --source 3 --type 5" + at + "x").status, 4) << "a timeout's type";
  EXPECT_EQ(ran(kProgram + " pull" + at).status, 1);
  EXPECT_EQ(ran(kProgram + " watch --source 3 corbaloc::" + service.address + "/EventChannel").status, 1);
}

TEST_F(RealTimeProgram, HasTheLanesOfASchedule) {
  const std::string name = "callis_events_plan_" + std::to_string(::getpid());
  const std::string file = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream(file) << R"({"format": "callis-rt-configuration 1", "policy": "rate-monotonic", "schedulable": true,
    "lanes": [{"priority": 0, "static_threads": 1}, {"priority": 89, "static_threads": 3}],
    "operations": [{"name": "Monitor::fast", "priority": 89, "wcet": 1000, "period": 25000000, "deadline": 25000000,
                    "criticality": "high", "importance": "medium", "quantum": 0}]})";
  const Service service("--rt-channel plant --rt-schedule " + file);
  EXPECT_EQ(service.counted("rt_threads"), 4);
  std::ofstream(file) << "{}";
  const Ended wrong = ran(kProgram + " -ORBRealTime off -ORBEndpoint tcp:127.0.0.1:0 --rt-schedule " + file);
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_EQ(wrong.output.rfind(file + ":1:", 0), 0u) << wrong.output;
  std::filesystem::remove(file);
}

TEST_F(RealTimeProgram, SaysWhatIsWrong) {
  const auto run = [](const std::string& words) {
    return ran(kProgram + " -ORBRealTime off -ORBEndpoint tcp:127.0.0.1:0 " + words);
  };
  for (const std::string words :
       {"--rt-lanes x", "--rt-lanes 5,5", "--rt-lanes 5:0", "--rt-lanes 40000", "--rt-lanes ''", "--rt-channel 'a b'",
        "--rt-channel a --rt-channel a", "--rt-overflow never", "--rt-confirmed maybe", "--rt-from plant",
        "--rt-from plant=corbaloc::h/x", "--rt-reach 0", "--rt-channel EventChannel", "--rt-scheduler nonsense"})
    EXPECT_EQ(run(words).status, 2) << words;
  EXPECT_EQ(run("--rt-schedule /nowhere").status, 1);
  EXPECT_NE(run("--rt-lanes 5,5").output.find("two lanes have priority 5"), std::string::npos);
}

// Events of a supplier at the first service reach a consumer at the second; each is a process of its own.
TEST_F(RealTimeProgram, TakesFromAnotherAndGoesOnWhenThatIsStartedAnew) {
  const std::string peer = std::string(CALLIS_BINARY_DIR) + "/bin/callis_rtevents_peer";
  auto first = std::make_unique<Service>("--rt-channel plant");
  const std::string at_first = " corbaloc::" + first->address + "/plant ";
  const Service second("--rt-channel plant --rt-from plant=corbaloc::" + first->address + "/plant");
  std::FILE* const watching =
      ::popen((peer + " watch corbaloc::" + second.address + "/plant 3 20 2 2>&1").c_str(), "r");
  char line[512];
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  ASSERT_STREQ(line, "connected\n");
  const auto comes_to = [&second](const std::string& name, std::int64_t wanted) {
    for (int i = 0; i < 1'000 && second.counted(name) != wanted; ++i) {}
    return second.counted(name);
  };
  ASSERT_EQ(comes_to("rt_gateways_connected", 1), 1);
  EXPECT_EQ(ran(peer + " push" + at_first + "3 20 1 1").status, 0);
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  EXPECT_STREQ(line, "1 with a ttl of 0\n");
  const std::string endpoint = "-ORBEndpoint tcp:" + first->address;
  first.reset();
  EXPECT_EQ(comes_to("rt_gateways_connected", 0), 0);
  first = std::make_unique<Service>("--rt-channel plant " + endpoint);
  ASSERT_EQ(comes_to("rt_gateways_connected", 1), 1);
  EXPECT_EQ(ran(peer + " push" + at_first + "3 20 1 5").status, 0);
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  EXPECT_STREQ(line, "1 with a ttl of 4\n");
  EXPECT_EQ(::pclose(watching), 0);
  EXPECT_EQ(comes_to("rt_gateways_connected", 0), 0) << "nobody wants anything any more";
}
#endif

}  // namespace
}  // namespace callis::events
