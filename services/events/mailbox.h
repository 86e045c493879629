// SPDX-License-Identifier: Apache-2.0
// Mailbox: the events that wait until a consumer pulls them. Any thread.
#pragma once
#include <services/events/queue.h>
#include <services/events/receiver.h>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace callis::events {

class Mailbox final : public Receiver {
 public:
  Mailbox(const QueueBounds& bounds, Tally& tally, services::HeldBytes kept = {})
      : tally_(tally), queue_(bounds, std::move(kept)) {}

  void offer(const Event& event) override;
  std::size_t waiting() const override;
  std::uint64_t discarded() const override;

  // The next event; nothing: there is none, or the mailbox has ended.
  std::optional<Event> try_pull();
  // Waits for it; nothing: nothing came for so long, or the mailbox has ended, or `give_up`, which is asked every
  // tenth of a second, says so.
  std::optional<Event> pull(std::chrono::milliseconds longest, const std::function<bool()>& give_up);
  void end();
  bool ended() const;
  // A queue was full whose policy is to disconnect.
  bool full() const;

 private:
  std::optional<Event> taken();

  Tally& tally_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Queue queue_;
  bool ended_ = false, full_ = false;
};

}  // namespace callis::events
