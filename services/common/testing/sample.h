// SPDX-License-Identifier: Apache-2.0
// callis_sample_service (sample_service.cpp) as a process of a test.
#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace callis::services::testing {

// The program, with its standard output and error.
class Sample final {
 public:
  explicit Sample(std::vector<std::string> words, const std::vector<std::string>& environment = {}) {
    int out[2], err[2];
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(err[1], STDERR_FILENO);
      for (const std::string& each : environment) ::putenv(const_cast<char*>(each.c_str()));
      words.insert(words.begin(), "callis_sample_service");
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv(CALLIS_BINARY_DIR "/bin/callis_sample_service", argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ~Sample() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(out_);
    ::close(err_);
  }
  static std::string line_of(int fd) {
    std::string line;
    char c = 0;
    while (::read(fd, &c, 1) == 1 && c != '\n') line += c;
    return line;
  }
  std::string line() { return line_of(out_); }
  std::string error_line() { return line_of(err_); }
  static std::string rest_of(int fd) {
    std::string text;
    char bytes[4096];
    ssize_t n;
    while ((n = ::read(fd, bytes, sizeof bytes)) > 0) text.append(bytes, static_cast<std::size_t>(n));
    return text;
  }
  std::string rest() { return rest_of(out_); }
  std::string errors() { return rest_of(err_); }
  void signal(int number) { ::kill(process_, number); }
  int status() {
    int out = -1;
    ::waitpid(process_, &out, 0);
    process_ = -1;
    return WIFEXITED(out) ? WEXITSTATUS(out) : -WTERMSIG(out);
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
};

inline std::vector<std::string> local(std::vector<std::string> words) {
  words.insert(words.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  return words;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace callis::services::testing
