// SPDX-License-Identifier: Apache-2.0
// The adapters, the factories and the sink, and the thread that lets old records go.
#include <callis/base/log.h>
#include <callis/orb/core/core.h>
#include <services/common/numbered_objects.h>
#include <services/logging/service.h>
#include <algorithm>
#include <cstring>

namespace callis::logs {

namespace {

constexpr CORBA::ULong kMostLines = 10'000;  // of a call; those beyond are counted as dropped
constexpr std::size_t kMostTextBytes = 64u << 10;
constexpr std::size_t kMostNameBytes = 255;

PortableServer::POA_var persistent_adapter(PortableServer::POA_ptr root) {
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  return root->create_POA("LogService", manager.in(), policies);
}

template<class T>
void add(DsLogAdmin::NVList& to, const char* name, const T& value) {
  const CORBA::ULong at = to.length();
  to.length(at + 1);
  to[at].name = name;
  to[at].value <<= value;
}

}  // namespace

class Service::Front final : public POA_CallisLogging::Service {
 public:
  explicit Front(logs::Service& service) : service_(service) {}
  DsLogAdmin::BasicLogFactory_ptr basic_logs() override {
    return DsLogAdmin::BasicLogFactory::_duplicate(service_.basic_.in());
  }
  DsEventLogAdmin::EventLogFactory_ptr event_logs() override {
    return DsEventLogAdmin::EventLogFactory::_duplicate(service_.events_.in());
  }
  CallisLogging::Sink_ptr line_sink() override { return CallisLogging::Sink::_duplicate(service_.sink_.in()); }
  DsLogAdmin::LogId line_log() override { return service_.options_.line_log; }

 private:
  logs::Service& service_;
};

class Service::SinkServant final : public POA_CallisLogging::Sink {
 public:
  explicit SinkServant(logs::Service& service) : service_(service) {}
  // Nobody hears what goes wrong: it is counted and logged.
  void write(const CallisLogging::Program& from, const CallisLogging::Lines& all, CORBA::ULongLong dropped) override {
    try {
      keep(from, all, dropped);
    } catch (const CORBA::Exception& e) {
      service_.lines_dropped_ += all.length();
      log(LogLevel::Warning, {"logging: lines of a program are not kept: ", e._name()});
    }
  }
  void write_and_wait(const CallisLogging::Program& from, const CallisLogging::Lines& all,
                      CORBA::ULongLong dropped) override {
    keep(from, all, dropped);
  }

 private:
  static std::string cut(const char* text, std::size_t most) { return std::string(text, ::strnlen(text, most)); }
  // level, program, host, process, and sent: when the program had the line.
  static Log::Entry entry(const DsLogAdmin::NVList& of_program, CORBA::ULong level, TimeT sent,
                          const std::string& text) {
    DsLogAdmin::NVList attributes = of_program;
    add(attributes, "level", level);
    add(attributes, "sent", static_cast<CORBA::ULongLong>(sent));
    CORBA::Any info;
    info <<= text.c_str();
    return {bytes_of(info), bytes_of(attributes)};
  }
  void keep(const CallisLogging::Program& from, const CallisLogging::Lines& all, CORBA::ULongLong dropped) {
    DsLogAdmin::NVList of_program;
    add(of_program, "program", cut(from.name.in(), kMostNameBytes).c_str());
    add(of_program, "host", cut(from.host.in(), kMostNameBytes).c_str());
    add(of_program, "process", from.process);
    const CORBA::ULong count = std::min(all.length(), kMostLines);
    dropped += all.length() - count;
    std::vector<Log::Entry> entries;
    if (dropped != 0) {
      service_.lines_dropped_ += static_cast<std::int64_t>(dropped);
      entries.push_back(
          entry(of_program, CallisLogging::warning, service_.options_.clock(),
                std::to_string(dropped) + " lines were dropped: the program had more than it could send"));
    }
    for (CORBA::ULong i = 0; i < count; ++i)
      entries.push_back(entry(of_program, all[i].level, all[i].time, cut(all[i].text.in(), kMostTextBytes)));
    if (entries.empty()) return;
    answered([&] { service_.line_log()->write(entries); });
    service_.lines_ += count;
  }
  logs::Service& service_;
};

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, Archive& archive, services::Counters& counters,
                 const ServiceOptions& options)
    : orb_(CORBA::ORB::_duplicate(orb)),
      archive_(archive),
      options_(options),
      poa_(persistent_adapter(root_poa)),
      channels_(std::make_unique<Channels>(orb, poa_.in(), counters, options.memory)),
      logs_({archive, *static_cast<orb::Core*>(orb), *channels_, options.bounds, options.clock, &rest_,
             options.memory},
            [this](LogId id, bool event_log) { return refer(id, event_log); }),
      written_(counters.counter("records_written")),
      lines_(counters.counter("lines_received")),
      lines_dropped_(counters.counter("lines_dropped")) {
  orb::OrbContext& context = *static_cast<orb::Core*>(orb);
  iterators_ = std::make_unique<Iterators>(poa_.in(), context);
  const ServantParts parts{logs_, *iterators_, *channels_, context, written_, basic_, events_};
  basic_poa_ = services::make_adapter(poa_.in(), "basic", true, make_basic_log_servant(parts));
  event_poa_ = services::make_adapter(poa_.in(), "event", true, make_event_log_servant(parts));
  basic_ = DsLogAdmin::BasicLogFactory::_unchecked_narrow(
      activate("BasicLogFactory", make_basic_factory_servant(parts)).in());
  events_ = DsEventLogAdmin::EventLogFactory::_unchecked_narrow(
      activate("EventLogFactory", make_event_factory_servant(parts)).in());
  sink_ = CallisLogging::Sink::_unchecked_narrow(activate("LogSink", new SinkServant(*this)).in());
  reference_ = CallisLogging::Service::_unchecked_narrow(activate("service", new Front(*this)).in());
  logs_.load();
  for (const LogPtr& log : logs_.all())
    if (log->is_event_log()) channels_->begin(log);
  line_log();
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    std::uint64_t records = 0, bytes = 0;
    for (const LogPtr& log : logs_.all()) {
      const Tally tally = archive_.tally(log->id());
      records += tally.records;
      bytes += tally.bytes;
    }
    add({"logs", static_cast<std::int64_t>(logs_.size()), true});
    add({"records", static_cast<std::int64_t>(records), true});
    add({"octets", static_cast<std::int64_t>(bytes), true});
    add({"iterators", static_cast<std::int64_t>(iterators_->size()), true});
    add({"transactions", static_cast<std::int64_t>(archive_.groups()), false});
  });
  iterators_->when_first([this] { rest_.tell(); });
  if (const int error = housekeeper_.start({"callis-logs"}, [this] { keep_house(); }))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, std::string("no thread: ") + std::strerror(error));
}

Service::~Service() {
  rest_.end();
  if (housekeeper_.joinable()) housekeeper_.join();
  gauges_.reset();
  channels_->stop();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
}

CORBA::Object_var Service::activate(const char* key, PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(key);
  poa_->activate_object_with_id(id.in(), owned.in());
  CORBA::Object_var out = poa_->id_to_reference(id.in());
  if (std::strcmp(key, "service") != 0) orb_->register_initial_reference(key, out.in());
  return out;
}

CORBA::Object_ptr Service::refer(LogId id, bool event_log) const {
  const PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId(services::digits_of(id).c_str());
  return event_log ? event_poa_->create_reference_with_id(oid.in(), DsEventLogAdmin::EventLog::_repository_id())
                   : basic_poa_->create_reference_with_id(oid.in(), DsLogAdmin::BasicLog::_repository_id());
}

LogPtr Service::line_log() {
  if (LogPtr found = logs_.find(options_.line_log)) return found;
  Settings settings = new_settings(archive_);
  settings.max_size = options_.line_log_bytes;
  // Anybody may send lines, which no client's share pays for.
  if (!archive_.durable() && options_.memory)
    settings.max_size = std::min<std::uint64_t>(settings.max_size, options_.memory->limits().each / 2);
  if (archive_.durable()) {
    settings.qos.length(1);
    settings.qos[0] = DsLogAdmin::QoSFlush;
  }
  try {
    return logs_.make(options_.line_log, settings);
  } catch (const DsLogAdmin::LogIdAlreadyExists&) {  // another thread was faster
    if (LogPtr found = logs_.find(options_.line_log)) return found;
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the log of programs' lines comes and goes");
  }
}

// Records come and go; so logs whose records have a life are looked at again and again.
void Service::keep_house() {
  const auto has_life = [](const LogPtr& each) { return each->settings().max_record_life != 0; };
  const auto next = [&] {
    const services::Rest::Time soon = std::chrono::steady_clock::now() + options_.every;
    return std::ranges::any_of(logs_.all(), has_life) ? soon : std::max(iterators_->first_due(), soon);
  };
  while (rest_.until(next())) {
    iterators_->reap(std::chrono::steady_clock::now());
    try {
      for (const LogPtr& each : logs_.all())
        while (each->expire()) {}
    } catch (const std::exception& e) {
      log(LogLevel::Warning, {"logging: old records stay: ", e.what()});
    }
  }
}

}  // namespace callis::logs
