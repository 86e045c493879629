// SPDX-License-Identifier: Apache-2.0
// Handshakes: the handshakes of one listening endpoint that are under way. They are bounded in time, by a thread that
// ends late ones, and in number. If there are too many, the peer with most of them loses its oldest one. So a crowd
// of silent connections from one place does not keep others out.
#pragma once
#include <callis/base/thread.h>
#include <callis/transport/stream.h>
#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>

namespace callis::transport::tls {

class Handshakes final {
 public:
  // One that is under way, from accept() until its end.
  class Entry final {
   public:
    Entry(std::shared_ptr<Handshakes> of, Stream& stream);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    // Whether the handshake has been ended from here, which has been logged.
    bool ended() const { return ended_.load(std::memory_order_relaxed); }
    void received(std::size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

   private:
    friend class Handshakes;
    void end(std::string_view why) noexcept;

    const std::shared_ptr<Handshakes> of_;
    Stream& stream_;
    const std::string peer_;  // counted_with()
    const TimePoint by_;
    std::atomic<bool> ended_{false};
    std::atomic<std::size_t> bytes_{0};
    std::list<Entry*>::iterator at_;
  };

  Handshakes(Duration longest, std::uint32_t most) : longest_(longest), most_(most) {}
  ~Handshakes() { stop(); }
  // 0, or an errno: there is no thread.
  [[nodiscard]] int start() noexcept;
  // Ends the watch, and joins its thread.
  void stop() noexcept;

  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  void watch() noexcept;
  void make_room() noexcept;

  const Duration longest_;
  const std::uint32_t most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Entry*> all_;  // the oldest first; without those that have been ended
  // The watch sleeps until then, even if all handshakes are over: later ones need not wake the watch.
  TimePoint wakes_ = TimePoint::max();
  bool stopped_ = false;
  int process_ = 0;
  Thread thread_;
};

}  // namespace callis::transport::tls
