// SPDX-License-Identifier: Apache-2.0
// C sockets: the server of param_test and ttcp, one connection after the other, and of scale: all connections by one
// thread with epoll.
#include <sys/epoll.h>
#include <array>
#include "connection.h"

namespace {

using namespace bench;

// test_short's bytes of one connection; a request may come in pieces.
class Caller {
 public:
  // False when the connection has ended.
  bool serve(int fd, bool corrupt) {
    const ssize_t k = read(fd, reinterpret_cast<char*>(in_.data()) + got_, sizeof in_ - got_);
    if (k <= 0) return false;
    got_ += static_cast<std::size_t>(k);
    if (got_ < sizeof in_) return true;
    got_ = 0;
    const std::int16_t s1 = in_[0];
    const std::int16_t out[3] = {s1, s1, static_cast<std::int16_t>(s1 + corrupt)};
    return tcp::write_all(fd, out, sizeof out);
  }

 private:
  std::array<std::int16_t, 2> in_{};
  std::size_t got_ = 0;
};

void watch(int epoll, int fd) {
  epoll_event e{};
  e.events = EPOLLIN;
  e.data.fd = fd;
  expect(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) == 0, "epoll_ctl");
}

[[noreturn]] void serve_many(const Options& o, int listener) {
  const int epoll = epoll_create1(0);
  watch(epoll, listener);
  std::vector<Caller> callers;  // by descriptor
  std::array<epoll_event, 128> events;
  for (;;) {
    const int n = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < n; ++i) {
      int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == listener) {
        fd = accept(listener, nullptr, nullptr);
        if (fd < 0) continue;
        tcp::no_delay(fd);
        if (callers.size() <= static_cast<std::size_t>(fd)) callers.resize(static_cast<std::size_t>(fd) + 1);
        callers[static_cast<std::size_t>(fd)] = {};
        watch(epoll, fd);
      } else if (!callers[static_cast<std::size_t>(fd)].serve(fd, o.corrupt)) {
        close(fd);
      }
    }
  }
}

void run(const Options& o) {
  if (o.suite != "param_test" && o.suite != "ttcp" && o.suite != "scale") no_such_suite(o);
  const std::string path = o.reference + ".socket";
  const int listener = o.unix_socket ? tcp::listen_at(path) : tcp::listen_anywhere();
  publish(o, {o.unix_socket ? path : std::to_string(tcp::port_of(listener))});
  if (o.suite == "scale") serve_many(o, listener);
  for (;;) {
    const int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) continue;
    tcp::no_delay(fd);
    Connection c(fd);
    if (o.suite == "param_test")
      plain::serve_operations(o, c);
    else
      plain::receive_floods(c);
  }
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
