// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/events/durable/subscription.h>

namespace callis::events {

namespace {

// Deleted by the library's last call.
struct Closure {
  const NatsLibrary& nats;
  Subscription::Function function;

  static void came(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    const Closure& c = *static_cast<Closure*>(closure);
    StreamMessage m;
    const char* const reply = c.nats.natsMsg_GetReply(message);
    m.reply = reply ? reply : "";
    const char* const data = c.nats.natsMsg_GetData(message);
    m.bytes = {reinterpret_cast<const Byte*>(data), static_cast<std::size_t>(c.nats.natsMsg_GetDataLength(message))};
    if (read_sequences(m.reply, m.stream_sequence, m.consumer_sequence)) c.function(m);
    c.nats.natsMsg_Destroy(message);
  }
  static void complete(void* closure) { delete static_cast<Closure*>(closure); }
};

}  // namespace

// $JS.ACK.STREAM.CONSUMER.DELIVERED.STREAM_SEQUENCE.CONSUMER_SEQUENCE.TIME.PENDING, or with a domain and the hash of
// an account behind ACK.
bool read_sequences(std::string_view reply, std::uint64_t& stream, std::uint64_t& consumer) {
  constexpr std::size_t kShort = 9, kLong = 11;
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; tokens.size() <= 2 * kLong;) {
    const std::size_t dot = reply.find('.', at);
    tokens.push_back(reply.substr(at, dot == std::string_view::npos ? dot : dot - at));
    if (dot == std::string_view::npos) break;
    at = dot + 1;
  }
  if (tokens.size() < kShort || tokens[0] != "$JS" || tokens[1] != "ACK") return false;
  const std::size_t first = tokens.size() == kShort ? 5 : 7;
  return tokens.size() > first + 1 && parse_decimal(tokens[first], UINT64_MAX, stream) &&
         parse_decimal(tokens[first + 1], UINT64_MAX, consumer);
}

Subscription::Subscription(std::shared_ptr<Link> link, const std::string& subject, const std::string& group,
                           Function function)
    : link_(std::move(link)) {
  const NatsLibrary& nats = link_->nats();
  auto closure = std::make_unique<Closure>(Closure{nats, std::move(function)});
  natsConnection* const at = link_->connection();
  const natsStatus s =
      group.empty()
          ? nats.natsConnection_Subscribe(&subscription_, at, subject.c_str(), &Closure::came, closure.get())
          : nats.natsConnection_QueueSubscribe(&subscription_, at, subject.c_str(), group.c_str(), &Closure::came,
                                               closure.get());
  if (s != NATS_OK)
    throw JournalFailed{JournalFailed::Why::Unreachable, false,
                        concat({"JetStream at ", link_->where(), ": ", subject, ": ", link_->text_of(s)})};
  // Where complete() is not called, the closure stays rather than being deleted under a call.
  (void)nats.natsSubscription_SetOnCompleteCB(subscription_, &Closure::complete, closure.release());
}

Subscription::~Subscription() {
  if (!subscription_) return;
  (void)link_->nats().natsSubscription_Unsubscribe(subscription_);
  link_->nats().natsSubscription_Destroy(subscription_);
}

}  // namespace callis::events
