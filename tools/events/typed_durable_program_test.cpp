// SPDX-License-Identifier: Apache-2.0
// callis events --typed --durable, killed. Skipped without nats-server.
#include <services/events/durable/testing/nats_server.h>
#include <tools/events/testing/programs.h>

namespace callis::events {
namespace {

using namespace testing;

TEST(TypedDurableProgram, keeps_calls_for_a_named_consumer_when_it_is_killed) {
  if (!NatsServer::is_installed()) GTEST_SKIP() << "no nats-server";
  const NatsServer nats;
  const ServesTypes types("interface Sensor { void alarm(in string place, in long level); };\n");
  const std::string command = "callis-events --typed plant --repository " + types.repository.reference +
                              " --durable " + nats.url() + " -ORBEndpoint tcp:";
  std::string host;
  {
    Serves events(command + "127.0.0.1:0");
    host = events.address();
    const std::string typed = "corbaloc::" + host + "/plant/typed";
    const std::string name = called(called(typed + " for_consumers") + " obtain_named_pull_supplier '\"log\"'");
    ASSERT_TRUE(name.starts_with("IOR:")) << name;
    const std::string sensor = supplier_of(typed, "IDL:Sensor:1.0");
    EXPECT_EQ(said_by("callis-call --idl " + types.idl + " " + sensor + " alarm '\"mill\"' 3"), "null");
    events.kill();
  }
  const Serves events(command + host);
  const std::string text = said_by("callis-events pull --name log --count 1 corbaloc::" + host + "/plant");
  for (const char* part : {"alarm", "place", "mill", "level", "3"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

}  // namespace
}  // namespace callis::events
