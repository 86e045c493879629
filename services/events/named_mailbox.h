// SPDX-License-Identifier: Apache-2.0
// NamedMailbox: what a journal has for a named consumer that pulls. An event is acknowledged when the consumer calls
// again, or disconnects: so it comes again when this process ends before. Any thread.
#pragma once
#include <services/common/held_bytes.h>
#include <services/events/journal.h>
#include <services/events/pool.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace callis::events {

class NamedMailbox final : public Pool::Task, public std::enable_shared_from_this<NamedMailbox> {
 public:
  // patience: the journal's. kept: as of NamedLane.
  NamedMailbox(Pool& pool, std::chrono::milliseconds patience, services::HeldBytes kept = {})
      : pool_(pool), patience_(patience), kept_(std::move(kept)) {}

  void come(Journal::DeliveryPtr delivery);
  // The functions are like Mailbox's. The event belongs to the mailbox until the next call.
  Journal::DeliveryPtr try_pull();
  Journal::DeliveryPtr pull(std::chrono::milliseconds longest, const std::function<bool()>& give_up);
  // taken: the consumer has got the last event; otherwise it comes again.
  void end(bool taken);
  bool ended() const;

  // Tells the journal that the last event is still here.
  Pool::Next run() noexcept override;

 private:
  Journal::DeliveryPtr take();

  Pool& pool_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;  // guards what follows
  services::HeldBytes kept_;
  std::condition_variable changed_;
  std::deque<Journal::DeliveryPtr> waiting_;
  Journal::DeliveryPtr last_;
  bool ended_ = false;
};

}  // namespace callis::events
