// SPDX-License-Identifier: Apache-2.0
// callis logging as a program, with its client callis log: output, exit status; and lines of another service of
// callis.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <services/common/testing/folder.h>
#include <signal.h>
#include <sys/wait.h>
#include <tools/ior/testing/ran.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include "CallisLogging.h"

namespace callis::logs {
namespace {

using tools::testing::Ended;
using tools::testing::ran;

const std::string kBin = std::string(CALLIS_BINARY_DIR) + "/bin/";

struct LogProgram : ::testing::Test {
  const services::testing::Folder folder;
  std::FILE* service = nullptr;
  pid_t process = 0;
  std::string reference;
  CORBA::ORB_var orb;

  // A service at a port that the system chooses.
  void SetUp() override {
    service =
        ::popen(("echo $$; exec " + kBin + "callis-logging --allow admin=any -ORBEndpoint tcp:127.0.0.1:0 --store " +
                 (folder / "l.db"))
                    .c_str(),
                "r");
    char line[8192];
    if (std::fgets(line, sizeof line, service)) process = std::stoi(line);
    ASSERT_TRUE(std::fgets(line, sizeof line, service)) << "callis logging has not started";
    reference = std::string(line, std::strcspn(line, "\n"));
    std::ofstream(folder / "ior") << reference << "\n";
    const char* words[] = {"test", nullptr};
    int count = 1;
    orb = CORBA::ORB_init(count, const_cast<char**>(words), "log-program-test");
  }
  void TearDown() override {
    orb->destroy();
    ::kill(process, SIGTERM);
    EXPECT_EQ(::pclose(service), 0);
  }
  CallisLogging::Service_var front() {
    const CORBA::Object_var object = orb->string_to_object(reference.c_str());
    return CallisLogging::Service::_narrow(object.in());
  }
  // A log with three records and a structured fourth.
  void fill() {
    const DsLogAdmin::BasicLogFactory_var factory = front()->basic_logs();
    const DsLogAdmin::BasicLog_var log = factory->create_with_id(7, DsLogAdmin::halt, 10'000);
    DsLogAdmin::Anys records;
    records.length(4);
    for (CORBA::ULong i = 0; i < 3; ++i) records[i] <<= static_cast<CORBA::Long>(10 * i);
    records[3] <<= DsLogAdmin::AvailabilityStatus{true, false};
    log->write_records(records);
    DsLogAdmin::NVList by;
    by.length(1);
    by[0].name = "by";
    by[0].value <<= "ada\x1b[31m";
    log->set_record_attribute(1, by);
  }
  Ended run(const std::string& arguments) const {
    return ran(kBin + "callis-log --service " + (folder / "ior") + " " + arguments);
  }
  // The output of what must succeed.
  std::string says(const std::string& arguments) const {
    const Ended e = run(arguments);
    EXPECT_EQ(e.status, 0) << arguments << ": " << e.output;
    return e.output;
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(LogProgram, lists_shows_queries_and_exports) {
  fill();
  const std::string listed = says("ls");
  EXPECT_TRUE(has(listed, "\n7\tbasic\t4\t")) << listed;
  EXPECT_TRUE(has(listed, "\t10000\thalt\topen\n")) << listed;
  EXPECT_TRUE(has(says("ls --json"), "\"id\":7"));
  const std::string last = says("tail 7 --lines 2");
  EXPECT_EQ(last.substr(0, 2), "3 ") << last;
  EXPECT_TRUE(has(last, " 20\n")) << last;
  const std::string some = says("query 7 'info < 15'");
  EXPECT_EQ(some.substr(0, 2), "1 ");
  EXPECT_FALSE(has(some, "\x1b")) << "what comes from peers is made printable";
  EXPECT_EQ(says("query 7 'info < 15' --most 0"), "");
  const std::string all = says("export 7");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4);
  EXPECT_TRUE(has(all, "{\"id\":2,\"time\":\"20")) << all;
  EXPECT_TRUE(has(all, "off_duty")) << "structured values are whole";
  EXPECT_TRUE(has(says("export 7 'exist by'"), "\"attributes\":{\"by\":")) << all;
}

TEST_F(LogProgram, says_what_is_wrong) {
  EXPECT_EQ(run("query 'level >'").status, 3);
  EXPECT_TRUE(has(run("query 'level >'").output, "InvalidConstraint"));
  EXPECT_EQ(run("tail 99").status, 1);
  EXPECT_TRUE(has(run("tail 99").output, "there is no log 99"));
  EXPECT_EQ(run("tail x").status, 2);
  EXPECT_EQ(run("").status, 2);
  EXPECT_EQ(run("frob").status, 2);
  EXPECT_EQ(run("tail --lines many").status, 2);
  EXPECT_EQ(ran(kBin + "callis-log --service corbaloc::127.0.0.1:1/LogService ls").status, 4);
  EXPECT_EQ(ran(kBin + "callis-log --help").status, 0);
  EXPECT_EQ(ran(kBin + "callis-logging --store etcd:localhost:1").status, 2);
}

// Another program of callis, which knows nothing of this one but the variable.
TEST_F(LogProgram, shows_the_lines_of_another_service) {
  const CallisLogging::Sink_var sink = front()->line_sink();
  const CORBA::String_var text = orb->object_to_string(sink.in());
  std::FILE* const naming = ::popen(("echo $$; CALLIS_LOG=info CALLIS_LOG_SINK=" + std::string(text.in()) + " exec " +
                                     kBin + "callis-naming -ORBEndpoint tcp:127.0.0.1:0 2>&1")
                                        .c_str(),
                                    "r");
  char line[8192];
  ASSERT_TRUE(std::fgets(line, sizeof line, naming));
  const pid_t other = std::stoi(line);
  while (std::fgets(line, sizeof line, naming) && !has(line, "is ready")) {}
  ::kill(other, SIGTERM);
  while (std::fgets(line, sizeof line, naming)) {}
  EXPECT_EQ(::pclose(naming), 0);
  const std::string lines = says("query \"program == 'naming' and 'is ready' ~ info\"");
  EXPECT_TRUE(has(lines, "naming[" + std::to_string(other) + "]: info: callis naming is ready")) << lines;
  EXPECT_EQ(says("tail --level 5"), "");
}

}  // namespace
}  // namespace callis::logs
