// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <services/common/testing/writers.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace callis::services::testing {

Writers::Writers(const std::string& where) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever ends the test
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl(CALLIS_BINARY_DIR "/bin/callis_store_writers", "callis_store_writers", where.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  from_ = ends[0];
}

Writers::~Writers() {
  kill();
  ::close(from_);
}

bool Writers::read_line() {
  std::size_t end;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    char bytes[4096];
    const ssize_t n = ::read(from_, bytes, sizeof bytes);
    if (n <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(n));
  }
  unsigned writer = 0;
  unsigned long long number = 0;
  if (std::sscanf(buffer_.c_str(), "%u %llu", &writer, &number) == 2 && writer < kWriters)
    acknowledged_[writer] = std::max<std::uint64_t>(acknowledged_[writer], number);
  buffer_.erase(0, end + 1);
  return true;
}

bool Writers::read_acknowledged(int count) {
  while (count-- > 0)
    if (!read_line()) return false;
  return true;
}

void Writers::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (read_line()) {}
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::string fault_in(Store& store, const std::array<std::uint64_t, kWriters>& acknowledged) {
  const All all = all_of(store);
  for (int t = 0; t < kWriters; ++t) {
    const std::string writer = std::to_string(t);
    const auto at = [&](const std::string& key) {
      const auto found = all.find(writer + key);
      return found == all.end() ? std::string() : found->second;
    };
    const std::string a = at("/a"), b = at("/b");
    const std::uint64_t n = a.empty() ? 0 : std::stoull(a), last = acknowledged[static_cast<std::size_t>(t)];
    if (n < last)
      return "writer " + writer + ": " + std::to_string(last) + " was acknowledged, and " + a + " is there";
    if (a != b) return "writer " + writer + ": half of a transaction: a is " + a + ", b is " + b;
    std::uint64_t logged = 0;
    for (std::uint64_t i = n > kLogged ? n - kLogged + 1 : 1; i <= n; ++i)
      logged += !at("/log/" + std::to_string(i)).empty();
    if (logged != std::min(n, kLogged)) return "writer " + writer + ": of the last transactions some are missing";
    if (!at("/log/" + std::to_string(n + 1)).empty() ||
        (n > kLogged && !at("/log/" + std::to_string(n - kLogged)).empty()))
      return "writer " + writer + ": half of a transaction in the log";
  }
  return {};
}

int kills(int few) {
  const char* const wanted = std::getenv("CALLIS_KILLS");
  return wanted ? std::atoi(wanted) : few;
}

}  // namespace callis::services::testing
