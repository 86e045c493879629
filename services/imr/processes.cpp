// SPDX-License-Identifier: Apache-2.0
// The thread that sees processes end and reads what they print.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/imr/child.h>
#include <services/imr/processes.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace callis::imr {

namespace {

constexpr std::size_t kMostLine = 1000, kMostAtOnce = 64u << 10;
constexpr unsigned kWaitByPidfd = 3;  // P_PIDFD
// How long those who have been killed with their group are waited for, and how often somebody looks.
constexpr std::chrono::seconds kLongestEnd{5};
constexpr int kLookAgainMs = 2;

std::string how_it_ended(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return "exit status " + std::to_string(info.si_status);
  const char* const name = ::strsignal(info.si_status);
  return "killed by signal " + std::to_string(info.si_status) + (name ? " (" + std::string(name) + ")" : "");
}

// Whether a process of that group has not ended. Zombies have, though kill() still finds them.
bool group_lives(pid_t group) {
  if (::kill(-group, 0) != 0 && errno == ESRCH) return false;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && ::getpgid(pid) == group && is_running(pid)) return true;
  }
  return false;
}

}  // namespace

Processes::Processes(Listener& listener) : listener_(listener) {
  wakes_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wakes_ < 0) throw std::runtime_error(std::string("no eventfd: ") + std::strerror(errno));
  if (const int error = thread_.start({"callis-imr-proc"}, [this] { keep_watch(); })) {
    ::close(wakes_);
    throw std::runtime_error(std::string("no thread that watches processes: ") + std::strerror(error));
  }
}

Processes::~Processes() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
  for (auto& [start, child] : children_) {
    if (child.watch >= 0) ::close(child.watch);
    if (child.output >= 0) ::close(child.output);
  }
  ::close(wakes_);
}

void Processes::wake() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wakes_, &one, sizeof one);
}

bool is_running(std::int64_t pid) {
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
  if (watch < 0) return false;
  pollfd ended{watch, POLLIN, 0};
  const bool out = ::poll(&ended, 1, 0) == 0;
  ::close(watch);
  return out;
}

std::int64_t Processes::launch(const Record& record, const std::string& start, const std::string& repository) {
  ChildPlan plan(record, start, repository);
  const MadeChild made = plan.make();
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, made.pid, 0));
  if (watch < 0) {
    const int error = errno;
    ::kill(static_cast<pid_t>(made.pid), SIGKILL);
    ::waitpid(static_cast<pid_t>(made.pid), nullptr, 0);
    ::close(made.output);
    throw CannotLaunch(std::string("the process cannot be watched (pidfd_open): ") + std::strerror(error));
  }
  {
    const std::lock_guard lock(mutex_);
    children_[start] = {record.name, made.pid, watch, made.output, {}, {}, {}};
  }
  wake();
  return made.pid;
}

void Processes::end(const std::string& start, bool kill) {
  const std::lock_guard lock(mutex_);
  const auto found = children_.find(start);
  if (found == children_.end() || !found->second.how.empty()) return;
  const pid_t pid = static_cast<pid_t>(found->second.pid);  // not reaped, so nobody else's
  if (kill) ::kill(-pid, SIGKILL);
  else ::kill(pid, SIGTERM);
}

std::vector<std::string> Processes::living() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [start, child] : children_) out.push_back(start);
  return out;
}

void Processes::print(const std::string& server, std::string& line) {
  if (!line.empty()) log(LogLevel::Warning, {"[", server, "] ", line});
  line.clear();
}

// all: until nothing is there. Otherwise as much as leaves time for the others.
void Processes::read_output(Child& child, bool all) {
  char bytes[4096];
  for (std::size_t read = 0; child.output >= 0 && (all || read < kMostAtOnce);) {
    const ssize_t n = ::read(child.output, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      print(child.server, child.line);
      ::close(child.output);
      child.output = -1;
      return;
    }
    read += static_cast<std::size_t>(n);
    if (all && read > (1u << 20)) break;  // somebody who has the pipe still writes
    for (ssize_t i = 0; i < n; ++i) {
      if (bytes[i] == '\n' || child.line.size() == kMostLine) print(child.server, child.line);
      if (bytes[i] != '\n') child.line += bytes[i];
    }
  }
  if (all) print(child.server, child.line);
}

void Processes::reap(Child& child) {
  ::kill(-static_cast<pid_t>(child.pid), SIGKILL);  // what is left of its group; the number is still its own
  siginfo_t info{};
  if (::waitid(static_cast<idtype_t>(kWaitByPidfd), static_cast<id_t>(child.watch), &info, WEXITED) != 0) {
    if (errno == EINTR) return;
    info.si_code = CLD_KILLED;
  }
  ::close(child.watch);
  if (child.output >= 0) ::close(child.output);
  child.watch = child.output = -1;
  child.how = how_it_ended(info);
  child.waits_until = std::chrono::steady_clock::now() + kLongestEnd;
}

void Processes::tell_ends() {
  std::unique_lock lock(mutex_);
  for (auto at = children_.begin(); at != children_.end();) {
    const Child& child = at->second;
    const bool waits = std::chrono::steady_clock::now() < child.waits_until;
    if (child.how.empty() || (waits && group_lives(static_cast<pid_t>(child.pid)))) {
      ++at;
      continue;
    }
    const auto ended = children_.extract(at);
    lock.unlock();
    listener_.ended(ended.mapped().server, ended.key(), ended.mapped().how);
    lock.lock();
    at = children_.upper_bound(ended.key());
  }
}

void Processes::keep_watch() {
  std::vector<pollfd> fds;
  std::vector<std::string> starts;
  for (;;) {
    fds.assign(1, {wakes_, POLLIN, 0});
    starts.clear();
    int timeout = -1;
    {
      const std::lock_guard lock(mutex_);
      if (stop_) return;
      for (const auto& [start, child] : children_) {
        if (!child.how.empty()) {
          timeout = kLookAgainMs;
          continue;
        }
        starts.push_back(start);
        fds.push_back({child.watch, POLLIN, 0});
        fds.push_back({child.output, POLLIN, 0});  // -1: passed over
      }
    }
    if (::poll(fds.data(), fds.size(), timeout) < 0) continue;
    std::uint64_t count;
    [[maybe_unused]] const ssize_t read = ::read(wakes_, &count, sizeof count);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const bool over = fds[1 + 2 * i].revents != 0, prints = fds[2 + 2 * i].revents != 0;
      if (!over && !prints) continue;
      const std::lock_guard lock(mutex_);
      Child& child = children_[starts[i]];
      read_output(child, over);
      if (over) reap(child);  // where a signal came between, the next round tries again
    }
    tell_ends();
  }
}

}  // namespace callis::imr
