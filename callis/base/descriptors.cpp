// SPDX-License-Identifier: Apache-2.0
#include <callis/base/descriptors.h>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace callis {

int above_standard(int fd) noexcept {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  (void)::close(fd);
  errno = error;
  return moved;
}

}  // namespace callis
