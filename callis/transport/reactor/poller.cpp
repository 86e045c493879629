// SPDX-License-Identifier: Apache-2.0
// Waiting for many descriptors by epoll, one event a turn.
#include <callis/base/descriptors.h>
#include <callis/transport/reactor/poller.h>
#include <cerrno>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#include <sys/syscall.h>
#endif

namespace callis::transport {
namespace {

// Tags of our own; those of others are addresses.
constexpr std::uint64_t kOutputTag = 1, kNudgeTag = 2, kStopTag = 3, kBehindTag = 4;

constexpr std::uint32_t kForInput = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;

epoll_event event_of(std::uint32_t events, std::uint64_t tag) {
  epoll_event e{};
  e.events = events;
  e.data.u64 = tag;
  return e;
}
epoll_event event_of(std::uint32_t events, void* tag) {
  return event_of(events, reinterpret_cast<std::uintptr_t>(tag));
}

void* tag_of(const epoll_event& e) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(e.data.u64)); }

// What was done before a descriptor is armed comes before what is done behind the event that this lets in: the kernel
// sees to it, of which ThreadSanitizer knows for EPOLL_CTL_ADD only.
int modify(int set, int fd, epoll_event& e) noexcept {
#ifdef __SANITIZE_THREAD__
  __tsan_release(tag_of(e));
  // Not epoll_ctl(): what stands in for it would look at the descriptor after that, which may be closed behind the
  // event.
  return static_cast<int>(::syscall(SYS_epoll_ctl, set, EPOLL_CTL_MOD, fd, &e));
#else
  return ::epoll_ctl(set, EPOLL_CTL_MOD, fd, &e);
#endif
}
void* armed(void* tag) noexcept {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(tag);
#endif
  return tag;
}

void write_one(int fd) noexcept {
  const std::uint64_t one = 1;
  (void)!::write(fd, &one, sizeof one);
}

void close_one(int fd) noexcept {
  if (fd >= 0) ::close(fd);
}

}  // namespace

Result<std::unique_ptr<Poller>> Poller::create() {
  std::unique_ptr<Poller> p(new Poller);
  p->input_ = above_standard(::epoll_create1(EPOLL_CLOEXEC));
  p->behind_ = above_standard(::epoll_create1(EPOLL_CLOEXEC));
  p->output_ = above_standard(::epoll_create1(EPOLL_CLOEXEC));
  p->nudge_ = above_standard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  p->stop_ = above_standard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (p->input_ < 0 || p->behind_ < 0 || p->output_ < 0 || p->nudge_ < 0 || p->stop_ < 0 || !p->watch_own())
    return Error{Fault::TransportFailed, errno, "no descriptors for a pool"};
  return Result<std::unique_ptr<Poller>>(std::move(p));
}

// Those whose output waits stand in a set of their own, which is watched like a descriptor; those whose turn comes
// behind others, too.
bool Poller::watch_own() noexcept {
  epoll_event behind = event_of(EPOLLIN, kBehindTag), output = event_of(EPOLLIN, kOutputTag),
              nudge = event_of(EPOLLIN | EPOLLET, kNudgeTag), stop = event_of(EPOLLIN, kStopTag);
  return ::epoll_ctl(input_, EPOLL_CTL_ADD, behind_, &behind) == 0 &&
         ::epoll_ctl(input_, EPOLL_CTL_ADD, output_, &output) == 0 &&
         ::epoll_ctl(input_, EPOLL_CTL_ADD, nudge_, &nudge) == 0 &&
         ::epoll_ctl(input_, EPOLL_CTL_ADD, stop_, &stop) == 0;
}

Poller::~Poller() {
  close_one(input_);
  close_one(behind_);
  close_one(output_);
  close_one(nudge_);
  close_one(stop_);
}

int Poller::add(int fd, void* tag, bool again) noexcept {
  epoll_event e = event_of(again ? kForInput | EPOLLOUT : kForInput, tag);
  return ::epoll_ctl(input_, EPOLL_CTL_ADD, fd, &e) == 0 ? 0 : errno;
}

void Poller::arm(int fd, void* tag, bool again) noexcept {
  epoll_event e = event_of(again ? kForInput | EPOLLOUT : kForInput, tag);
  (void)modify(input_, fd, e);  // nothing that can fail for a descriptor that was added
}

void Poller::arm_behind(int fd, void* tag, bool again) noexcept {
  epoll_event e = event_of(again ? kForInput | EPOLLOUT : kForInput, tag);
  if (modify(behind_, fd, e) == 0 || ::epoll_ctl(behind_, EPOLL_CTL_ADD, fd, &e) == 0) return;
  arm(fd, tag, again);  // no memory
}

int Poller::arm_output(int fd, void* tag) noexcept {
  epoll_event e = event_of(EPOLLOUT | EPOLLONESHOT, tag);
  if (modify(output_, fd, e) == 0) return 0;
  return ::epoll_ctl(output_, EPOLL_CTL_ADD, fd, &e) == 0 ? 0 : errno;
}

Poller::Event Poller::wait(int ms) noexcept {
  epoll_event e{};
  if (::epoll_wait(input_, &e, 1, ms) != 1) return {};
  // The set of those behind is at the end of the queue now. Who has come meanwhile goes first, each second time.
  if (e.data.u64 == kBehindTag && !behind_is_next_.exchange(false, std::memory_order_relaxed)) {
    epoll_event other{};
    if (::epoll_wait(input_, &other, 1, 0) == 1 && other.data.u64 != kBehindTag) {
      behind_is_next_.store(true, std::memory_order_relaxed);
      e = other;
    }
  }
  switch (e.data.u64) {
    case kBehindTag: return event_in(behind_, Kind::Input);
    case kOutputTag: return event_in(output_, Kind::Output);
    case kNudgeTag: return {Kind::Nudge};
    case kStopTag: return {Kind::Stop};
    default: return {Kind::Input, armed(tag_of(e))};
  }
}

Poller::Event Poller::event_in(int set, Kind kind) noexcept {
  epoll_event e{};
  if (::epoll_wait(set, &e, 1, 0) != 1) return {Kind::Taken};
  return {kind, armed(tag_of(e))};
}

bool Poller::ready(int ms) noexcept {
  pollfd p{input_, POLLIN, 0};
  return ::poll(&p, 1, ms) == 1;
}

void Poller::nudge() noexcept { write_one(nudge_); }
void Poller::stop() noexcept { write_one(stop_); }

}  // namespace callis::transport
