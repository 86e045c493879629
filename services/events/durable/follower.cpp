// SPDX-License-Identifier: Apache-2.0
// How a follower begins, numbers what comes, and is repaired.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/events/durable/follower.h>

namespace callis::events {

struct Follower::Part {
  Function function;
  std::function<void()> broken;
  std::mutex mutex;  // guards what follows; events are passed on with it, so one at a time
  std::uint64_t last = 0;        // of the stream
  std::uint64_t generation = 0;  // of the consumer; events of earlier ones do not count
  std::uint64_t next = 1;        // of the consumer
  bool is_broken = false, ended = false;

  void came(std::uint64_t of, const StreamMessage& m) {
    const std::lock_guard lock(mutex);
    if (ended || of != generation || is_broken) return;
    if (m.consumer_sequence != next) {
      is_broken = true;
      broken();
      return;
    }
    ++next;
    if (m.stream_sequence <= last) return;
    last = m.stream_sequence;
    function(m.bytes);
  }
};

Follower::Follower(std::shared_ptr<Link> link, std::string stream, Function function, std::function<void()> broken)
    : link_(std::move(link)), stream_(std::move(stream)), part_(std::make_shared<Part>()) {
  part_->function = std::move(function);
  part_->broken = std::move(broken);
  begin(true);
}

Follower::~Follower() {
  {
    const std::lock_guard lock(part_->mutex);
    part_->ended = true;
  }
  subscription_.reset();  // the server forgets the consumer by itself
}

void Follower::begin(bool at_the_end) {
  constexpr std::int64_t kForgottenAfter = 30'000'000'000;  // nanoseconds without a subscription
  const NatsLibrary& nats = link_->nats();
  std::uint64_t mine = 0, last = 0;
  {
    const std::lock_guard lock(part_->mutex);
    mine = ++part_->generation;
    part_->next = 1;
    part_->is_broken = false;
    last = part_->last;
  }
  natsInbox* inbox = nullptr;
  if (nats.natsInbox_Create(&inbox) != NATS_OK) throw std::bad_alloc();
  const std::string subject = inbox;
  nats.natsInbox_Destroy(inbox);
  subscription_ = std::make_unique<Subscription>(
      link_, subject, std::string(), [part = part_, mine](const StreamMessage& m) { part->came(mine, m); });
  jsConsumerConfig config;
  (void)nats.jsConsumerConfig_Init(&config);
  config.DeliverSubject = subject.c_str();
  config.AckPolicy = js_AckNone;
  config.InactiveThreshold = kForgottenAfter;
  config.MemoryStorage = true;
  config.DeliverPolicy = at_the_end ? js_DeliverNew : js_DeliverByStartSequence;
  config.OptStartSeq = at_the_end ? 0 : last + 1;
  link_->ask("following a channel", jsErrCode{}, [&](jsErrCode& code) {
    jsConsumerInfo* info = nullptr;
    const natsStatus s = nats.js_AddConsumer(&info, link_->js(), stream_.c_str(), &config, nullptr, &code);
    if (s != NATS_OK) return s;
    consumer_ = info->Name;
    const std::lock_guard lock(part_->mutex);
    // Where it begins, for another consumer that takes over before an event has come.
    if (at_the_end) part_->last = std::max(part_->last, info->Delivered.Stream);
    nats.jsConsumerInfo_Destroy(info);
    return s;
  });
}

void Follower::repair() noexcept {
  const NatsLibrary& nats = link_->nats();
  try {
    bool broken = false;
    {
      const std::lock_guard lock(part_->mutex);
      broken = part_->is_broken;
    }
    if (!broken) {
      const jsErrCode code = link_->ask("looking after a channel", JSConsumerNotFoundErr, [&](jsErrCode& error) {
        jsConsumerInfo* info = nullptr;
        const natsStatus s =
            nats.js_GetConsumerInfo(&info, link_->js(), stream_.c_str(), consumer_.c_str(), nullptr, &error);
        if (s == NATS_OK) nats.jsConsumerInfo_Destroy(info);
        if (s == NATS_NOT_FOUND && error == 0) error = JSConsumerNotFoundErr;
        return s;
      });
      broken = code == JSConsumerNotFoundErr;
    }
    if (broken) begin(false);
  } catch (const JournalFailed& e) {
    const std::lock_guard lock(part_->mutex);
    part_->is_broken = true;
    log(LogLevel::Warning, {"events: ", e.text, "; it is tried again"});
  }
}

}  // namespace callis::events
