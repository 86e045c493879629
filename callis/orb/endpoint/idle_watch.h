// SPDX-License-Identifier: Apache-2.0
// IdleWatch: a thread ("callis-idle") that looks after connections that no call uses. If the server sends
// CloseConnection or closes (CORBA 3.3 part 2, 9.4.7), or a connection has not been used for long, its socket is
// closed at once, not at the next call. An ORB has one watch, started with its first connection.
//
//   connect ─→ add()    the descriptor is watched for one event: something comes, or the server closes
//   event   ─→          it is not watched any more
//              kLookAgain later the endpoint closes those that have ended; the descriptor is watched again
//
// So a connection in use wakes the thread twice in kLookAgain, even if many replies come; an idle connection wakes
// nobody. A call does nothing for the watch, nor does the kernel for most replies.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/base/thread.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <vector>

CALLIS_FEATURE(idle_watch);

namespace callis::transport {
class Stream;
}

namespace callis::orb {

class Endpoint;
class EndpointDirectory;

class IdleWatch final {
 public:
  static constexpr Duration kLookAgain{250};
  // between two looks at the idle times of connections, while any is open
  static constexpr Duration kBetweenLooks{30'000};

  // directory outlives the watch.
  CALLIS_OPTIONAL static std::unique_ptr<IdleWatch> make(EndpointDirectory& directory);
  // stop() must have been called.
  CALLIS_OPTIONAL ~IdleWatch();
  IdleWatch(const IdleWatch&) = delete;
  IdleWatch& operator=(const IdleWatch&) = delete;

  // Watches a newly opened connection to that endpoint. If there is no descriptor, memory or thread for the watch,
  // only the next call notices the connection's end. The connection counts as open as long as the result is kept,
  // which may be longer than the watch lives. The result goes before the stream, and tells the server the end of the
  // connection. Any thread may call. Throws std::bad_alloc.
  CALLIS_OPTIONAL std::shared_ptr<void> add(transport::Stream& connection, const Endpoint& to);
  // Ends the watch, and waits for the end of the thread. A child of fork(), which does not have the thread, forgets
  // it.
  CALLIS_OPTIONAL void stop() noexcept;
  // EndpointDirectory's of the same names.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();
  // The time for which the thread waits for an event when all connections are watched: for ever only if none is open.
  // A connection that is added later wakes the thread. For the thread, and for tests. Throws std::bad_alloc.
  CALLIS_OPTIONAL Duration longest_wait();

 private:
  struct Watched {
    const Endpoint* endpoint = nullptr;
    std::uint64_t cookie = 0;  // identifies the socket; 0 for no socket
  };

  explicit IdleWatch(EndpointDirectory& directory)
      : directory_(directory), open_(std::make_shared<std::atomic<std::uint32_t>>(0)) {}
  void watch(const transport::Stream& connection, const Endpoint& to) noexcept;
  bool start() noexcept;
  void run() noexcept;
  bool wait(Duration longest);
  void wake() noexcept;
  bool woken() noexcept;
  void take_out(int descriptor) noexcept;
  bool put_back(int descriptor) noexcept;
  void look_again();

  EndpointDirectory& directory_;
  const std::shared_ptr<std::atomic<std::uint32_t>> open_;  // connections, in use or idle
  std::mutex mutex_;  // guards what follows
  int events_ = -1, wake_ = -1;
  bool waits_for_ever_ = false;
  pid_t process_ = 0;  // that has the thread
  bool stopped_ = false;
  Thread thread_;
  std::vector<Watched> of_;  // by descriptor; some have gone
  // The thread's own.
  std::vector<int> unwatched_;  // because something has come
  TimePoint look_again_at_{};   // if there are some
};

}  // namespace callis::orb
