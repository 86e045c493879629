// SPDX-License-Identifier: Apache-2.0
#include <callis/base/thread_state.h>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace callis {

bool is_runnable(pid_t thread) noexcept {
  char path[64], text[128];
  std::snprintf(path, sizeof path, "/proc/self/task/%ld/stat", static_cast<long>(thread));
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return false;
  text[n] = 0;
  // "ID (NAME) STATE ...", and the name may have parentheses, too.
  const char* const name_end = std::strrchr(text, ')');
  return name_end && std::strncmp(name_end, ") R", 3) == 0;
}

}  // namespace callis
