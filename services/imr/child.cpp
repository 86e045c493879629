// SPDX-License-Identifier: Apache-2.0
// From a record to a process: user, environment, descriptors, signals, program.
#include <services/imr/child.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace callis::imr {

namespace {

// What a child tells when it cannot become the server.
struct Failure {
  int step, error;
};
enum Step : int { kSession, kInput, kUser, kDirectory, kProgram };

std::string words_of(const Failure& f, const std::string& program, const std::string& directory) {
  const std::string why = std::string(": ") + std::strerror(f.error);
  switch (f.step) {
    case kUser: return "cannot become its user" + why;
    case kDirectory: return "cannot go to " + directory + why;
    case kProgram: return "cannot execute " + program + why;
    default: return "cannot be prepared" + why;
  }
}

void close_both(int (&pipe)[2]) {
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace

ChildPlan::ChildPlan(const Record& record, const std::string& start, const std::string& repository)
    : words_(record.command), directory_(record.directory.empty() ? "/" : record.directory) {
  if (words_.empty()) throw CannotLaunch("it has no command line");
  for (const auto& [name, value] : record.variables) variables_.push_back(name + "=" + value);
  variables_.push_back("CALLIS_IMR=" + repository);
  variables_.push_back("CALLIS_SERVER_ID=" + record.name);
  variables_.push_back("CALLIS_IMR_START=" + start);
  if (record.activation == Activation::PerClient && record.linger_ms != 0)
    variables_.push_back("CALLIS_IMR_LINGER=" + std::to_string(record.linger_ms));
  for (std::string& word : words_) argv_.push_back(word.data());
  argv_.push_back(nullptr);
  for (std::string& variable : variables_) envp_.push_back(variable.data());
  envp_.push_back(nullptr);
  if (!record.user.empty()) choose_user(record.user);
}

void ChildPlan::choose_user(const std::string& name) {
  std::vector<char> room(16u << 10);
  passwd entry{}, *found = nullptr;
  if (::getpwnam_r(name.c_str(), &entry, room.data(), room.size(), &found) != 0 || !found)
    throw CannotLaunch("there is no user \"" + name + "\" on this host");
  user_ = entry.pw_uid;
  group_ = entry.pw_gid;
  if (::geteuid() != 0) {
    if (user_ == ::geteuid()) return;
    throw CannotLaunch("it belongs to the user \"" + name + "\", and only root may start it");
  }
  int count = 64;
  groups_.resize(static_cast<std::size_t>(count));
  while (::getgrouplist(name.c_str(), group_, groups_.data(), &count) < 0)
    groups_.resize(static_cast<std::size_t>(count));
  groups_.resize(static_cast<std::size_t>(count));
  changes_user_ = true;
}

MadeChild ChildPlan::make() {
  int output[2], failures[2];
  if (::pipe2(output, O_CLOEXEC) != 0) throw CannotLaunch(std::string("no pipe: ") + std::strerror(errno));
  if (::pipe2(failures, O_CLOEXEC) != 0) {
    close_both(output);
    throw CannotLaunch(std::string("no pipe: ") + std::strerror(errno));
  }
  ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  // No signal handler of this process may run in the child.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become(output[1], failures[1]);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::close(output[1]);
  ::close(failures[1]);
  if (pid < 0) {
    ::close(output[0]);
    ::close(failures[0]);
    throw CannotLaunch(std::string("no process: ") + std::strerror(error));
  }
  Failure failure{};
  ssize_t n;
  do n = ::read(failures[0], &failure, sizeof failure);
  while (n < 0 && errno == EINTR);
  ::close(failures[0]);
  if (n == 0) return {pid, output[0]};
  ::close(output[0]);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
  throw CannotLaunch(words_of(failure, words_[0], directory_));
}

// In the child, of a process with many threads: system calls alone.
void ChildPlan::become(int output, int failures) const noexcept {
  const auto fail = [failures](Step step) {
    const Failure failure{step, errno};
    [[maybe_unused]] const ssize_t written = ::write(failures, &failure, sizeof failure);
    ::_exit(127);
  };
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &usual, nullptr);
  usual.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &usual, nullptr);
  if (::setsid() < 0) fail(kSession);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(output, 2) < 0) fail(kInput);
  ::syscall(SYS_close_range, 3u, ~0u, 4u);  // CLOSE_RANGE_CLOEXEC; all of ours have that flag anyway
  if (changes_user_ &&
      (::setgroups(groups_.size(), groups_.data()) != 0 || ::setgid(group_) != 0 || ::setuid(user_) != 0))
    fail(kUser);
  ::umask(022);
  if (::chdir(directory_.c_str()) != 0) fail(kDirectory);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(argv_[0], argv_.data(), envp_.data());
  fail(kProgram);
  ::_exit(127);
}

}  // namespace callis::imr
