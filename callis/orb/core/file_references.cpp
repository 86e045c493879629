// SPDX-License-Identifier: Apache-2.0
// "file:" references (callis/file_references.h).
#include <callis/base/text.h>
#include <callis/file_references.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace callis {

namespace orb {

namespace {

constexpr std::size_t kMost = 1 << 20;  // bytes of a file
constexpr std::string_view kScheme = "file:";

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

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

// Stands in for Core::read_text() while files are read.
class FileReferences {
 public:
  static CORBA::Object_ptr read(Core& core, std::string_view text, unsigned depth) {
    constexpr unsigned kMaxDepth = 8;  // as of initial references, which may lead here and come from here
    const std::string_view all = text;
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (text.size() < kScheme.size() || ::strncasecmp(text.data(), kScheme.data(), kScheme.size()) != 0)
      return Core::read_text(core, all, depth);
    text.remove_prefix(kScheme.size());
    if (text.starts_with("//")) text.remove_prefix(2);
    const std::string path(text);
    if (depth >= kMaxDepth) refuse(path, "references that lead to each other");
    if (path.empty() || path.find('\0') != path.npos) refuse(path, "no path");
    return read(core, read_all(path), depth + 1);
  }
  static void allow(bool allowed) {
    Core::text_reader.store(allowed ? &read : &Core::read_text, std::memory_order_relaxed);
  }
};

}  // namespace orb

void allow_file_references(bool allowed) { orb::FileReferences::allow(allowed); }

}  // namespace callis
