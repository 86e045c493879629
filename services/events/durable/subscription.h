// SPDX-License-Identifier: Apache-2.0
// Subscription: what NATS sends to a subject goes to a function, until this is destroyed. A call that runs then is
// not waited for; what the function has goes after it.
#pragma once
#include <services/events/durable/link.h>

namespace callis::events {

// A message of JetStream's.
struct StreamMessage {
  ByteView bytes;     // as long as the function runs
  std::string reply;  // where it is acknowledged
  std::uint64_t stream_sequence = 0, consumer_sequence = 0;
};

class Subscription final {
 public:
  using Function = std::function<void(const StreamMessage&)>;
  // group: empty, or of those that share the messages. Throws JournalFailed.
  Subscription(std::shared_ptr<Link> link, const std::string& subject, const std::string& group, Function function);
  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  const std::shared_ptr<Link> link_;
  natsSubscription* subscription_ = nullptr;
};

// The two sequences in the subject by which a message is acknowledged; false: it is none of JetStream's.
bool read_sequences(std::string_view reply, std::uint64_t& stream, std::uint64_t& consumer);

}  // namespace callis::events
