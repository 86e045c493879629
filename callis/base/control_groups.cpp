// SPDX-License-Identifier: Apache-2.0
#include <callis/base/usable_memory.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

CALLIS_PROVIDE(control_groups);

namespace callis {
namespace {

// The beginning of a file as text; empty when there is none.
struct Text {
  char bytes[4096];
  explicit Text(const char* path) {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    const auto n = fd < 0 ? 0 : ::read(fd, bytes, sizeof bytes - 1);
    bytes[n > 0 ? n : 0] = 0;
    if (fd >= 0) ::close(fd);
  }
};

// Of the group, and of those above it: the least.
std::size_t limit_of(std::string_view root, const char* hierarchy, std::string_view group, const char* file) {
  std::size_t least = SIZE_MAX;
  for (;;) {
    char path[4096];
    const auto part = [](std::string_view s) { return static_cast<int>(s.size()); };
    if (group == "/") group = {};
    std::snprintf(path, sizeof path, "%.*s/sys/fs/cgroup%s%.*s/%s", part(root), root.data(), hierarchy, part(group),
                  group.data(), file);
    const Text text(path);
    char* end;
    const unsigned long long n = std::strtoull(text.bytes, &end, 10);
    if (end != text.bytes) least = n < least ? static_cast<std::size_t>(n) : least;  // else "max", or no such file
    const auto up = group.rfind('/');
    if (up == std::string_view::npos) return least;
    group = group.substr(0, up);
  }
}

}  // namespace

std::size_t usable_memory(std::string_view root, std::size_t machine) noexcept {
  char path[4096];
  std::snprintf(path, sizeof path, "%.*s/proc/self/cgroup", static_cast<int>(root.size()), root.data());
  Text groups(path);
  // Lines of "number:controllers:/group"; no controllers: version 2.
  for (char *line = groups.bytes, *next; *line != 0; line = next) {
    next = line + std::strcspn(line, "\n");
    if (*next != 0) *next++ = 0;
    const char* const controllers = std::strchr(line, ':');
    const char* const group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group) continue;
    const std::string_view names(controllers + 1, static_cast<std::size_t>(group - controllers - 1));
    if (names.empty()) machine = std::min(machine, limit_of(root, "", group + 1, "memory.max"));
    else if (names == "memory")
      machine = std::min(machine, limit_of(root, "/memory", group + 1, "memory.limit_in_bytes"));
  }
  return machine;
}

}  // namespace callis
