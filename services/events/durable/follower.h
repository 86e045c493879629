// SPDX-License-Identifier: Apache-2.0
// Follower: every event of a stream from when it began, once and in order, whatever becomes of the server meanwhile.
//
//   an ephemeral consumer ──→ events, numbered without a gap ──→ function
//     ↑                          └──→ a gap, or the consumer has gone: broken
//     └── repair(): another one, that begins behind the last event
#pragma once
#include <services/events/durable/subscription.h>
#include <atomic>

namespace callis::events {

class Follower final {
 public:
  using Function = std::function<void(ByteView)>;

  // broken: called on a thread of the library's; must not wait. Throws JournalFailed.
  Follower(std::shared_ptr<Link> link, std::string stream, Function function, std::function<void()> broken);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Looks whether the consumer is there, and makes another one where it is not, or `broken` was called. One thread at
  // a time, which waits for the server.
  void repair() noexcept;

 private:
  // The part that outlives the follower while a call runs.
  struct Part;

  void begin(bool at_the_end);

  const std::shared_ptr<Link> link_;
  const std::string stream_;
  const std::shared_ptr<Part> part_;
  std::string consumer_;  // its name, by the server
  std::unique_ptr<Subscription> subscription_;
};

}  // namespace callis::events
