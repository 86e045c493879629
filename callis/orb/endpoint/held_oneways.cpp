// SPDX-License-Identifier: Apache-2.0
// One-way requests that wait to be sent together, and the thread that sends them.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/endpoint/held_oneways.h>
#include <array>
#include <new>

CALLIS_PROVIDE(oneways);

namespace callis::orb {

using transport::Transfer;

std::shared_ptr<HeldOneways> HeldOneways::make(transport::Stream& stream) {
  return std::make_shared<HeldOneways>(stream);
}
std::unique_ptr<OnewayFlusher> OnewayFlusher::make() { return std::make_unique<OnewayFlusher>(); }

Transfer HeldOneways::hold(ByteView request, Deadline deadline, OnewayFlusher& flusher,
                           const std::shared_ptr<HeldOneways>& self) {
  bool watch = false;
  {
    std::lock_guard lock(mutex_);
    if (!bytes_.empty() && bytes_.size() + request.size() > kMostBytes) {
      const Transfer t = send_locked({}, deadline);
      if (!t.ok()) return {0, t.fault, t.os_error};
    }
    if (bytes_.empty()) since_ = Clock::coarse();
    if (!bytes_.append(request)) return {0, Fault::OutOfMemory, 0};
    watch = !watched_;
    watched_ = true;
  }
  if (watch && !flusher.watch(self)) [[unlikely]] {
    std::lock_guard lock(mutex_);
    watched_ = false;
    const Transfer t = send_locked({}, deadline);
    if (!t.ok()) return {0, t.fault, t.os_error};
  }
  return {request.size()};
}

Transfer HeldOneways::send(std::span<const ByteView> parts, Deadline deadline) {
  std::lock_guard lock(mutex_);
  return send_locked(parts, deadline);
}

Transfer HeldOneways::send_locked(std::span<const ByteView> parts, Deadline deadline) {
  constexpr std::size_t kMostParts = 64;
  const std::size_t held = bytes_.size();
  if (held == 0) return stream_->send(parts, deadline);
  Transfer t;
  if (parts.size() < kMostParts) {
    std::array<ByteView, kMostParts> all;
    all[0] = bytes_.view();
    std::copy(parts.begin(), parts.end(), all.begin() + 1);
    t = stream_->send(std::span<const ByteView>(all.data(), parts.size() + 1), deadline);
    t.bytes = t.bytes > held ? t.bytes - held : 0;
  } else {
    t = stream_->send(bytes_.view(), deadline);
    if (t.ok()) t = stream_->send(parts, deadline);
    else t.bytes = 0;
  }
  bytes_.clear();  // also unsent bytes: the connection is of no further use then
  return t;
}

void HeldOneways::forget() noexcept {
  std::lock_guard lock(mutex_);
  if (!bytes_.empty() && stream_) (void)send_locked({}, Deadline::in(kLongest));
  stream_ = nullptr;
}

bool HeldOneways::flush(TimePoint since) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return true;  // the connection's thread sends, and sends the held requests first
  if (bytes_.empty() || !stream_) return watched_ = false;
  if (since_ > since) return true;
  const ByteView held = bytes_.view();
  const Transfer t = stream_->send_now({&held, 1});
  bytes_.drop_front(t.bytes);
  if (t.bytes != 0) since_ = since + kLongest / 2;
  const bool goes_on = t.ok() || (t.fault == Fault::DeadlinePassed && since - since_ < kPatience);
  if (goes_on) return true;  // more may come soon
  log(LogLevel::Info, {"one-way requests to ", stream_->peer(), " are lost"});
  bytes_.clear();
  stream_->shutdown();  // in the middle of a message
  return true;
}

void HeldOneways::send_all(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (!bytes_.empty() && stream_) (void)send_locked({}, deadline);
}

namespace {

// All flushers. Never destroyed: an ORB may outlive static objects.
struct Flushers {
  std::mutex mutex;
  OnewayFlusher* first = nullptr;
};

Flushers& flushers() {
  static Flushers& all = *new Flushers;
  return all;
}

}  // namespace

OnewayFlusher::OnewayFlusher(Duration longest) : longest_(longest) {
  Flushers& all = flushers();
  {
    const std::lock_guard lock(all.mutex);
    next_ = all.first;
    if (next_) next_->previous_ = this;
    all.first = this;
  }
  struct AtExit {
    ~AtExit() {
      Flushers& those = flushers();
      const Deadline deadline = Deadline::in(HeldOneways::kLastWords);
      const std::lock_guard lock(those.mutex);
      for (OnewayFlusher* f = those.first; f; f = f->next_) f->send_all(deadline);
    }
  };
  static const AtExit at_exit;
}

void OnewayFlusher::send_all(Deadline deadline) noexcept {
  try {
    std::unique_lock lock(mutex_);
    const std::vector<std::shared_ptr<HeldOneways>> all = watched_;
    lock.unlock();
    for (const auto& held : all) held->send_all(deadline);
  } catch (const std::bad_alloc&) {
  }
}

OnewayFlusher::~OnewayFlusher() {
  {
    Flushers& all = flushers();
    const std::lock_guard lock(all.mutex);
    (previous_ ? previous_->next_ : all.first) = next_;
    if (next_) next_->previous_ = previous_;
  }
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool OnewayFlusher::watch(std::shared_ptr<HeldOneways> held) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable() && thread_.start({"callis-oneways"}, [this] { run(); }) != 0) return false;
  try {
    watched_.push_back(std::move(held));
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (watched_.size() == 1) changed_.notify_all();
  return true;
}

void OnewayFlusher::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (watched_.empty()) changed_.wait(lock, [this] { return stopping_ || !watched_.empty(); });
    else if (!changed_.wait_for(lock, longest_, [this] { return stopping_; })) flush(lock);
  }
}

void OnewayFlusher::flush(std::unique_lock<std::mutex>& lock) {
  std::vector<std::shared_ptr<HeldOneways>> all;
  all.swap(watched_);
  lock.unlock();
  const TimePoint since = Clock::steady().now() - longest_ / 2;
  std::erase_if(all, [since](const auto& held) { return !held->flush(since); });
  lock.lock();
  watched_.insert(watched_.end(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
}

}  // namespace callis::orb
