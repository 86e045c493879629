// SPDX-License-Identifier: Apache-2.0
// A ping-pong over plain TCP with a thread of the victim's process: what the machine makes of a small message there
// and back. The operating system gives processes their shares of the processors, and threads theirs of their
// process's.
#pragma once
#include <cstdint>

namespace attack {

// Listens on the loopback interface and sends back what comes, a thread a connection, until the process ends. Returns
// the port, or 0.
std::uint16_t start_pong();

class Ping {
 public:
  // 127.0.0.1 and that port. Ends the process when nobody answers there.
  explicit Ping(std::uint16_t port);
  ~Ping();
  Ping(const Ping&) = delete;
  Ping& operator=(const Ping&) = delete;

  // There and back once: as many bytes as a small GIOP request.
  void once();

 private:
  int socket_;
};

}  // namespace attack
