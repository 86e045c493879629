// SPDX-License-Identifier: Apache-2.0
// callis events --typed with the types of a callis ifr, and callis call as a supplier.
#include <tools/events/testing/programs.h>

namespace callis::events {
namespace {

using namespace testing;

TEST(TypedProgram, passes_calls_of_an_interface_that_a_repository_has_to_consumers) {
  const ServesTypes types("interface Sensor { oneway void measured(in string place, in long value); };\n");
  const Serves events("callis-events --typed plant --repository " + types.repository.reference +
                      " -ORBEndpoint tcp:127.0.0.1:0");
  const std::string host = events.address();
  std::FILE* const watching =
      ::popen((kBin + "callis-events watch --count 1 corbaloc::" + host + "/plant 2>&1").c_str(), "r");
  char line[4096] = "";
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  EXPECT_STREQ(line, "callis events: connected\n");

  const std::string sensor = supplier_of("corbaloc::" + host + "/plant/typed", "IDL:Sensor:1.0");
  EXPECT_EQ(said_by("callis-call --idl " + types.idl + " " + sensor + " measured '\"mill\"' 21"), "");
  ASSERT_TRUE(std::fgets(line, sizeof line, watching));
  const std::string text = line;
  for (const char* part : {"\"measured\"", "\"place\"", "\"mill\"", "\"value\"", "21"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  EXPECT_EQ(::pclose(watching), 0);
}

}  // namespace
}  // namespace callis::events
