// SPDX-License-Identifier: Apache-2.0
// The test's own nats-server with JetStream, on a free port, in a folder that is removed with the server.
#pragma once
#include <services/common/testing/folder.h>
#include <sys/types.h>
#include <string>

namespace callis::events::testing {

class NatsServer final {
 public:
  // Waits until it answers. Throws std::runtime_error with its log where it does not.
  explicit NatsServer(bool jetstream = true);
  ~NatsServer();
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  static bool is_installed();
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  void kill();   // kill -9
  void start();  // again, at the same port, with what it had

 private:
  void wait_until_it_answers();

  services::testing::Folder folder_;
  const bool jetstream_;
  int port_ = -1;
  pid_t process_ = -1;
};

}  // namespace callis::events::testing
