// SPDX-License-Identifier: Apache-2.0
// A service's program in a process of its own, which ends with this.
#pragma once
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

namespace callis::services::testing {

class ServedProgram final {
 public:
  ServedProgram() = default;
  ~ServedProgram() { end(SIGTERM); }
  ServedProgram(const ServedProgram&) = delete;
  ServedProgram& operator=(const ServedProgram&) = delete;

  // words: the program's path and its arguments; -ORBEndpoint tcp:127.0.0.1:PORT is added. Waits for the program's
  // first line, the service's reference, and returns it. If the program ends before, returns the part that is there.
  // One program at a time.
  std::string start(std::vector<std::string> words, const std::string& port = "0") {
    words.insert(words.end(), {"-ORBEndpoint", "tcp:127.0.0.1:" + port});
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    int line[2];
    if (::pipe(line) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(line[1], 1);
      ::close(line[0]);
      ::close(line[1]);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(line[1]);
    std::string out;
    for (char c = 0; ::read(line[0], &c, 1) == 1 && c != '\n';) out += c;
    ::close(line[0]);
    if (process_ < 0) throw std::system_error(EAGAIN, std::generic_category(), "fork");
    return out;
  }
  // Returns its exit status; -1: a signal has ended it, or there is none.
  int end(int signal) {
    if (process_ <= 0) return -1;
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = 0;
};

}  // namespace callis::services::testing
