// SPDX-License-Identifier: Apache-2.0
// Priority inversion, measured as what the word means: how long a request of high priority is ready and waits while
// threads of lower priority run. No middleware in here.
//
// The client of high priority reads clocks just before each call, and the servant reads them when the upcall begins.
// On one processor the CPU clocks then tell who ran in between:
//
//     inverted = flood's process + server's process - the thread that serves this request
//     waited   = the clock on the wall - the thread that serves this request - the client
//
// The first is time of others, who all have a lower priority. The second has also the time in which nobody of the
// measurement ran: a thread of low priority sleeps with a lock that the request needs, or foreign processes run. All
// other threads are off the processor when a clock is read, so no clock is late.
//
// Requests of high priority are marked: their argument is negative. The servant leaves its clocks in a file that both
// processes have mapped; the socket orders the accesses. The CPU clock of the serving thread before the call comes
// from /proc, where the kernel shows the clock of each thread of the server.
#pragma once
#include "../peers/common/program.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

namespace bench::realtime {

struct Clocks {
  std::uint64_t wall = 0, serving = 0, server = 0, flood = 0, client = 0;
};

// Memory that both processes have mapped.
struct Board {
  std::atomic<pid_t> flood{0}, client{0};  // set by the client
  std::atomic<pid_t> thread{0};            // that served the last marked request
  Clocks upcall;                           // when its upcall began
};

inline Board& board(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  expect(fd >= 0 && ftruncate(fd, sizeof(Board)) == 0, "opening " + file);
  void* const at = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  expect(at != MAP_FAILED, "mapping " + file);
  ::close(fd);
  return *static_cast<Board*>(at);  // zeroes are a Board
}

inline std::uint64_t nanoseconds(clockid_t clock) {
  timespec t{};
  expect(clock_gettime(clock, &t) == 0, "a clock");
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// The CPU time of another process.
inline std::uint64_t cpu_of(pid_t process) {
  clockid_t clock{};
  expect(clock_getcpuclockid(process, &clock) == 0, "the CPU clock of a process");
  return nanoseconds(clock);
}

// The servant's side. hold_us: a lock on purpose, the same for all priorities, with no
// inheritance. An upcall of low priority works for so long with the lock held; one of high priority needs the lock.
class Watch {
 public:
  Watch(const std::string& file, int hold_us) : board_(file.empty() ? nullptr : &board(file)), hold_us_(hold_us) {}
  void upcall(bool high) {
    if (hold_us_ != 0) {
      std::lock_guard lock(mutex_);
      if (!high) work();
    }
    if (high && board_ != nullptr) note(*board_);
  }

 private:
  void work() const {
    const std::uint64_t end = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + static_cast<std::uint64_t>(hold_us_) * 1'000;
    while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) < end) {}
  }
  static void note(Board& b) {
    Clocks c;
    c.server = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);  // first: reading it is time of the serving thread, too
    c.serving = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    c.wall = now_ns();
    c.flood = cpu_of(b.flood);
    c.client = cpu_of(b.client);
    b.upcall = c;
    b.thread = gettid();
  }
  Board* const board_;
  const int hold_us_;
  std::mutex mutex_;
};

// The client's side: before() and after() each marked call.
class Inversions {
 public:
  Inversions(const std::string& file, pid_t server, pid_t flood) : board_(board(file)), server_(server) {
    board_.flood = flood;
    board_.client = getpid();
  }
  void before() {
    if (threads_.empty()) look_for_threads();
    for (auto& [id, thread] : threads_) thread.ns = read(thread.fd);
    before_ = {0, 0, cpu_of(server_), cpu_of(board_.flood), nanoseconds(CLOCK_PROCESS_CPUTIME_ID)};
    before_.wall = now_ns();
  }
  void after(bool counts) {
    const Clocks& then = board_.upcall;
    const auto thread = threads_.find(board_.thread);
    if (thread == threads_.end()) {  // a thread that is new: the next call knows it
      look_for_threads();
      if (counts) ++unknown_;
      return;
    }
    if (!counts) return;
    const auto since = [](std::uint64_t now, std::uint64_t start) { return static_cast<std::int64_t>(now - start); };
    const std::int64_t serving = since(then.serving, thread->second.ns);
    const std::int64_t others = since(then.server, before_.server) + since(then.flood, before_.flood) - serving;
    inverted_.push_back(std::max<std::int64_t>(0, others));
    waited_.push_back(
        std::max<std::int64_t>(0, since(then.wall, before_.wall) - serving - since(then.client, before_.client)));
  }
  void report() {
    expect(inverted_.size() > 9 * unknown_, "the server serves most calls by new threads");
    quantiles("inverted", inverted_);
    quantiles("waited", waited_);
  }

 private:
  struct Thread {
    int fd = -1;
    std::uint64_t ns = 0;
  };
  void look_for_threads() {
    const std::string folder = "/proc/" + std::to_string(server_) + "/task";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      Thread& thread = threads_[std::stoi(entry.path().filename())];
      if (thread.fd < 0) thread.fd = ::open((entry.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
    }
  }
  static std::uint64_t read(int fd) {
    char text[80] = {};
    return pread(fd, text, sizeof text - 1, 0) > 0 ? std::strtoull(text, nullptr, 10) : 0;  // 0: it has ended
  }
  static void quantiles(const std::string& what, std::vector<std::int64_t>& ns) {
    std::sort(ns.begin(), ns.end());
    const auto at = [&](std::size_t thousandth) {
      return static_cast<double>(ns[(ns.size() - 1) * thousandth / 1'000]) / 1e3;
    };
    result("pulse", (what + "_p50_us").c_str(), at(500));
    result("pulse", (what + "_p99_us").c_str(), at(990));
    result("pulse", (what + "_greatest_us").c_str(), at(1'000));
  }

  Board& board_;
  const pid_t server_;
  Clocks before_;
  std::map<pid_t, Thread> threads_;
  std::vector<std::int64_t> inverted_, waited_;
  std::size_t unknown_ = 0;
};

}  // namespace bench::realtime
