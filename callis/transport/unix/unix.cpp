// SPDX-License-Identifier: Apache-2.0
// Unix-domain sockets: paths, files left behind, who the peer is.
#include <callis/transport/tcp/socket.h>
#include <callis/transport/unix/unix.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

CALLIS_PROVIDE(unix);

namespace callis::transport {

namespace {

using tcp::Descriptor;

struct Address {
  sockaddr_un in{};
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&in); }

  Result<void> set(const std::string& path) {
    if (path.empty() || path[0] != '/' || path.size() != std::strlen(path.c_str()))
      return Error{Fault::TransportFailed, 0, "unix:" + path + ": not an absolute path"};
    if (path.size() >= sizeof in.sun_path)
      return Error{Fault::TransportFailed, ENAMETOOLONG,
                   "unix:" + path + ": " + std::to_string(path.size()) + " bytes, at most " +
                       std::to_string(sizeof in.sun_path - 1)};
    in.sun_family = AF_UNIX;
    std::memcpy(in.sun_path, path.data(), path.size());
    return {};
  }
};

Descriptor open_socket(int flags) { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0)); }

// While the server's queue is full, connect() waits as sending does. 0 or an errno.
int attempt(const Address& to, Deadline deadline, Descriptor& fd) {
  fd = open_socket(0);
  if (!fd.valid()) return errno;
  timeval patience{};
  for (;;) {
    if (!deadline.is_never()) {
      const int ms = std::max(deadline.poll_ms(), 1);
      patience = {ms / 1000, ms % 1000 * 1000};
      (void)::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    if (::connect(fd.get(), to.get(), sizeof to.in) == 0) break;
    if (errno != EINTR && errno != EAGAIN) return errno;
    if (deadline.passed()) return ETIMEDOUT;
  }
  patience = {};
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return 0;
}

// Which file is there now.
struct Identity {
  dev_t device = 0;
  ino_t file = 0;
  mode_t mode = 0;
  explicit Identity(const std::string& path) {
    struct stat s;
    if (::lstat(path.c_str(), &s) != 0) return;
    device = s.st_dev;
    file = s.st_ino;
    mode = s.st_mode;
  }
  bool operator==(const Identity&) const = default;
};

// Removes a socket file that nobody listens on. 0, or why it stays.
int remove_stale(const Address& at, const std::string& path) {
  if (!S_ISSOCK(Identity(path).mode)) return ENOTSOCK;
  const Descriptor probe = open_socket(SOCK_NONBLOCK);
  if (!probe.valid()) return errno;
  if (::connect(probe.get(), at.get(), sizeof at.in) == 0 || errno == EAGAIN) return EADDRINUSE;
  if (errno != ECONNREFUSED) return errno;
  return ::unlink(path.c_str()) == 0 ? 0 : errno;
}

// One at a time in a directory, or two servers might remove each other's new files.
class Turn {
 public:
  explicit Turn(const std::string& path)
      : fd_(::open(path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)).c_str(),
                   O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_.valid()) (void)::flock(fd_.get(), LOCK_EX);
  }

 private:
  const Descriptor fd_;  // the lock ends with it
};

int open_listening(const Address& at, const std::string& path, unsigned permissions, Descriptor& fd) {
  fd = open_socket(SOCK_NONBLOCK);
  if (!fd.valid()) return errno;
  const Turn mine(path);
  (void)::fchmod(fd.get(), permissions);  // what bind() gives the file, less what umask() forbids
  if (::bind(fd.get(), at.get(), sizeof at.in) != 0) {
    if (errno != EADDRINUSE) return errno;
    if (const int e = remove_stale(at, path)) return e;
    if (::bind(fd.get(), at.get(), sizeof at.in) != 0) return errno;
  }
  if (::chmod(path.c_str(), permissions) == 0 && ::listen(fd.get(), tcp::kBacklog) == 0) return 0;
  const int e = errno;
  (void)::unlink(path.c_str());
  return e;
}

// Who made the socket at the other end, or called listen() there.
Peer identify(const Descriptor& fd) {
  Peer p;
  p.kind = Peer::Kind::Local;
  p.stream = Peer::next_stream();
  p.reach = Reach::Machine;
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return p;
  p.user = peer.uid;
  p.process = static_cast<std::uint32_t>(peer.pid);
  return p;
}

class UnixListener final : public Listener {
 public:
  UnixListener(std::unique_ptr<TcpListener> sockets, std::string path)
      : sockets_(std::move(sockets)), path_(std::move(path)), own_(path_) {}
  ~UnixListener() override { remove_file(); }

  Result<std::unique_ptr<Stream>> accept() override { return sockets_->accept(); }
  void set_farewell(ByteView bytes) override { sockets_->set_farewell(bytes); }
  void close() noexcept override {
    remove_file();
    sockets_->close();
  }

 private:
  void remove_file() noexcept {
    if (Identity(path_) == own_) (void)::unlink(path_.c_str());
  }

  const std::unique_ptr<TcpListener> sockets_;
  const std::string path_;
  const Identity own_;
};

}  // namespace

Result<std::unique_ptr<Stream>> connect_unix(const std::string& path, Deadline deadline) {
  Address to;
  if (auto set = to.set(path); !set) return set.error();
  const TimePoint start = Clock::steady().now();
  const std::string name = "unix:" + path;
  Descriptor fd;
  if (const int os_error = attempt(to, deadline, fd)) {
    tcp::Failures failures;
    failures.add(name, os_error, start);
    return failures.error();
  }
  Peer server = identify(fd);
  server.host = name;
  return tcp::make_stream(std::move(fd), name, std::move(server));
}

Result<std::unique_ptr<Listener>> listen_unix(const std::string& path, unsigned permissions) {
  Address at;
  if (auto set = at.set(path); !set) return set.error();
  Descriptor fd;
  if (const int e = open_listening(at, path, permissions, fd)) {
    const char* const why = e == ENOTSOCK     ? ", where there is a file that is no socket"
                            : e == EADDRINUSE ? ", where another server does"
                                              : "";
    return Error{Fault::TransportFailed, e, "cannot listen on unix:" + path + why};
  }
  auto sockets = tcp::make_listener(std::move(fd), {});
  if (!sockets) return sockets.error();
  return Result<std::unique_ptr<Listener>>(std::make_unique<UnixListener>(std::move(sockets).value(), path));
}

}  // namespace callis::transport

namespace callis::transport::tcp {

std::unique_ptr<Stream> make_local_stream(Descriptor fd) {
  Peer client = identify(fd);
  client.host = "user " + std::to_string(client.user);
  std::string text = "unix: process " + std::to_string(client.process) + " of " + client.host;
  return make_stream(std::move(fd), std::move(text), std::move(client));
}

}  // namespace callis::transport::tcp
