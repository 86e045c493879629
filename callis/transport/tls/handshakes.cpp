// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/transport/tls/handshakes.h>
#include <csignal>
#include <map>
#include <unistd.h>

namespace callis::transport::tls {

Handshakes::Entry::Entry(std::shared_ptr<Handshakes> of, Stream& stream)
    : of_(std::move(of)),
      stream_(stream),
      peer_(counted_with(stream.peer_identity())),
      by_(Clock::steady().now() + of_->longest_) {
  const std::lock_guard lock(of_->mutex_);
  if (of_->all_.size() >= of_->most_) of_->make_room();
  at_ = of_->all_.insert(of_->all_.end(), this);
  if (by_ < of_->wakes_) of_->changed_.notify_one();
}

Handshakes::Entry::~Entry() {
  const std::lock_guard lock(of_->mutex_);
  if (!ended()) of_->all_.erase(at_);
}

// Called with the mutex. The stream's thread finds the connection lost.
void Handshakes::Entry::end(std::string_view why) noexcept {
  of_->all_.erase(at_);
  ended_.store(true, std::memory_order_relaxed);
  log(LogLevel::Info, {"TLS: ", stream_.peer(), ": ", why, "; ",
                       Decimal(bytes_.load(std::memory_order_relaxed)), " bytes had come"});
  stream_.shutdown();
}

// Called with the mutex.
void Handshakes::make_room() noexcept {
  std::map<std::string_view, std::size_t> counts;
  std::size_t most = 0;
  for (const Entry* const e : all_) most = std::max(most, ++counts[e->peer_]);
  for (Entry* const e : all_)
    if (counts[e->peer_] == most) return e->end("too many handshakes are under way, most of them with this peer");
}

int Handshakes::start() noexcept {
  process_ = ::getpid();
  return thread_.start({"callis-tls"}, [this] { watch(); });
}

void Handshakes::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  if (!thread_.joinable()) return;
  if (process_ == ::getpid()) thread_.join();
  else thread_.forget();
}

void Handshakes::watch() noexcept {
  sigset_t all;  // signals are for the threads of the application
  sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (all_.empty()) {
      wakes_ = TimePoint::max();
      changed_.wait(lock, [this] { return stopped_ || !all_.empty(); });
      continue;
    }
    const TimePoint first = all_.front()->by_;
    if (first <= Clock::steady().now())
      all_.front()->end(concat({"the handshake was not complete within ",
                                Decimal(static_cast<std::uint64_t>(longest_.count())), " ms"}));
    else (void)changed_.wait_until(lock, wakes_ = first);
  }
}

}  // namespace callis::transport::tls
