// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/common/sd_notify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace callis::services {

bool notify(std::string_view lines) noexcept {
  const char* const wanted = std::getenv("NOTIFY_SOCKET");
  if (!wanted || (wanted[0] != '/' && wanted[0] != '@')) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t size = std::strlen(wanted);
  if (size >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, wanted, size);
  if (wanted[0] == '@') address.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
  const ssize_t sent = ::sendto(fd, lines.data(), lines.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                                reinterpret_cast<const sockaddr*>(&address), length);
  ::close(fd);
  return sent == static_cast<ssize_t>(lines.size());
}

std::chrono::microseconds watchdog_interval() noexcept {
  const char* const interval = std::getenv("WATCHDOG_USEC");
  const char* const process = std::getenv("WATCHDOG_PID");
  std::uint64_t us = 0, pid = 0;
  if (!interval || !parse_decimal(interval, 1'000'000'000'000, us)) return {};
  if (process && (!parse_decimal(process, INT32_MAX, pid) || pid != static_cast<std::uint64_t>(::getpid())))
    return {};
  return std::chrono::microseconds(us);
}

}  // namespace callis::services
