// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/tcp/inherited.h>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/socket.h>
#include <unistd.h>

CALLIS_PROVIDE(forks);

namespace callis::transport {
namespace {

constinit std::mutex mutex;  // guards the rest
constinit bool* sockets = nullptr;  // by descriptor: whether it is one
constinit std::size_t room = 0;     // there

// With the mutex.
bool make_room(std::size_t n) noexcept {
  if (n <= room) return true;
  n = std::bit_ceil(n);
  void* const larger = std::realloc(sockets, n);
  if (!larger) return false;
  sockets = static_cast<bool*>(larger);
  std::memset(sockets + room, 0, n - room);
  room = n;
  return true;
}

}  // namespace

namespace tcp {

void note_open(int fd) noexcept {
  const auto at = static_cast<std::size_t>(fd);
  const std::lock_guard lock(mutex);
  if (make_room(at + 1)) sockets[at] = true;
}

void note_closed(int fd) noexcept {
  const auto at = static_cast<std::size_t>(fd);
  const std::lock_guard lock(mutex);
  if (at < room) sockets[at] = false;
}

}  // namespace tcp

void lock_sockets() noexcept { mutex.lock(); }
void unlock_sockets() noexcept { mutex.unlock(); }

// dup3() closes the descriptor's former file, which the parent still has: nothing is sent, and nothing is shut down.
void replace_sockets() noexcept {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    (void)::close(ends[1]);
    for (std::size_t fd = 0; fd < room; ++fd)
      if (sockets[fd]) (void)::dup3(ends[0], static_cast<int>(fd), O_CLOEXEC);
    (void)::close(ends[0]);
  }
  mutex.unlock();
}

}  // namespace callis::transport
