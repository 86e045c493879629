// SPDX-License-Identifier: Apache-2.0
// The frame as a user, systemd and an operator meet it: callis_sample_service (testing/sample_service.cpp).
#include <callis/corba.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <services/common/sd_notify.h>
#include <services/common/stats.h>
#include <services/common/store.h>
#include <services/common/testing/folder.h>
#include <services/common/testing/sample.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <csignal>
#include "CallisService.h"

namespace callis::services::testing {
namespace {

// A socket as systemd listens at.
class NotifySocket final {
 public:
  explicit NotifySocket(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error(path);
  }
  ~NotifySocket() { ::close(fd_); }
  // Empty: nothing within the time.
  std::string next(int ms = 10'000) {
    pollfd wait{fd_, POLLIN, 0};
    if (::poll(&wait, 1, ms) != 1) return {};
    char bytes[512];
    const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
    return {bytes, static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
  }

 private:
  int fd_;
};

TEST(ServiceProgram, OutlivesTheSignalOfAFileThatMayNotGrow) {
  Sample sample({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  ASSERT_EQ(sample.line().substr(0, 4), "IOR:");
  sample.signal(SIGXFSZ);
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0) << sample.errors();
}

TEST(ServiceProgram, TakesSizesOfTheDiskAndNamesOfStoresThatMeanSomething) {
  for (const char* wrong : {"", "x", "15M", "16MB", "-1", "M", "1.5G", "99999999999999999999",
                            "9999999999G", "16777215"}) {
    Sample sample({"--max-disk", wrong});
    EXPECT_EQ(sample.status(), 2) << wrong;
    EXPECT_NE(sample.errors().find("--max-disk is a size of at least 16M"), std::string::npos) << wrong;
  }
  for (const char* right : {"16M", "16777216", "16384K", "2g"}) {
    Sample sample({"--max-disk", right, "-ORBEndpoint", "tcp:127.0.0.1:0"});
    EXPECT_EQ(sample.line().substr(0, 4), "IOR:") << right;
    sample.signal(SIGTERM);
    EXPECT_EQ(sample.status(), 0);
  }
  for (const char* nothing : {"--store=", "--store=sqlite:"}) EXPECT_EQ(Sample({nothing}).status(), 2) << nothing;
}

TEST(ServiceProgram, SaysItsReferenceAndEndsOnASignal) {
  const Folder folder;
  Sample sample(local({"--ior-file", folder / "ior"}));
  const std::string reference = sample.line();
  EXPECT_TRUE(reference.starts_with("IOR:")) << sample.errors();
  EXPECT_EQ(bytes_of(folder / "ior"), reference + "\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "ior.new"));
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.rest(), "stopped\n");
  EXPECT_EQ(sample.status(), 0);
}

TEST(ServiceProgram, KeepsItsStoreAndRefusesAnothers) {
  const Folder folder;
  {
    Sample sample(local({"--store=" + (folder / "s.db")}));
    sample.line();
    Sample second(local({"--store", folder / "s.db"}));
    EXPECT_TRUE(contains(second.errors(), "another process uses this store"));
    EXPECT_EQ(second.status(), 1);
    sample.signal(SIGINT);
    EXPECT_EQ(sample.status(), 0);
  }
  std::string value;
  open_store(folder / "s.db", {"sample", 1, {}})->read("started", [&](Pair&& pair) { value = pair.value; });
  EXPECT_EQ(value, "yes");
  EXPECT_THROW(open_store(folder / "s.db", {"naming", 1, {}}), StoreFailed);
}

TEST(ServiceProgram, TellsItsCountersToStats) {
  const Folder folder;
  Sample sample(local({"--add", "41", "--ior-file", folder / "ior"}));
  const std::string reference = sample.line();
  for (const std::string& of : {reference, folder / "ior"}) {
    Sample asking({"--stats", of});
    const std::string lines = asking.rest();
    EXPECT_TRUE(contains(lines, "starts        41\n")) << lines << asking.errors();
    EXPECT_TRUE(contains(lines, "queue.length  3\n")) << lines;
    EXPECT_TRUE(contains(lines, "healthy       1\n")) << lines;
    EXPECT_EQ(asking.status(), 0);
  }
  Sample json({"--stats", reference, "--json"});
  EXPECT_TRUE(contains(json.rest(), "\"memory_bytes\":0,\"queue.length\":3,\"refused\":0,\"starts\":41}"));
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "service-program-test");
  const CORBA::Object_var object = orb->string_to_object(reference.c_str());
  const CallisService::Statistics_var own = CallisService::Statistics::_narrow(object.in());
  EXPECT_STREQ(CORBA::String_var(own->service()).in(), "sample");
  orb->destroy();
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
  Sample nobody({"--stats", reference});
  EXPECT_EQ(nobody.status(), 4);
  Sample no_port({"--stats", "localhost"});
  EXPECT_EQ(no_port.status(), 2);
}

TEST(ServiceProgram, TellsSystemdHowItIs) {
  const Folder folder;
  NotifySocket systemd(folder / "notify");
  Sample sample(local({}), {"NOTIFY_SOCKET=" + (folder / "notify"), "WATCHDOG_USEC=20000"});
  EXPECT_EQ(systemd.next(), "READY=1");
  EXPECT_TRUE(sample.line().starts_with("IOR:"));
  EXPECT_EQ(systemd.next(), "WATCHDOG=1");
  EXPECT_EQ(systemd.next(), "WATCHDOG=1");
  sample.signal(SIGTERM);
  std::string last = systemd.next();
  while (last == "WATCHDOG=1") last = systemd.next();
  EXPECT_EQ(last, "STOPPING=1");
  EXPECT_EQ(sample.status(), 0);
}

TEST(ServiceProgram, DoesNotFeedTheWatchdogOfASickService) {
  const Folder folder;
  NotifySocket systemd(folder / "notify");
  Sample sample(local({"--sick", "--log", "json"}), {"NOTIFY_SOCKET=" + (folder / "notify"), "WATCHDOG_USEC=20000"});
  EXPECT_EQ(systemd.next(), "READY=1");
  const std::string said = sample.error_line();
  EXPECT_TRUE(contains(said, "\"level\":\"error\",\"service\":\"sample\",\"pid\":")) << said;
  EXPECT_EQ(systemd.next(100), "");
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
}

TEST(ServiceProgram, WritesItsCountersEverySoOften) {
  Sample sample(local({"--stats-every", "1"}));  // the frame's least
  EXPECT_EQ(sample.error_line(), "callis: stats: memory_bytes=0 queue.length=3 refused=0 starts=1");
  Sample json(local({"--stats-every", "1", "--log", "json"}));
  EXPECT_EQ(json.error_line(),
            "{\"service\":\"sample\",\"stats\":{\"memory_bytes\":0,\"queue.length\":3,\"refused\":0,\"starts\":1}}");
}

TEST(ServiceProgram, SaysWhatIsWrongByWordsAndStatus) {
  const auto ends = [](std::vector<std::string> words, int status, const std::string& part) {
    words.insert(words.begin(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
    Sample sample(words);
    const std::string said = sample.errors();
    EXPECT_TRUE(contains(said, "callis sample: ")) << said;
    EXPECT_TRUE(contains(said, part)) << said;
    EXPECT_EQ(contains(said, " --help lists all"), status == 2) << said;
    EXPECT_EQ(sample.status(), status) << part;
  };
  ends({"--no-such"}, 2, "what is '--no-such'?");
  ends({"--stor", "x"}, 2, "what is '--stor'? did you mean --store?");
  ends({"word"}, 2, "what is 'word'?");
  ends({"--store"}, 2, "--store needs a value");
  ends({"--json"}, 2, "--json is the form of what --stats prints");
  ends({"--log", "xml"}, 2, "--log is text or json, not 'xml'");
  ends({"--stats-every", "0"}, 2, "from 1 to 86400");
  ends({"--add", "1001"}, 2, "--add is a number from 0 to 1000, not '1001'");
  ends({"--sick", "--sick"}, 2, "--sick is given twice");
  ends({"-ORBNoSuch", "1"}, 2, "NoSuch");
  ends({"--fail", "store"}, 1, "the store is full");
  ends({"--fail", "corba"}, 4, "NO_RESOURCES");
  ends({"--fail", "usage"}, 2, "--fail is wrong");
  ends({"--ior-file", "/no/such/folder/ior"}, 1, "/no/such/folder/ior: cannot be written: No such file");
}

TEST(ServiceProgram, ExplainsItself) {
  Sample sample({"--help"});
  const std::string usage = sample.rest();
  EXPECT_EQ(sample.status(), 0);
  EXPECT_TRUE(usage.starts_with("usage: callis sample [options]\n")) << usage;
  for (const char* option : {"--fail WORD", "--store WHERE", "--stats-every SECONDS", "--keep-damaged-aside"})
    EXPECT_TRUE(contains(usage, option)) << usage;
}

TEST(ServiceProgram, TellsItsVersion) {
  Sample sample({"--version"});
  EXPECT_TRUE(sample.rest().starts_with("callis "));
  EXPECT_EQ(sample.status(), 0);
}

TEST(SdNotify, GoesWhereTheEnvironmentSays) {
  const Folder folder;
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_FALSE(notify("READY=1"));
  NotifySocket systemd(folder / "socket");
  ::setenv("NOTIFY_SOCKET", (folder / "socket").c_str(), 1);
  EXPECT_TRUE(notify("STATUS=x\nREADY=1"));
  EXPECT_EQ(systemd.next(), "STATUS=x\nREADY=1");
  for (const char* wrong : {"relative", "", "/no/such/socket"}) {
    ::setenv("NOTIFY_SOCKET", wrong, 1);
    EXPECT_FALSE(notify("READY=1")) << wrong;
  }
  ::unsetenv("NOTIFY_SOCKET");
  ::setenv("WATCHDOG_USEC", "3000000", 1);
  EXPECT_EQ(watchdog_interval(), std::chrono::seconds(3));
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(watchdog_interval().count(), 0);
  ::unsetenv("WATCHDOG_PID");
  ::unsetenv("WATCHDOG_USEC");
}

TEST(CountersOfAService, AreNamedOnceAndAskedForTogether) {
  Counters counters;
  Counters::Counter& calls = counters.counter("calls");
  calls += 2;
  counters.counter("calls") += 1;
  counters.gauge("open") = 7;
  {
    const Counters::Source source = counters.collect([](const Counters::Add& add) { add({"b", 1, true}); });
    EXPECT_EQ(counters.to_json(), "{\"b\":1,\"calls\":3,\"open\":7}");
  }
  EXPECT_EQ(counters.to_lines(), "calls  3\nopen   7\n");
  EXPECT_TRUE(counters.values()[1].gauge);
}

// Calls the statistics of a sample that guards uptime_ms(); returns "ok", or an exception's name.
std::string asked(const std::string& url, const char* operation) {
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  std::string out = "ok";
  try {
    const CORBA::Object_var object = orb->string_to_object(url.c_str());
    const auto statistics = CallisService::Statistics_var(CallisService::Statistics::_unchecked_narrow(object.in()));
    if (operation == std::string("uptime_ms")) statistics->uptime_ms();
    else statistics->healthy();
  } catch (const CORBA::SystemException& e) {
    out = std::string(e._name()) + " " + std::string(e.detail());
  }
  orb->destroy();
  return out;
}

struct GuardedSample {
  const Folder folder;
  Sample sample;
  const std::string reference = sample.line();  // it is ready
  const std::string socket = "corbaloc:uiop:1.2@" + (folder / "s") + "|SampleService";
  const std::string loopback;

  explicit GuardedSample(std::vector<std::string> words = {})
      : sample(with_endpoints(std::move(words)), {"SAMPLE_GUARDS=1"}), loopback(loopback_of(reference)) {}
  std::vector<std::string> with_endpoints(std::vector<std::string> words) const {
    words.insert(words.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "unix:" + (folder / "s")});
    return words;
  }
  // The address of its network endpoint alone: calls by the whole reference would take the socket.
  static std::string loopback_of(const std::string& reference) {
    const auto ior = std::get<ior::Ior>(ior::parse_reference(reference));
    for (const ior::TaggedProfile& profile : ior.profiles)
      if (const auto iiop = ior::parse_iiop(profile.data); profile.tag == 0 && iiop)
        return "corbaloc::127.0.0.1:" + std::to_string(iiop.value().address.port) + "/SampleService";
    return {};
  }
};

// A loopback address is nobody's identity; the other end of a Unix-domain socket is somebody.
TEST(ServiceRules, LeaveAdministrationToUsersOfTheMachine) {
  GuardedSample sample;
  EXPECT_EQ(asked(sample.socket, "uptime_ms"), "ok");
  EXPECT_EQ(asked(sample.loopback, "healthy"), "ok");
  const std::string refused = asked(sample.loopback, "uptime_ms");
  EXPECT_TRUE(contains(refused, "NO_PERMISSION")) << refused;
  EXPECT_TRUE(contains(refused, "users of this machine over a Unix-domain socket")) << refused;
  EXPECT_TRUE(contains(refused, "nobody (127.0.0.1)")) << refused;
  EXPECT_TRUE(contains(refused, "--allow")) << refused;
}

TEST(ServiceRules, AreChangedByAllow) {
  {
    GuardedSample open({"--allow", "admin=any"});
    EXPECT_EQ(asked(open.loopback, "uptime_ms"), "ok");
  }
  GuardedSample closed({"--allow=read=own,admin=own"});
  EXPECT_EQ(asked(closed.socket, "uptime_ms"), "ok");
  EXPECT_TRUE(contains(asked(closed.loopback, "healthy"), "NO_PERMISSION"));
  EXPECT_TRUE(contains(asked(closed.loopback, "uptime_ms"), "NO_PERMISSION"));
}

TEST(ServiceRules, AreSaidAtTheStart) {
  const Folder folder;
  Sample sample(local({}), {"CALLIS_LOG=info"});
  sample.line();
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
  EXPECT_TRUE(contains(sample.errors(),
                       "who may call (--allow): read: anybody who can connect; write: anybody who can "
                       "connect; admin: users of this machine over a Unix-domain socket"));
}

}  // namespace
}  // namespace callis::services::testing
