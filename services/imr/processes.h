// SPDX-License-Identifier: Apache-2.0
// Processes: the launcher of this host. Children without a shell: with the environment of their record alone, no
// descriptors but /dev/null and a pipe for their output, a session of their own, and their user's rights.
//
// A child has ended when all of its process group have: until then somebody may hold its port and its files. When the
// process that was started ends, the others are killed.
//
// What they print comes into the log, line by line, with the server's name. When this process is gone they go on:
// SIGPIPE is ignored in them, so that printing does no harm.
#pragma once
#include <callis/base/thread.h>
#include <services/imr/launcher.h>
#include <chrono>
#include <map>
#include <mutex>

namespace callis::imr {

// Whether a process of this host has that number, and has not ended; a zombie has.
bool is_running(std::int64_t pid);

class Processes final : public Launcher {
 public:
  // listener outlives this. Starts a thread; throws std::runtime_error where that does not work.
  explicit Processes(Listener& listener);
  // Leaves the children as they are.
  ~Processes() override;

  std::int64_t launch(const Record& record, const std::string& start, const std::string& repository) override;
  void end(const std::string& start, bool kill) override;
  // The starts of those that have not ended.
  std::vector<std::string> living();

 private:
  struct Child {
    std::string server;
    std::int64_t pid = 0;
    int watch = -1;   // pidfd
    int output = -1;  // pipe
    std::string line;
    std::string how;  // it has ended, in words; others of its group may be there still
    std::chrono::steady_clock::time_point waits_until{};  // for those
  };

  void keep_watch();
  static void reap(Child& child);
  void tell_ends();
  void wake() noexcept;
  void read_output(Child& child, bool all);
  static void print(const std::string& server, std::string& line);

  Listener& listener_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, Child> children_;  // by their starts
  bool stop_ = false;
  int wakes_ = -1;  // eventfd
  Thread thread_;
};

}  // namespace callis::imr
