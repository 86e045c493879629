// SPDX-License-Identifier: Apache-2.0
// A process without a file descriptor left, for tests of what then happens. The limit is of the whole process: it is
// raised again whatever happens.
#pragma once
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace callis::transport::testing {

class NoDescriptors final {
 public:
  NoDescriptors() {
    int last = 0;
    for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd"))
      last = std::max(last, std::stoi(open.path().filename().string()));
    ::getrlimit(RLIMIT_NOFILE, &old_);
    rlimit now = old_;
    now.rlim_cur = static_cast<rlim_t>(last) + 1;
    ::setrlimit(RLIMIT_NOFILE, &now);
    for (int fd; (fd = ::dup(0)) >= 0;) taken_.push_back(fd);
  }
  ~NoDescriptors() {
    for (int fd : taken_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &old_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit old_{};
  std::vector<int> taken_;
};

}  // namespace callis::transport::testing
