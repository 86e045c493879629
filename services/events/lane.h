// SPDX-License-Identifier: Apache-2.0
// Lane: a consumer that events are pushed to, one after the other, in their order. The pool's threads call its sink,
// one at a time; whoever offers events never waits for it.
//
//   offer() ──→ queue ──→ Sink::deliver() ──→ Taken: the next one
//                  ↑            ├──→ Refused: has not arrived; it is the next again, after a pause
//                  └────────────┘
//                               ├──→ Unknown: may have arrived; it is lost, and there is a pause
//                               └──→ Gone, or `failures` calls failed one after the other: Sink::dropped(), the end
#pragma once
#include <services/events/pool.h>
#include <services/events/queue.h>
#include <services/events/receiver.h>
#include <string>

namespace callis::events {

// The consumer behind a lane.
class Sink {
 public:
  enum class Result : std::uint8_t { Taken, Refused, Unknown, Gone };
  virtual ~Sink() = default;
  // One call at a time; it ends in bounded time.
  virtual Result deliver(const Event& event) noexcept = 0;
  // Once, when the lane gives the consumer up: why, in words. Not after Lane::end().
  virtual void dropped(const std::string& why) noexcept = 0;
};

struct LaneOptions {
  QueueBounds bounds;
  unsigned failures = 5;  // one after the other; then the consumer is dropped; 1 at least
  std::chrono::milliseconds first_pause{20}, longest_pause{1'000};  // after a failure; doubles with each
};

class Lane final : public Pool::Task, public Receiver, public std::enable_shared_from_this<Lane> {
 public:
  // pool and tally outlive it.
  Lane(Pool& pool, std::unique_ptr<Sink> sink, const LaneOptions& options, Tally& tally)
      : pool_(pool), sink_(std::move(sink)), options_(options), tally_(tally), queue_(options.bounds) {}

  void offer(const Event& event) override;
  std::size_t waiting() const override;
  std::uint64_t discarded() const override;
  // What waits is discarded; a call that runs is not waited for, and no other begins.
  void end();

  Pool::Next run() noexcept override;

 private:
  Pool::Next give_up(const std::string& why);
  Pool::Next failed(bool arrived_perhaps, Queue::Waiting&& event);

  Pool& pool_;
  const std::unique_ptr<Sink> sink_;
  const LaneOptions options_;
  Tally& tally_;
  unsigned failures_ = 0;  // of run()
  mutable std::mutex mutex_;  // guards what follows
  Queue queue_;
  bool ended_ = false, full_ = false, busy_ = false;
};

}  // namespace callis::events
