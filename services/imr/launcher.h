// SPDX-License-Identifier: Apache-2.0
// Launcher: who makes processes of records, on one host.
#pragma once
#include <services/imr/record.h>
#include <stdexcept>

namespace callis::imr {

// The process could not be made; what() says what was tried and why not.
class CannotLaunch final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Any thread.
class Launcher {
 public:
  // What it tells; on a thread of the launcher, without its locks.
  class Listener {
   public:
    // how: "exit status 1", "killed by signal 9 (Killed)". Once for each launch that did not throw.
    virtual void ended(const std::string& server, const std::string& start, const std::string& how) = 0;

   protected:
    ~Listener() = default;
  };

  virtual ~Launcher() = default;
  // Makes a process, and returns its number. start: what tells this launch from every other. repository: a
  // reference, for the process's environment. Throws CannotLaunch.
  virtual std::int64_t launch(const Record& record, const std::string& start, const std::string& repository) = 0;
  // SIGTERM to the process, or SIGKILL to all of its group. Nothing where it is gone.
  virtual void end(const std::string& start, bool kill) = 0;
};

}  // namespace callis::imr
