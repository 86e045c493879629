// SPDX-License-Identifier: Apache-2.0
#include <callis/micro/loop.h>
#include <poll.h>
#include <algorithm>

namespace callis::micro {

constinit Loop Loop::instance_;

bool Loop::add(Source& source) {
  if (size_ == kMostSources) return false;
  ++size_;
  if (++last_serial_ == 0) ++last_serial_;
  source.serial_ = last_serial_;
  source.next_ = first_;
  first_ = &source;
  return true;
}

void Loop::remove(Source& source) {
  for (Source** at = &first_; *at; at = &(*at)->next_) {
    if (*at != &source) continue;
    *at = source.next_;
    source.serial_ = 0;
    --size_;
    return;
  }
}

Source* Loop::find(std::uint32_t serial) const {
  Source* s = first_;
  while (s && s->serial_ != serial) s = s->next_;
  return s;
}

// The sources may change while one of them is served, so each is looked up by its serial before.
Loop::Outcome Loop::go(int fd, short events, TimePoint until) {
  pollfd polled[kMostSources + 1];
  std::uint32_t serials[kMostSources + 1];
  polled[0] = {fd, events, 0};
  std::size_t n = 1;
  TimePoint next = until;
  if (nested_ < kMostNested) {
    for (const Source* s = first_; s; s = s->next_) {
      next = s->pending ? TimePoint{} : std::min(next, s->due);
      serials[n] = s->serial_;
      polled[n++] = {s->wanted ? s->fd : -1, s->wanted, 0};
    }
  }
  const bool interrupted = ::poll(polled, n, Deadline::at(next).poll_ms()) < 0;
  const TimePoint now = Clock::steady().now();
  bool served = false;
  for (std::size_t i = 1; i < n; ++i) {
    Source* const s = find(serials[i]);
    if (!s) continue;
    if (s->pending || (!interrupted && polled[i].revents != 0)) s->ready();
    else if (now >= s->due) s->late();
    else continue;
    served = true;
  }
  if (!interrupted && polled[0].revents != 0) return kReady;
  return served ? kServed : kNothing;
}

bool Loop::wait(int fd, short events, TimePoint until) {
  while (true) {
    if (go(fd, events, until) == kReady) return true;
    if (Clock::steady().now() >= until) return false;
  }
}

bool Loop::has_work(TimePoint until) const {
  pollfd polled[kMostSources];
  nfds_t n = 0;
  for (const Source* s = first_; s; s = s->next_) {
    if (s->pending) return true;
    if (s->wanted) polled[n++] = {s->fd, s->wanted, 0};
  }
  return ::poll(polled, n, Deadline::at(until).poll_ms()) > 0;
}

}  // namespace callis::micro
