// SPDX-License-Identifier: Apache-2.0
// Streams, names, and the thread that keeps followers in repair.
#include <callis/base/text.h>
#include <callis/base/thread.h>
#include <services/events/durable/follower.h>
#include <services/events/durable/jetstream.h>
#include <algorithm>
#include <atomic>
#include <list>
#include <random>

namespace callis::events {

namespace {

constexpr std::string_view kNamed = "name-";  // before a consumer's name, so that followers are no names
constexpr const char* kGroup = "callis";

// Letters, digits, '-' and '_' are themselves; the rest is =XX.
std::string token_of(const std::string& name) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_') out += c;
    else (out += '=') += {kHex[u >> 4], kHex[u & 15]};
  }
  return out;
}

class StreamDelivery final : public Journal::Delivery {
 public:
  StreamDelivery(std::shared_ptr<Link> link, const StreamMessage& m)
      : link_(std::move(link)), bytes_(m.bytes.begin(), m.bytes.end()), reply_(m.reply) {}
  ByteView bytes() const override { return {bytes_.data(), bytes_.size()}; }
  void acknowledge() noexcept override { say("+ACK"); }
  void keep() noexcept override { say("+WPI"); }
  void give_back(std::chrono::milliseconds pause) noexcept override {
    if (pause.count() == 0) return say("-NAK");
    say(concat({"-NAK {\"delay\": ", Decimal(static_cast<std::uint64_t>(pause.count())), "000000}"}).c_str());
  }

 private:
  // If the message does not arrive, the event comes again.
  void say(const char* what) noexcept {
    (void)link_->nats().natsConnection_PublishString(link_->connection(), reply_.c_str(), what);
  }
  const std::shared_ptr<Link> link_;
  const std::vector<Byte> bytes_;
  const std::string reply_;
};

// The followers of a journal, and the thread that looks after them.
class Followers final {
 public:
  struct Place {
    std::unique_ptr<Follower> follower;
    bool ended = false;
  };
  using Places = std::list<Place>;

  ~Followers() { stop(); }
  // Asks for a look at all, soon. Any thread.
  void look() {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
    changed_.notify_one();
  }
  Places::iterator add(std::unique_ptr<Follower> follower) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) (void)thread_.start({"callis-journal"}, [this] { keep_looking(); });
    return places_.insert(places_.end(), {std::move(follower), false});
  }
  void remove(Places::iterator place) {
    std::unique_ptr<Follower> gone;  // ended without the lock
    std::unique_lock lock(mutex_);
    looked_.wait(lock, [&] { return at_ != &*place; });
    gone = std::move(place->follower);
    places_.erase(place);
    lock.unlock();
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  void keep_looking() {
    constexpr std::chrono::seconds kEvery{2};
    std::unique_lock lock(mutex_);
    while (!ended_) {
      changed_.wait_for(lock, kEvery, [this] { return wanted_ || ended_; });
      wanted_ = false;
      for (auto p = places_.begin(); p != places_.end() && !ended_;) {
        at_ = &*p;
        Follower& f = *p->follower;
        lock.unlock();
        f.repair();
        lock.lock();
        at_ = nullptr;
        ++p;
        looked_.notify_all();
      }
    }
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_, looked_;
  Places places_;
  Place* at_ = nullptr;  // that is being repaired
  bool wanted_ = false, ended_ = false;
  Thread thread_;
};

class JetStream final : public Journal {
 public:
  explicit JetStream(const JetStreamOptions& options)
      : options_(options),
        followers_(std::make_shared<Followers>()),
        link_(Link::open(options, [f = std::weak_ptr(followers_)] {
          if (const auto followers = f.lock()) followers->look();
        })) {
    std::random_device random;
    ids_ = concat({Decimal(random()), "-", Decimal(random()), "-", Decimal(random()), "-"});
  }
  ~JetStream() override {
    link_->close();
    followers_->stop();
  }

  void open(const std::string& channel) override {
    const std::string stream = stream_of(channel), subject = subject_of(channel);
    const char* const subjects[] = {subject.c_str()};
    jsStreamConfig config;
    (void)nats().jsStreamConfig_Init(&config);
    config.Name = stream.c_str();
    config.Description = "an event channel of callis events";
    config.Subjects = const_cast<const char**>(subjects);
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    config.MaxBytes = options_.bytes;
    config.MaxAge = std::chrono::nanoseconds(options_.age).count();
    config.Discard = js_DiscardOld;
    config.Replicas = options_.replicas;
    const auto made = [&](auto f) {
      return [&, f](jsErrCode& code) { return f(nullptr, link_->js(), &config, nullptr, &code); };
    };
    const std::string what = concat({"making stream ", stream});
    if (link_->ask(what, JSStreamNameExistErr, made(nats().js_AddStream)) == JSStreamNameExistErr)
      link_->ask(what, jsErrCode{}, made(nats().js_UpdateStream));
  }

  void append(const std::string& channel, ByteView event) override {
    const std::string subject = subject_of(channel);
    const std::string id = concat({ids_, Decimal(next_id_.fetch_add(1, std::memory_order_relaxed))});
    jsPubOptions how;
    (void)nats().jsPubOptions_Init(&how);
    how.MsgId = id.c_str();
    how.MaxWait = link_->attempt().count();
    link_->ask("an event", jsErrCode{}, [&](jsErrCode& code) {
      return nats().js_Publish(nullptr, link_->js(), subject.c_str(), event.data(), static_cast<int>(event.size()),
                               &how, &code);
    });
  }

  FollowingPtr follow(const std::string& channel, std::function<void(ByteView)> event) override {
    class Ending final : public Following {
     public:
      Ending(std::shared_ptr<Followers> of, Followers::Places::iterator place) : of_(std::move(of)), place_(place) {}
      ~Ending() override { of_->remove(place_); }

     private:
      const std::shared_ptr<Followers> of_;
      const Followers::Places::iterator place_;
    };
    const auto broken = [f = std::weak_ptr(followers_)] {
      if (const auto followers = f.lock()) followers->look();
    };
    auto made = std::make_unique<Follower>(link_, stream_of(channel), std::move(event), broken);
    return std::make_unique<Ending>(followers_, followers_->add(std::move(made)));
  }

  void make_name(const std::string& channel, const std::string& name) override {
    const auto known = names(channel);
    if (std::find(known.begin(), known.end(), name) == known.end() && known.size() >= kMostNames)
      throw JournalFailed{JournalFailed::Why::Refused, false,
                          concat({"channel ", channel, " has ", Decimal(known.size()),
                                  " named consumers, and may not have more: callis events forget"})};
    const std::string durable = concat({kNamed, name}), subject = deliveries(channel, name);
    jsConsumerConfig config;
    (void)nats().jsConsumerConfig_Init(&config);
    config.Durable = durable.c_str();
    config.DeliverSubject = subject.c_str();
    config.DeliverGroup = kGroup;
    config.DeliverPolicy = js_DeliverNew;
    config.AckPolicy = js_AckExplicit;
    config.AckWait = std::chrono::nanoseconds(options_.patience).count();
    config.MaxAckPending = 1;  // so that they come in their order, whatever comes again
    link_->ask(concat({"making named consumer ", name}), jsErrCode{}, [&](jsErrCode& code) {
      return nats().js_AddConsumer(nullptr, link_->js(), stream_of(channel).c_str(), &config, nullptr, &code);
    });
  }

  FollowingPtr follow_name(const std::string& channel, const std::string& name,
                           std::function<void(DeliveryPtr)> event) override {
    struct Ending final : public Following {
      explicit Ending(std::unique_ptr<Subscription> of) : subscription(std::move(of)) {}
      const std::unique_ptr<Subscription> subscription;
    };
    return std::make_unique<Ending>(std::make_unique<Subscription>(
        link_, deliveries(channel, name), kGroup,
        [link = link_, f = std::move(event)](const StreamMessage& m) {
          f(std::make_shared<StreamDelivery>(link, m));
        }));
  }

  std::vector<std::string> names(const std::string& channel) override {
    std::vector<std::string> out;
    link_->ask("listing named consumers", jsErrCode{}, [&](jsErrCode& code) {
      jsConsumerNamesList* list = nullptr;
      const natsStatus s = nats().js_ConsumerNames(&list, link_->js(), stream_of(channel).c_str(), nullptr, &code);
      for (int i = 0; s == NATS_OK && i < list->Count; ++i)
        if (const std::string_view name = list->List[i]; name.starts_with(kNamed))
          out.emplace_back(name.substr(kNamed.size()));
      if (s == NATS_OK) nats().jsConsumerNamesList_Destroy(list);
      return s == NATS_NOT_FOUND && code == 0 ? NATS_OK : s;
    });
    std::sort(out.begin(), out.end());
    return out;
  }

  bool forget(const std::string& channel, const std::string& name) override {
    const std::string durable = concat({kNamed, name});
    return link_->ask(concat({"forgetting named consumer ", name}), JSConsumerNotFoundErr, [&](jsErrCode& code) {
      return nats().js_DeleteConsumer(link_->js(), stream_of(channel).c_str(), durable.c_str(), nullptr, &code);
    }) == 0;
  }

  bool connected() const override { return link_->connected(); }
  std::chrono::milliseconds patience() const override { return options_.patience; }

 private:
  const NatsLibrary& nats() const { return link_->nats(); }
  std::string stream_of(const std::string& channel) const {
    return concat({options_.prefix, "-", token_of(channel)});
  }
  std::string subject_of(const std::string& channel) const {
    return concat({options_.prefix, ".", token_of(channel)});
  }
  std::string deliveries(const std::string& channel, const std::string& name) const {
    return concat({options_.prefix, ".", token_of(channel), ".", name});
  }

  const JetStreamOptions options_;
  const std::shared_ptr<Followers> followers_;
  const std::shared_ptr<Link> link_;
  std::string ids_;  // what ids of events begin with; of this process alone
  std::atomic<std::uint64_t> next_id_{1};
};

}  // namespace

std::unique_ptr<Journal> open_jetstream(const JetStreamOptions& options) {
  return std::make_unique<JetStream>(options);
}

}  // namespace callis::events
