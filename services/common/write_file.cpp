// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <services/common/write_file.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace callis::services {

void write_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  const auto fail = [&](const std::string& name) {
    throw std::runtime_error(name + ": cannot be written: " + std::strerror(errno));
  };
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail(beside);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = errno;
      ::close(fd);
      ::unlink(beside.c_str());
      errno = error;
      fail(beside);
    }
    done += static_cast<std::size_t>(n);
  }
  ::close(fd);
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(beside.c_str());
    errno = error;
    fail(path);
  }
}

}  // namespace callis::services
