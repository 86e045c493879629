// SPDX-License-Identifier: Apache-2.0
// The floor of the real-time measurements: a pair of threads over a TCP connection, both of SCHED_FIFO, in two
// processes. raw high --native P --calls N: the client, and its server at the same priority.
#include "pulse.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace bench;

constexpr std::size_t kRequest = 72, kReply = 32;  // as long as GIOP messages of test_short are, about

void exchange(int fd, bool sends, char* bytes, std::size_t n) {
  for (std::size_t done = 0; done < n;) {
    const ssize_t now = sends ? send(fd, bytes + done, n - done, MSG_NOSIGNAL) : recv(fd, bytes + done, n - done, 0);
    expect(now > 0, "connection");
    done += static_cast<std::size_t>(now);
  }
}

[[noreturn]] void serve(int listener, int native) {
  realtime::run_at(native);
  (void)mlockall(MCL_CURRENT | MCL_FUTURE);
  const int fd = accept(listener, nullptr, nullptr);
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  char request[kRequest], reply[kReply] = {};
  for (;;) {
    for (std::size_t done = 0; done < kRequest;) {
      const ssize_t now = recv(fd, request + done, kRequest - done, 0);
      if (now <= 0) _exit(0);
      done += static_cast<std::size_t>(now);
    }
    std::copy_n(request, sizeof(std::uint64_t), reply);
    exchange(fd, true, reply, kReply);
  }
}

void run(const realtime::Arguments& a) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  expect(bind(listener, address, length) == 0 && listen(listener, 1) == 0, "listening");
  expect(getsockname(listener, address, &length) == 0, "the address listened at");
  const pid_t child = fork();
  expect(child >= 0, "fork");
  if (child == 0) serve(listener, a.native);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  expect(connect(fd, address, length) == 0, "connecting");
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  realtime::run(a, [fd] {
    return [fd](std::uint64_t n) {
      char request[kRequest] = {}, reply[kReply];
      std::copy_n(reinterpret_cast<const char*>(&n), sizeof n, request);
      exchange(fd, true, request, kRequest);
      exchange(fd, false, reply, kReply);
      expect(std::equal(request, request + sizeof n, reply), "echo");
    };
  });
  close(fd);
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(bench::realtime::parse(argc, argv));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
    return 1;
  }
}
