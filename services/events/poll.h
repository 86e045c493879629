// SPDX-License-Identifier: Apache-2.0
// Poll: a supplier that is asked for events again and again: at once while there are some, and after a doubling pause
// while there are none. The pool's threads ask the supplier, one at a time.
#pragma once
#include <services/events/pool.h>
#include <services/events/receiver.h>
#include <atomic>
#include <string>

namespace callis::events {

// The supplier behind a poll.
class Source {
 public:
  enum class Result : std::uint8_t { Event, Nothing, Failed, Gone };
  virtual ~Source() = default;
  // Asks once, and passes on what it gets. It ends in bounded time.
  virtual Result ask() noexcept = 0;
  // Once, when the poll gives the supplier up. Not after Poll::end().
  virtual void dropped(const std::string& why) noexcept = 0;
};

struct PollOptions {
  std::chrono::milliseconds first_pause{10}, longest_pause{1'000};
  unsigned failures = 5;  // one after the other; then the supplier is dropped; 1 at least
};

class Poll final : public Pool::Task {
 public:
  // tally outlives it. It begins with Pool::wake().
  Poll(std::unique_ptr<Source> source, const PollOptions& options, Tally& tally)
      : source_(std::move(source)), options_(options), tally_(tally) {}

  // A call that runs is not waited for, and no other begins.
  void end() { ended_ = true; }
  Pool::Next run() noexcept override;

 private:
  Pool::Next give_up(const std::string& why);
  Pool::Next pause();

  const std::unique_ptr<Source> source_;
  const PollOptions options_;
  Tally& tally_;
  std::atomic<bool> ended_{false};
  unsigned failures_ = 0;  // of run(), as what follows
  std::chrono::milliseconds pause_{0};
};

}  // namespace callis::events
