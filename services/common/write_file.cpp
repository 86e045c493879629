// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <services/common/write_file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace callis::services {

namespace {

[[noreturn]] void fail(const std::string& name, int error) {
  throw std::runtime_error(name + ": cannot be written: " + std::strerror(error));
}

std::string name_beside(const std::string& path) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) fail(path, EIO);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return path + "." + digits + ".new";
}

// The errno, or 0.
int write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    done += static_cast<std::size_t>(n);
  }
  return ::fchmod(fd, 0644) == 0 ? 0 : errno;
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  struct stat there {};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    throw std::runtime_error(path + ": cannot be written: it is there, and is no plain file");
  const std::string beside = name_beside(path);
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) fail(path, errno);
  int error = write_all(fd, text);
  ::close(fd);
  if (error == 0 && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(beside.c_str());
  fail(path, error);
}

}  // namespace callis::services
