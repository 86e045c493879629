// SPDX-License-Identifier: Apache-2.0
#include <callis/base/testing/soon.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <services/events/durable/testing/nats_server.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <vector>

namespace callis::events::testing {

namespace {

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  return out;
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool answers(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  char greeting[5] = {};
  const bool out = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                   ::recv(fd, greeting, 4, MSG_WAITALL) == 4 && std::string(greeting) == "INFO";
  ::close(fd);
  return out;
}

}  // namespace

bool NatsServer::is_installed() {
  // By its file: /usr/sbin is not on everybody's path.
  return ::access("/usr/sbin/nats-server", X_OK) == 0 || std::system("command -v nats-server >/dev/null") == 0;
}

NatsServer::NatsServer(bool jetstream) : jetstream_(jetstream), port_(free_port()) { start(); }

NatsServer::~NatsServer() { kill(); }

void NatsServer::start() {
  std::vector<std::string> words{"nats-server", "-a", "127.0.0.1", "-p", std::to_string(port_)};
  if (jetstream_) words.insert(words.end(), {"-js", "-sd", folder_ / "store"});
  const std::string log = folder_ / "log";
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever ends the test
    const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(fd, STDOUT_FILENO);
    ::dup2(fd, STDERR_FILENO);
    ::execvp("nats-server", argv.data());
    ::execv("/usr/sbin/nats-server", argv.data());
    ::_exit(127);
  }
  wait_until_it_answers();
}

void NatsServer::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

void NatsServer::wait_until_it_answers() {
  if (callis::testing::soon([&] { return answers(port_); }, std::chrono::seconds(30))) return;
  throw std::runtime_error("nats-server does not answer: " + services::testing::bytes_of(folder_ / "log"));
}

}  // namespace callis::events::testing
