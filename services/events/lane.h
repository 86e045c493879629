// SPDX-License-Identifier: Apache-2.0
// Lane: a consumer to which events are pushed, one after the other, in their order. A thread that offers events never
// waits for the consumer.
//
//   offer() ──→ queue ──→ Sink ──→ Taken: the next one
//                  ↑       ├──→ Refused: has not arrived; it is the next again, after a pause
//                  └───────┘
//                          ├──→ Unknown: may have arrived; it is lost, and there is a pause
//                          └──→ Gone, or `failures` calls failed one after the other: Sink::dropped(), the end
//
// These threads call the sink, one at a time:
//
//   Idle ──offer()──→ Sent      Sink::begin(), by the thread that offers; nobody waits for the reply. It is looked
//     ↑                │        for when the next event comes, by Replies when it has come, or in its round
//     └──── Taken ─────┘
//   Idle, Sent ─────→ Working   a thread of the pool, where the event could not be sent at once, or the call has
//                               failed: Sink::deliver(), which waits, until an event can be sent again
#pragma once
#include <services/events/pool.h>
#include <services/events/queue.h>
#include <services/events/receiver.h>
#include <services/events/replies.h>
#include <string>

namespace callis::events {

// The consumer behind a lane.
class Sink {
 public:
  enum class Result : std::uint8_t { Taken, Refused, Unknown, Gone };
  enum class Begun : std::uint8_t { Sent, Over, NotNow, Never };  // of the last three: nothing has been sent
  enum class Progress : std::uint8_t { Pending, Over, Waits };  // Waits: somebody has to, by finish()
  virtual ~Sink() = default;
  // One call at a time, of these all; it ends in bounded time.
  virtual Result deliver(const Event& event) noexcept = 0;
  // Sends the event without waiting for the consumer. Then look() tells whether the reply has come, and descriptor()
  // shows when this is possible; result() belongs to a call that is over. These do not wait, except begin() with
  // `connects` for a connection; only then it may say that the call is over.
  virtual Begun begin(const Event&, bool connects) noexcept {
    (void)connects;
    return Begun::Never;
  }
  virtual Progress look() noexcept { return Progress::Waits; }
  virtual int descriptor() const noexcept { return -1; }
  virtual Result result() noexcept { return Result::Unknown; }
  // Waits until what was begun is over.
  virtual Result finish() noexcept { return Result::Unknown; }
  // Gives up what was begun.
  virtual void drop() noexcept {}
  // Once, when the lane gives the consumer up: why, in words. Not after Lane::end().
  virtual void dropped(const std::string& why) noexcept = 0;
};

struct LaneOptions {
  QueueBounds bounds;
  unsigned failures = 5;  // one after the other; then the consumer is dropped; 1 at least
  std::chrono::milliseconds first_pause{20}, longest_pause{1'000};  // after a failure; doubles with each
  Replies* replies = nullptr;  // outlives the lane; nullptr: a thread of the pool waits for each reply
};

class Lane final : public Pool::Task,
                   public Receiver,
                   public Replies::Waiter,
                   public std::enable_shared_from_this<Lane> {
 public:
  // pool and tally outlive it.
  Lane(Pool& pool, std::unique_ptr<Sink> sink, const LaneOptions& options, Tally& tally,
       services::HeldBytes kept = {})
      : pool_(pool), sink_(std::move(sink)), options_(options), tally_(tally),
        queue_(options.bounds, std::move(kept)) {}

  void offer(const Event& event) override;
  std::size_t waiting() const override;
  std::uint64_t discarded() const override;
  // Discards the waiting events. Does not wait for a running call; no other call begins.
  void end();

  Pool::Next run() noexcept override;
  void came() noexcept override;
  bool round() noexcept override;
  void ended() noexcept override;

 private:
  enum class State : std::uint8_t { Idle, Sent, Working };

  Pool::Next give_up(const std::string& why);
  Pool::Next failed(bool arrived_perhaps, Queue::Waiting&& event);
  Pool::Next judged(Sink::Result result, Queue::Waiting&& event);
  bool give_up_sent();
  std::optional<Pool::Next> finish_sent();
  Pool::Next send_or_deliver(Queue::Waiting&& event);
  // Under mutex_, as what follows.
  bool may_send(const Event& event);
  void has_sent(Queue::Waiting&& event);
  bool send(Queue::Waiting&& event);
  bool send_next();
  bool look();
  void look_or_arm();
  void arm();
  void work();

  Pool& pool_;
  const std::unique_ptr<Sink> sink_;
  const LaneOptions options_;
  Tally& tally_;
  unsigned failures_ = 0;  // of who calls the sink
  mutable std::mutex mutex_;  // guards what follows
  Queue queue_;
  State state_ = State::Idle;
  Queue::Waiting sent_;      // Sent, and Working until it is over
  bool has_sent_ = false;    // sent_ is one
  bool over_ = false;        // sent_'s call, and result_ is how
  Sink::Result result_ = Sink::Result::Taken;
  bool armed_ = false;
  bool can_send_ = true;     // until Begun::Never
  bool sent_since_round_ = false;
  int looks_in_vain_ = 0;    // by offer(), since the last round
  int place_ = -1;           // of Replies
  bool ended_ = false, full_ = false;
};

}  // namespace callis::events
