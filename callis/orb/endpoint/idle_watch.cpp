// SPDX-License-Identifier: Apache-2.0
// The thread that watches idle connections, by epoll.
#include <callis/base/descriptors.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/transport/stream.h>
#include <cerrno>
#include <csignal>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

CALLIS_PROVIDE(idle_watch);

namespace callis::orb {
namespace {

constexpr int kMostEvents = 64;  // at once

epoll_event one_event_of(int descriptor) noexcept {
  epoll_event e{};
  e.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  e.data.fd = descriptor;
  return e;
}

bool add_to(int events, int descriptor) noexcept {
  epoll_event e = one_event_of(descriptor);
  return ::epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &e) == 0;
}

// The following calls take descriptors that may have been closed, and may now belong to another file. They bypass the
// C library, in which ThreadSanitizer takes them for a use of the closed descriptor.

int change(int events, int how, int descriptor) noexcept {
  epoll_event e = one_event_of(descriptor);
  return ::syscall(SYS_epoll_ctl, events, how, descriptor, &e) == 0 ? 0 : errno;
}

// The number that the kernel gives to this socket alone (SO_COOKIE); 0: the descriptor is no socket.
std::uint64_t cookie_of(int descriptor) noexcept {
  std::uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return ::syscall(SYS_getsockopt, descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

void close_one(int& descriptor) noexcept {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

}  // namespace

std::unique_ptr<IdleWatch> IdleWatch::make(EndpointDirectory& directory) {
  return std::unique_ptr<IdleWatch>(new IdleWatch(directory));
}

IdleWatch::~IdleWatch() {
  stop();
  close_one(events_);
  close_one(wake_);
}

// A connection is counted before the thread knows it: the thread waits for its events, or is woken.
//
// Linux 6.9 and later: while epoll_wait() looks at a socket that another thread closes, the socket stays open until
// epoll_wait() returns, which may be much later. So the server is told before the socket is closed. A child of fork()
// tells nothing: the connection is its parent's.
std::shared_ptr<void> IdleWatch::add(transport::Stream& connection, const Endpoint& to) {
  open_->fetch_add(1, std::memory_order_seq_cst);
  const auto gone = [open = open_, stream = &connection, process = ::getpid()](void*) {
    open->fetch_sub(1, std::memory_order_relaxed);
    if (process == ::getpid()) stream->finish_sending();
  };
  std::shared_ptr<void> counted{open_.get(), gone};
  watch(connection, to);
  return counted;
}

void IdleWatch::watch(const transport::Stream& connection, const Endpoint& to) noexcept {
  const int descriptor = connection.descriptor();
  if (descriptor < 0) return;
  const std::lock_guard lock(mutex_);
  if (stopped_ || !start()) return;
  const auto at = static_cast<std::size_t>(descriptor);
  try {
    if (of_.size() <= at) of_.resize(at + 1);
  } catch (const std::bad_alloc&) {
    return;
  }
  of_[at] = {&to, cookie_of(descriptor)};
  (void)add_to(events_, descriptor);
  // The call may read the bytes before the thread looks: then they are no event.
  if (std::exchange(waits_for_ever_, false)) wake();
}

void IdleWatch::wake() noexcept {
  const std::uint64_t one = 1;
  (void)!::write(wake_, &one, sizeof one);
}

// Called with the mutex.
bool IdleWatch::start() noexcept {
  if (process_ != 0) return process_ == ::getpid();
  if (events_ < 0) events_ = above_standard(::epoll_create1(EPOLL_CLOEXEC));
  if (wake_ < 0) wake_ = above_standard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (events_ < 0 || wake_ < 0 || !add_to(events_, wake_) ||
      thread_.start({"callis-idle"}, [this] { run(); }) != 0) {
    close_one(events_);
    close_one(wake_);
    return false;
  }
  process_ = ::getpid();
  return true;
}

void IdleWatch::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true) || !thread_.joinable()) return;
    if (process_ == ::getpid()) wake();
  }
  if (process_ == ::getpid()) thread_.join();
  else thread_.forget();
}

void IdleWatch::run() noexcept {
  sigset_t all;  // signals are for the threads of the application
  sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (;;) {
    try {
      const TimePoint now = Clock::steady().now();
      if (!unwatched_.empty() && now >= look_again_at_) look_again();
      if (unwatched_.empty()) directory_.close_old(now);
      if (!wait(unwatched_.empty() ? longest_wait() : std::chrono::ceil<Duration>(look_again_at_ - now))) return;
    } catch (const std::bad_alloc&) {  // some are not watched any more
    }
  }
}

// A connection that a call uses is soon idle, and this is no event.
Duration IdleWatch::longest_wait() {
  const std::lock_guard lock(mutex_);
  waits_for_ever_ = open_->load(std::memory_order_seq_cst) == 0;
  return waits_for_ever_ ? Duration::max() : kBetweenLooks;
}

// False: the watch is to stop.
bool IdleWatch::wait(Duration longest) {
  epoll_event events[kMostEvents];
  const int ms = longest == Duration::max() ? -1 : static_cast<int>(longest.count());
  const int n = ::epoll_wait(events_, events, kMostEvents, ms);
  bool first = unwatched_.empty();
  for (int i = 0; i < n; ++i) {
    if (events[i].data.fd == wake_) {
      if (!woken()) return false;
      continue;
    }
    if (std::exchange(first, false)) look_again_at_ = Clock::steady().now() + kLookAgain;
    unwatched_.push_back(events[i].data.fd);
    take_out(events[i].data.fd);
  }
  return true;
}

// False: to stop.
bool IdleWatch::woken() noexcept {
  const std::lock_guard lock(mutex_);
  std::uint64_t times;
  (void)!::read(wake_, &times, sizeof times);
  return !stopped_ && change(events_, EPOLL_CTL_MOD, wake_) == 0;
}

// As long as a socket is in the set, the kernel looks at the set for each message that comes to the socket.
void IdleWatch::take_out(int descriptor) noexcept {
  const std::lock_guard lock(mutex_);
  if (of_[static_cast<std::size_t>(descriptor)].cookie != 0) (void)change(events_, EPOLL_CTL_DEL, descriptor);
}

// False: the connection has gone. Its descriptor is closed, or another file has it, which has another cookie. A new
// connection that has it has been added itself, and is good.
bool IdleWatch::put_back(int descriptor) noexcept {
  const std::uint64_t cookie = of_[static_cast<std::size_t>(descriptor)].cookie;
  if (cookie == 0) return change(events_, EPOLL_CTL_MOD, descriptor) == 0;
  if (cookie_of(descriptor) != cookie) return false;
  const int error = change(events_, EPOLL_CTL_ADD, descriptor);
  return error == 0 || error == EEXIST;
}

// Most events were replies to calls.
void IdleWatch::look_again() {
  std::vector<const Endpoint*> where;
  where.reserve(unwatched_.size());
  {
    const std::lock_guard lock(mutex_);
    for (const int descriptor : unwatched_)
      if (put_back(descriptor)) where.push_back(of_[static_cast<std::size_t>(descriptor)].endpoint);
  }
  unwatched_.clear();
  directory_.close_ended(where);
}

}  // namespace callis::orb
