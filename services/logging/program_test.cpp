// SPDX-License-Identifier: Apache-2.0
// The program, in a process of its own: what it keeps when it is killed while it is written to, and a store that two
// programs want.
#include <services/common/testing/served_program.h>
#include <services/logging/testing/serving.h>
#include <thread>

namespace callis::logs::testing {
namespace {

struct LoggingProgram : ::testing::Test {
  const services::testing::Folder folder;
  CORBA::ORB_var client = new_orb({}, "client-of-the-program");
  services::testing::ServedProgram program;
  std::string reference;

  ~LoggingProgram() override { client->destroy(); }
  void serve() {
    const std::string store = folder / "l.db";
    reference = program.start({CALLIS_BINARY_DIR "/bin/callis-logging", "--store", store, "--allow", "admin=any"});
    ASSERT_EQ(reference.substr(0, 4), "IOR:");
  }
  dla::BasicLogFactory_var factory() {
    const CORBA::Object_var object = client->string_to_object(reference.c_str());
    return CallisLogging::Service_var(CallisLogging::Service::_narrow(object.in()))->basic_logs();
  }
};

// Reliable or not: kill -9 takes nothing that was acknowledged, and of a call that was not it leaves all or nothing.
TEST_F(LoggingProgram, loses_nothing_that_was_acknowledged_when_it_is_killed) {
  constexpr CORBA::ULong kEach = 7;
  CORBA::ULongLong acknowledged[2] = {0, 0};
  for (int round = 0; round < 10; ++round) {
    serve();
    const dla::BasicLogFactory_var logs = factory();
    dla::BasicLog_var log[2];
    for (dla::LogId i = 0; i < 2; ++i) {
      if (round == 0) {
        log[i] = logs->create_with_id(50 + i, dla::wrap, 0);
        dla::QoSList none;
        if (i == 1) log[i]->set_log_qos(none);
      }
      const dla::Log_var found = logs->find_log(50 + i);
      log[i] = dla::BasicLog::_narrow(found.in());
      ASSERT_FALSE(CORBA::is_nil(log[i].in()));
      const CORBA::ULongLong has = log[i]->get_n_records();
      EXPECT_GE(has, acknowledged[i]) << "round " << round;
      EXPECT_LE(has, acknowledged[i] + kEach);
      EXPECT_EQ(has % kEach, 0u) << "half of a call";
      acknowledged[i] = has;
    }
    std::atomic<CORBA::ULongLong> done[2] = {acknowledged[0], acknowledged[1]};
    std::vector<std::thread> writers;
    for (int i = 0; i < 2; ++i)
      writers.emplace_back([&, i] {
        try {
          for (;;) {
            log[i]->write_records(numbers(0, kEach));
            done[i] += kEach;
          }
        } catch (const CORBA::SystemException&) {}  // it has been killed
      });
    while (done[0] < acknowledged[0] + (3 + static_cast<CORBA::ULongLong>(round)) * kEach) std::this_thread::yield();
    program.end(SIGKILL);
    for (std::thread& writer : writers) writer.join();
    for (int i = 0; i < 2; ++i) acknowledged[i] = done[i];
  }
}

TEST_F(LoggingProgram, leaves_a_store_to_the_program_that_has_it) {
  serve();
  const std::string command = std::string(CALLIS_BINARY_DIR) + "/bin/callis-logging --store " + (folder / "l.db") +
                              " -ORBEndpoint tcp:127.0.0.1:0 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string said;
  char buffer[512];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) said.append(buffer, n);
  EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 1);
  EXPECT_NE(said.find("another process uses this store"), std::string::npos) << said;
  const dla::BasicLog_var made = factory()->create_with_id(70, dla::wrap, 0);
  EXPECT_EQ(made->id(), 70u);
  EXPECT_EQ(program.end(SIGTERM), 0);
}

}  // namespace
}  // namespace callis::logs::testing
