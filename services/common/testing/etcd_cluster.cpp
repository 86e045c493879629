// SPDX-License-Identifier: Apache-2.0
// Debian's etcd, without a shell between it and the test, so that a kill reaches it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <services/common/testing/etcd_cluster.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <chrono>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace callis::services::testing {

namespace {

// Held together, so that all differ; the next who asks gets others.
std::vector<int> free_ports(std::size_t count) {
  std::vector<int> sockets, ports;
  for (std::size_t i = 0; i < count; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    sockets.push_back(fd);
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int fd : sockets) ::close(fd);
  return ports;
}

std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  char bytes[512];
  while (const std::size_t n = std::fread(bytes, 1, sizeof bytes, pipe)) out.append(bytes, n);
  ::pclose(pipe);
  return out;
}

std::string url(int port) { return "http://127.0.0.1:" + std::to_string(port); }

}  // namespace

bool EtcdCluster::is_installed() {
  return std::system("command -v etcd >/dev/null && command -v etcdctl >/dev/null") == 0;
}

EtcdCluster::EtcdCluster(int members, const std::string& further_arguments) : further_(further_arguments) {
  const std::vector<int> ports = free_ports(2 * static_cast<std::size_t>(members));
  for (std::size_t i = 0; i < ports.size(); i += 2) members_.push_back({ports[i], ports[i + 1], -1});
  for (int m = 0; m < members; ++m) start(m);
  wait_until_it_answers();
}

EtcdCluster::~EtcdCluster() {
  for (std::size_t m = 0; m < members_.size(); ++m) kill(static_cast<int>(m));
}

std::string EtcdCluster::cluster_text() const {
  std::string out;
  for (std::size_t m = 0; m < members_.size(); ++m)
    out += (m ? ",m" : "m") + std::to_string(m) + "=" + url(members_[m].peer_port);
  return out;
}

void EtcdCluster::start(int member) {
  Member& m = members_.at(static_cast<std::size_t>(member));
  const std::string name = "m" + std::to_string(member), log = folder_ / (name + ".log");
  std::vector<std::string> words{"etcd",
                                 "--name",
                                 name,
                                 "--data-dir",
                                 folder_ / name,
                                 "--listen-client-urls",
                                 url(m.client_port),
                                 "--advertise-client-urls",
                                 url(m.client_port),
                                 "--listen-peer-urls",
                                 url(m.peer_port),
                                 "--initial-advertise-peer-urls",
                                 url(m.peer_port),
                                 "--initial-cluster",
                                 cluster_text(),
                                 "--initial-cluster-token",
                                 folder_.path().filename().string(),
                                 "--logger",
                                 "zap"};
  std::istringstream further(further_);
  for (std::string word; further >> word;) words.push_back(word);
  m.process = ::fork();
  if (m.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever ends the test
    const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(fd, STDOUT_FILENO);
    ::dup2(fd, STDERR_FILENO);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execvp("etcd", argv.data());
    ::_exit(127);
  }
}

void EtcdCluster::kill(int member) {
  Member& m = members_.at(static_cast<std::size_t>(member));
  if (m.process <= 0) return;
  ::kill(m.process, SIGKILL);
  ::waitpid(m.process, nullptr, 0);
  m.process = -1;
}

std::string EtcdCluster::endpoint(int member) const {
  return "127.0.0.1:" + std::to_string(members_.at(static_cast<std::size_t>(member)).client_port);
}

std::string EtcdCluster::where() const {
  std::string out = "etcd:";
  for (std::size_t m = 0; m < members_.size(); ++m) out += (m ? "," : "") + endpoint(static_cast<int>(m));
  return out;
}

std::string EtcdCluster::control(const std::string& arguments) const {
  return output_of("ETCDCTL_API=3 etcdctl --endpoints=" + where().substr(5) + " " + arguments + " 2>&1");
}

void EtcdCluster::wait_until_it_answers() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < until)
    if (control("--dial-timeout=1s --command-timeout=1s endpoint health").find("unhealthy") == std::string::npos)
      return;
  throw std::runtime_error("etcd does not answer: " + bytes_of(folder_ / "m0.log"));
}

}  // namespace callis::services::testing
