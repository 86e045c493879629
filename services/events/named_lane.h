// SPDX-License-Identifier: Apache-2.0
// NamedLane: pushes what a journal has for a named consumer, one event after the other. Threads of the pool send;
// where the call can be deferred (lane.h) none of them waits for the reply. An event is acknowledged to the journal
// when the consumer has taken it, and comes again otherwise: nothing is lost, and an event may come twice.
// A consumer that fails too often is dropped; its name, and what it has not got, stay.
#pragma once
#include <services/events/journal.h>
#include <services/events/lane.h>
#include <deque>

namespace callis::events {

class NamedLane final : public Pool::Task,
                        public Replies::Waiter,
                        public std::enable_shared_from_this<NamedLane> {
 public:
  // Makes an event of bytes; nothing: they are none. Any thread.
  using Read = std::function<std::optional<Event>(ByteView)>;

  // pool and tally outlive the lane. kept pays for the event that is under way; if there is no room for the event, it
  // comes again later.
  NamedLane(Pool& pool, std::unique_ptr<Sink> sink, const LaneOptions& options, Tally& tally, Read read,
            services::HeldBytes kept = {})
      : pool_(pool), sink_(std::move(sink)), options_(options), tally_(tally), read_(std::move(read)),
        kept_(std::move(kept)) {}

  void come(Journal::DeliveryPtr delivery);
  // Gives received events back. Does not wait for a running call; no other call begins.
  void end();
  Pool::Next run() noexcept override;
  void came() noexcept override;
  bool round() noexcept override;
  void ended() noexcept override;

 private:
  Pool::Next give_up(const std::string& why);
  Pool::Next judged(Sink::Result result, Journal::Delivery& delivery);
  Pool::Next push(Journal::DeliveryPtr delivery);
  bool has_sent(const Journal::DeliveryPtr& delivery);
  bool is_over();  // under mutex_

  Pool& pool_;
  const std::unique_ptr<Sink> sink_;
  const LaneOptions options_;
  Tally& tally_;
  const Read read_;
  unsigned failures_ = 0;  // of run(), as what follows
  bool can_send_ = true;   // until Begun::Never
  std::mutex mutex_;  // guards what follows
  services::HeldBytes kept_;
  std::deque<Journal::DeliveryPtr> waiting_;
  Journal::DeliveryPtr under_way_;  // its call has been sent, and nobody waits for it
  Sink::Progress progress_ = Sink::Progress::Pending;  // of that
  int place_ = -1;  // of Replies
  bool ended_ = false;
};

}  // namespace callis::events
