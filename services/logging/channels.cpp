// SPDX-License-Identifier: Apache-2.0
// Channels that are made with logs, and what takes their events into the log.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/events/channel_servants.h>
#include <services/events/proxy.h>
#include <services/logging/channels.h>

namespace callis::logs {

namespace {

CORBA::Object_var activate(PortableServer::POA_ptr poa, const std::string& name,
                           PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name.c_str());
  poa->activate_object_with_id(id.in(), owned.in());
  return poa->id_to_reference(id.in());
}

}  // namespace

class Channels::Reaper final : public events::Pool::Task {
 public:
  explicit Reaper(Channels& channels) : channels_(channels) {}
  events::Pool::Next run() noexcept override {
    const auto now = events::Pool::Clock::now();
    std::optional<events::Pool::Time> next;
    for (const auto& channel : channels_.all())
      if (const auto at = channel->reap(now); at && (!next || *at < *next)) next = at;
    if (!next) return {};
    return {events::Pool::Next::At, *next};
  }

 private:
  Channels& channels_;
};

// On the supplier's thread: its push() returns when the log has the event, or has refused it.
class Channels::Receiver final : public events::Receiver {
 public:
  Receiver(std::shared_ptr<Log> log, std::shared_ptr<events::Channel> out, services::Counters::Counter& lost)
      : log_(std::move(log)), out_(std::move(out)), lost_(lost) {}
  void offer(const events::Event& event) override {
    const auto& any = *static_cast<const CORBA::Any*>(event.data.get());
    try {
      log_->write(std::vector<Log::Entry>{{bytes_of(any), {}}});
    } catch (const CORBA::Exception& e) {
      refused(e._name());
    } catch (const std::exception& e) {
      refused(e.what());
    }
    try {
      if (log_->forwards()) out_->accept(any);
    } catch (const CORBA::Exception& e) {
      log(LogLevel::Info, {"logging: an event of log ", Decimal(log_->id()), " is not forwarded: ", e._name()});
    }
  }
  std::size_t waiting() const override { return 0; }
  std::uint64_t discarded() const override { return discarded_; }

 private:
  void refused(const char* why) {
    ++discarded_;
    ++lost_;
    log(LogLevel::Info, {"logging: log ", Decimal(log_->id()), " has not taken an event: ", why});
  }
  const std::shared_ptr<Log> log_;
  const std::shared_ptr<events::Channel> out_;
  services::Counters::Counter& lost_;
  std::atomic<std::uint64_t> discarded_{0};
};

Channels::Channels(CORBA::ORB_ptr orb, PortableServer::POA_ptr parent, services::Counters& counters,
                   services::MemoryBound* memory)
    : orb_(CORBA::ORB::_duplicate(orb)),
      tally_(counters),
      lost_(counters.counter("events_refused")),
      memory_(memory),
      pool_(events::Pool::Options{}),
      reaper_(std::make_shared<Reaper>(*this)) {
  const PortableServer::POAManager_var manager = parent->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = parent->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = parent->create_id_assignment_policy(PortableServer::USER_ID);
  admins_ = parent->create_POA("channels", manager.in(), policies);
  proxies_ = admins_->create_POA("proxies", manager.in(), CORBA::PolicyList());
  own_ = make("of logs");
}

Channels::~Channels() { stop(); }

std::shared_ptr<events::Channel> Channels::make(const std::string& name) {
  const events::ChannelParts parts{orb_.in(), proxies_.in(), pool_, replies_, tally_, reaper_, nullptr, memory_};
  const auto out = std::make_shared<events::Channel>(name, parts, events::ChannelOptions{});
  out->begin();
  return out;
}

void Channels::tell(const CORBA::Any& event) noexcept {
  try {
    own_->accept(event);
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Warning, {"logging: nobody is told what happened to a log: ", e._name()});
  } catch (const std::exception& e) {
    log(LogLevel::Warning, {"logging: nobody is told what happened to a log: ", e.what()});
  }
}

void Channels::begin(const std::shared_ptr<Log>& log) {
  const std::string number = std::to_string(log->id());
  Pair made;
  made.in = make("into log " + number);
  made.out = make("out of log " + number);
  made.in->hub().add(std::make_shared<Receiver>(log, made.out, lost_));
  made.consumers = activate(admins_.in(), "c" + number, new events::ConsumerAdminServant(made.out));
  made.suppliers = activate(admins_.in(), "s" + number, new events::SupplierAdminServant(made.in));
  const std::lock_guard lock(mutex_);
  logs_[log->id()] = std::move(made);
}

void Channels::deactivate(LogId id) {
  for (const char* const kind : {"c", "s"}) {
    try {
      admins_->deactivate_object(
          PortableServer::ObjectId_var(PortableServer::string_to_ObjectId((kind + std::to_string(id)).c_str())).in());
    } catch (const CORBA::Exception&) {}  // the adapter has gone
  }
}

void Channels::end(LogId id) {
  Pair ended;
  {
    const std::lock_guard lock(mutex_);
    const auto found = logs_.find(id);
    if (found == logs_.end()) return;
    ended = std::move(found->second);
    logs_.erase(found);
  }
  deactivate(id);
  ended.in->destroy();
  ended.out->destroy();
}

Channels::Pair Channels::pair(LogId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find(id);
  if (found == logs_.end())
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the log has been destroyed, or never was");
  return found->second;
}
CORBA::Object_var Channels::consumers(LogId id) const { return pair(id).consumers; }
CORBA::Object_var Channels::suppliers(LogId id) const { return pair(id).suppliers; }

std::vector<std::shared_ptr<events::Channel>> Channels::all() const {
  std::vector<std::shared_ptr<events::Channel>> out;
  const std::lock_guard lock(mutex_);
  if (own_) out.push_back(own_);
  for (const auto& [id, pair] : logs_) {
    out.push_back(pair.in);
    out.push_back(pair.out);
  }
  return out;
}

void Channels::stop() {
  pool_.stop();
  replies_.stop();
  for (const auto& channel : all()) channel->destroy();
}

}  // namespace callis::logs
