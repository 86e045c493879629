// SPDX-License-Identifier: Apache-2.0
// ChildPlan: all that a process needs, made before the fork, so that the child only makes system calls.
#pragma once
#include <services/imr/launcher.h>
#include <sys/types.h>

namespace callis::imr {

struct MadeChild {
  std::int64_t pid;
  int output;  // to read, does not block; the caller's
};

class ChildPlan final {
 public:
  // Throws CannotLaunch: no command line, an unknown user, or one that this process may not become.
  ChildPlan(const Record& record, const std::string& start, const std::string& repository);
  // Throws CannotLaunch, also with what went wrong in the child: the program is not there, may not be executed ...
  MadeChild make();

 private:
  [[noreturn]] void become(int output, int failures) const noexcept;
  void choose_user(const std::string& name);

  std::vector<std::string> words_, variables_;
  std::vector<char*> argv_, envp_;
  std::string directory_;
  bool changes_user_ = false;
  uid_t user_ = 0;
  gid_t group_ = 0;
  std::vector<gid_t> groups_;
};

}  // namespace callis::imr
