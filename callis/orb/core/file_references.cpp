// SPDX-License-Identifier: Apache-2.0
// "file:" references (callis/file_references.h).
#include <callis/base/text.h>
#include <callis/file_references.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/file_references.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstring>

CALLIS_PROVIDE(file_references);

namespace callis {

namespace {

constinit std::atomic<bool> allowed_now{false};

}  // namespace

void allow_file_references(bool allowed) { allowed_now.store(allowed, std::memory_order_relaxed); }

namespace orb {

namespace {

constexpr std::size_t kMost = 1 << 20;  // bytes of a file

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  raise<CORBA::BAD_PARAM>(omg(9), CORBA::COMPLETED_NO, concat({"file ", path, ": ", why}));
}

std::string read_all(const std::string& path) {
  // A pipe without a writer must not hold the program.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) refuse(path, std::strerror(errno));
  struct Closed {
    int fd;
    ~Closed() { ::close(fd); }
  } const closed{fd};
  struct stat about;
  if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) refuse(path, "no regular file");
  std::string all(kMost + 1, '\0');
  std::size_t size = 0;
  for (ssize_t n; size < all.size(); size += static_cast<std::size_t>(n)) {
    n = ::read(fd, all.data() + size, all.size() - size);
    if (n < 0 && errno == EINTR) n = 0;
    else if (n < 0) refuse(path, std::strerror(errno));
    else if (n == 0) break;
  }
  if (size > kMost) refuse(path, "more than 1 MiB");
  all.resize(size);
  return all;
}

}  // namespace

bool Core::object_of_file(std::string_view text, unsigned depth, CORBA::Object_var& object) {
  constexpr std::string_view kScheme = "file:";
  constexpr unsigned kInFile = 64;  // a depth at which no other text may follow
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  if (text.size() < kScheme.size() || ::strncasecmp(text.data(), kScheme.data(), kScheme.size()) != 0) return false;
  text.remove_prefix(kScheme.size());
  if (text.starts_with("//")) text.remove_prefix(2);
  const std::string path(text);
  if (!allowed_now.load(std::memory_order_relaxed))
    refuse(path, "this program does not read references from files (callis/file_references.h)");
  if (depth >= kInFile) refuse(path, "a file with a reference names another file");
  if (path.empty() || path.find('\0') != path.npos) refuse(path, "no path");
  object = text_to_object(read_all(path), kInFile);
  return true;
}

}  // namespace orb

}  // namespace callis
