// SPDX-License-Identifier: Apache-2.0
// Programs of callis that a test starts, and what they print.
#pragma once
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tools/ior/testing/ran.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace callis::events::testing {

inline const std::string kBin = std::string(CALLIS_BINARY_DIR) + "/bin/";

// What a program prints, without quotes and ends of lines.
inline std::string said_by(const std::string& command) {
  std::string out = tools::testing::ran(kBin + command).output;
  std::erase_if(out, [](char c) { return c == '"' || c == '\n'; });
  return out;
}

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
    if (!pipe) return;
    if (pid > 0) ::kill(pid, SIGTERM);
    EXPECT_EQ(::pclose(pipe), 0);
  }
  Serves(const Serves&) = delete;
  Serves& operator=(const Serves&) = delete;

  void kill() {  // kill -9
    ::kill(pid, SIGKILL);
    const int status = ::pclose(pipe);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    pipe = nullptr;
  }
  // "127.0.0.1:PORT", where it listens.
  std::string address() const {
    const std::string ior = said_by("callis-ior " + reference);
    const std::size_t at = ior.find("address: ") + 9;
    return ior.substr(at, ior.find_first_not_of("0123456789.:", at) - at);
  }
};

// An Interface Repository that has the types of a text of IDL.
struct ServesTypes {
  std::string name = (std::filesystem::temp_directory_path() / "callis_types_XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  const std::string idl = (folder / "types.idl").string();
  const Serves repository{"callis-ifr serve --allow admin=any -ORBEndpoint tcp:127.0.0.1:0"};

  explicit ServesTypes(const std::string& text) {
    std::ofstream(idl) << text;
    (void)said_by("callis-ifr feed " + repository.reference + " " + idl);
  }
  ~ServesTypes() { std::filesystem::remove_all(folder); }
};

// `callis call` with the IDL of typed channels.
inline std::string called(const std::string& words) {
  const std::string events = CALLIS_SOURCE_DIR "/services/events";
  return said_by("callis-call --idl " + events + "/typed/CallisTypedConsumerAdmin.idl -I " + events + " -I " +
                 events + "/typed -I " CALLIS_SOURCE_DIR "/services/naming " + words);
}

// The object, connected, to which a supplier of the typed channel at that address pushes.
inline std::string supplier_of(const std::string& channel, const std::string& interface) {
  const std::string suppliers = called(channel + " for_suppliers");
  const std::string proxy = called(suppliers + " obtain_typed_push_consumer '\"" + interface + "\"'");
  EXPECT_TRUE(proxy.starts_with("IOR:")) << suppliers << " " << proxy;
  EXPECT_EQ(called(proxy + " connect_push_supplier null"), "null");
  return called(proxy + " get_typed_consumer");
}

}  // namespace callis::events::testing
