// SPDX-License-Identifier: Apache-2.0
// callis events --typed with the types of a callis ifr, and callis call as a supplier.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace callis::events {
namespace {

const std::string kBin = std::string(CALLIS_BINARY_DIR) + "/bin/";

// A program that serves, until the end of this; its first line is its reference.
struct Serves {
  std::FILE* pipe;
  pid_t pid = 0;
  std::string reference;
  explicit Serves(const std::string& command) : pipe(::popen(("echo $$; exec " + kBin + command).c_str(), "r")) {
    char line[8192];
    if (pipe && std::fgets(line, sizeof line, pipe)) pid = std::stoi(line);
    if (pipe && std::fgets(line, sizeof line, pipe)) {
      reference = std::string(line).substr(0, std::string(line).find('\n'));
    } else {
      ADD_FAILURE() << command << " has not started";
    }
  }
  ~Serves() {
    if (pid > 0) ::kill(pid, SIGTERM);
    EXPECT_EQ(pipe ? ::pclose(pipe) : 0, 0);
  }
};

// What it prints, without quotes and the end of the line.
std::string said_by(const std::string& command) {
  std::string out;
  std::FILE* const pipe = ::popen((kBin + command + " 2>&1").c_str(), "r");
  char buffer[512];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  ::pclose(pipe);
  std::erase_if(out, [](char c) { return c == '"' || c == '\n'; });
  return out;
}

TEST(TypedProgram, passes_calls_of_an_interface_that_a_repository_has_to_consumers) {
  std::string name = (std::filesystem::temp_directory_path() / "callis_typed_XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  const std::string idl = (folder / "plant.idl").string();
  std::ofstream(idl) << "interface Sensor { oneway void measured(in string place, in long value); };\n";
  {
    const Serves repository("callis-ifr serve -ORBEndpoint tcp:127.0.0.1:0");
    (void)said_by("callis-ifr feed " + repository.reference + " " + idl);
    const Serves events("callis-events --typed plant --repository " + repository.reference +
                        " -ORBEndpoint tcp:127.0.0.1:0");
    const std::string ior = said_by("callis-ior " + events.reference);
    const std::size_t at = ior.find("address: ") + 9;
    const std::string host = ior.substr(at, ior.find_first_not_of("0123456789.:", at) - at);
    std::FILE* const watching =
        ::popen((kBin + "callis-events watch --count 1 corbaloc::" + host + "/plant 2>&1").c_str(), "r");
    char line[4096] = "";
    ASSERT_TRUE(std::fgets(line, sizeof line, watching));
    EXPECT_STREQ(line, "callis events: connected\n");

    const std::string services = CALLIS_SOURCE_DIR "/services/events";
    const std::string call = "callis-call --idl " + services + "/typed/CosTypedEventChannelAdmin.idl -I " + services +
                             " -I " + services + "/typed ";
    const std::string admin = said_by(call + "corbaloc::" + host + "/plant/typed for_suppliers");
    const std::string proxy = said_by(call + admin + " obtain_typed_push_consumer '\"IDL:Sensor:1.0\"'");
    ASSERT_TRUE(proxy.starts_with("IOR:")) << admin << " " << proxy;
    EXPECT_EQ(said_by(call + proxy + " connect_push_supplier null"), "null");
    const std::string sensor = said_by(call + proxy + " get_typed_consumer");
    EXPECT_EQ(said_by("callis-call --idl " + idl + " " + sensor + " measured '\"mill\"' 21"), "");
    ASSERT_TRUE(std::fgets(line, sizeof line, watching));
    const std::string text = line;
    for (const char* part : {"\"measured\"", "\"place\"", "\"mill\"", "\"value\"", "21"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    EXPECT_EQ(::pclose(watching), 0);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace callis::events
