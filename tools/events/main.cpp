// SPDX-License-Identifier: Apache-2.0
// callis events: an event service, and its clients.
#include <services/common/program.h>
#ifdef CALLIS_HAS_NATS
#include <services/events/durable/jetstream.h>
#endif
#include <services/events/service.h>
#ifdef CALLIS_HAS_TYPED_EVENTS
#include <services/events/typed/typed_service.h>
#endif
#include <tools/events/client.h>
#include <tools/events/plain_options.h>
#include <tools/events/real_time.h>
#include <services/programs/usage.h>
#include <cstdio>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::Options;

#ifdef CALLIS_HAS_NATS
std::unique_ptr<events::Journal> open_jetstream(const Options& given, std::chrono::milliseconds deadline) {
  events::JetStreamOptions out;
  const std::string urls = given.value("--durable");
  for (std::size_t at = 0; at <= urls.size();) {
    const std::size_t comma = std::min(urls.find(',', at), urls.size());
    const std::string url = urls.substr(at, comma - at);
    if (!url.starts_with("nats://") || url.size() == 7)
      throw services::ProgramFailed{services::kWrongUsage,
                                    "--durable is nats://HOST:PORT, of one server or several with commas between, "
                                    "not '" + programs::escaped(url) + "'"};
    out.urls.push_back(url);
    at = comma + 1;
  }
  out.bytes = static_cast<std::int64_t>(given.number("--durable-bytes", static_cast<std::uint64_t>(out.bytes), 1'024,
                                                     std::uint64_t{1} << 50));
  out.age = std::chrono::seconds(given.number("--durable-age", static_cast<std::uint64_t>(out.age.count()), 1,
                                              100 * 365 * 86'400ull));
  out.replicas = static_cast<int>(given.number("--durable-replicas", 1, 1, 5));
  out.wait = std::chrono::milliseconds(
      given.number("--durable-wait", static_cast<std::uint64_t>(out.wait.count()), 1, 600'000));
  // A call lasts as long as its deadline, and may wait for a thread for as long again.
  out.patience = 2 * deadline + std::chrono::seconds(2);
  return events::open_jetstream(out);
}
#endif

std::unique_ptr<events::Journal> open_journal(const Options& given, const events::ServiceOptions& options) {
  if (!given.has("--durable")) {
    for (const char* name : {"--durable-bytes", "--durable-age", "--durable-replicas", "--durable-wait"})
      if (given.has(name))
        throw services::ProgramFailed{services::kWrongUsage, std::string(name) + " is for --durable"};
    return nullptr;
  }
#ifdef CALLIS_HAS_NATS
  try {
    return open_jetstream(given, options.channel.deadline);
  } catch (const events::JournalFailed& e) {
    throw services::ProgramFailed{services::kCannot, e.text};
  }
#else
  (void)options;
  throw services::ProgramFailed{services::kCannot, "--durable: this callis was built without it: libnats-dev was "
                                                   "missing"};
#endif
}

#ifdef CALLIS_HAS_TYPED_EVENTS
// The Interface Repository that typed channels ask.
CORBA::Object_var repository_of(const Frame& frame) {
  try {
    if (frame.options.has("--repository"))
      return frame.orb->string_to_object(frame.options.value("--repository").c_str());
    return frame.orb->resolve_initial_references("InterfaceRepository");
  } catch (const CORBA::ORB::InvalidName&) {
    throw services::ProgramFailed{services::kWrongUsage,
                                  "--typed needs --repository REFERENCE, an Interface Repository that has the types"};
  } catch (const CORBA::SystemException& e) {
    throw services::ProgramFailed{services::kWrongUsage, "--repository: " + std::string(e.what())};
  }
}

std::unique_ptr<events::TypedService> make_typed(const Frame& frame, events::Service& plain) {
  if (!frame.options.has("--typed")) {
    for (const char* name : {"--repository", "--typed-interface"})
      if (frame.options.has(name))
        throw services::ProgramFailed{services::kWrongUsage, std::string(name) + " is for --typed"};
    return nullptr;
  }
  const std::vector<std::string> called = frame.options.values("--typed-interface");
  auto out = std::make_unique<events::TypedService>(frame.orb, frame.root_poa, plain, repository_of(frame).in(),
                                                    std::set<std::string>(called.begin(), called.end()));
  for (const std::string& name : frame.options.values("--typed")) {
    try {
      if (!plain.channel(name)) plain.make(name);
      out->make(name);
    } catch (const events::CannotMake& e) {
      if (e.why == events::CannotMake::Why::NotKept) throw services::ProgramFailed{services::kCannot, e.text};
      throw services::ProgramFailed{services::kWrongUsage, "--typed: " + e.text};
    }
  }
  return out;
}
#else
struct NoTyped {
  void stop() {}
};
std::unique_ptr<NoTyped> make_typed(const Frame& frame, const events::Service&) {
  if (!frame.options.has("--typed") && !frame.options.has("--repository")) return nullptr;
  throw services::ProgramFailed{services::kCannot, "--typed: this callis was built without it: there was no IDL "
                                                   "compiler"};
}
#endif

class Running final : public services::RunningService {
 public:
  Running(Frame& frame, const events::ServiceOptions& options)
      : journal_(open_journal(frame.options, options)),
        service_(frame.orb, frame.root_poa, frame.counters, with_journal(options)),
        reference_(CORBA::Object::_duplicate(service_.reference().in())) {
    frame.orb->register_initial_reference(events::Service::kFactoryOfOmniEvents, reference_.in());
    std::vector<std::string> names = frame.options.values("--channel");
    if (names.empty() && !frame.options.has("--typed")) names.push_back("EventChannel");
    for (const std::string& name : names) {
      try {
        service_.make(name);
      } catch (const events::CannotMake& e) {
        if (e.why == events::CannotMake::Why::NotKept) throw services::ProgramFailed{services::kCannot, e.text};
        throw services::ProgramFailed{services::kWrongUsage, "--channel: " + e.text};
      }
    }
    typed_ = make_typed(frame, service_);
    real_time_ = events::make_real_time(frame, options);
  }

  CORBA::Object_ptr reference() override { return reference_.in(); }
  void stop() override {
    if (real_time_) real_time_->stop();
    if (typed_) typed_->stop();
    service_.stop();
  }

 private:
  events::ServiceOptions with_journal(events::ServiceOptions options) const {
    options.journal = journal_.get();
    return options;
  }
  const std::unique_ptr<events::Journal> journal_;  // nullptr: events are not kept
  events::Service service_;
  const CORBA::Object_var reference_;
  decltype(make_typed(std::declval<const Frame&>(), std::declval<events::Service&>())) typed_;
  std::unique_ptr<events::RealTime> real_time_;
};

services::ServiceDescription describe() {
  services::ServiceDescription out;
  out.name = "events";
  out.says =
      "An event service (OMG Event Service 1.2): channels that pass events from suppliers to consumers, by push and\n"
      "by pull. A channel is corbaloc::HOST:PORT/NAME; corbaloc::HOST:PORT/omniEvents is a factory that makes\n"
      "further ones, as that of omniEvents does. callis events push|pull|watch|ls|names|forget are clients:\n"
      "callis events push --help.";
  out.options = events::plain_options();
  for (services::OwnOption& option : events::real_time_options()) out.options.push_back(std::move(option));
  out.initial_reference = events::Service::kInitialReference;
  out.port = 11169;
  out.guarded = {
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/SupplierAdmin:1.0",
       {"obtain_push_consumer", "obtain_pull_consumer", "obtain_typed_push_consumer",
        "obtain_typed_pull_consumer"}},
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/ProxyPushConsumer:1.0",
       {"connect_push_supplier", "push"}},
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/ProxyPullConsumer:1.0",
       {"connect_pull_supplier"}},
      {services::Group::Write, "IDL:omg.org/CosLifeCycle/GenericFactory:1.0",
       {"create_object"}},
      {services::Group::Write, "IDL:openorb.org/event/EventChannelFactory:1.0",
       {"create_channel"}},
      {services::Group::Write, "IDL:CallisEvents/ConsumerAdmin:1.0",
       {"obtain_named_push_supplier", "obtain_named_pull_supplier"}},
      {services::Group::Write, "IDL:CallisTypedEvents/ConsumerAdmin:1.0",
       {"obtain_named_typed_push_supplier"}},
      {services::Group::Write, "IDL:CallisRealTimeEvents/EventChannelFactory:1.0",
       {"create"}},
      {services::Group::Write, "IDL:RtecEventChannelAdmin/SupplierAdmin:1.0",
       {"obtain_push_consumer"}},
      {services::Group::Write, "IDL:RtecEventChannelAdmin/ProxyPushConsumer:1.0",
       {"connect_push_supplier", "push"}},
      {services::Group::Admin, "IDL:omg.org/CosEventChannelAdmin/EventChannel:1.0",
       {"destroy"}},
      {services::Group::Admin, "IDL:omg.org/CosTypedEventChannelAdmin/TypedEventChannel:1.0",
       {"destroy"}},
      {services::Group::Admin, "IDL:RtecEventChannelAdmin/EventChannel:1.0",
       {"destroy"}},
      {services::Group::Admin, "IDL:CallisEvents/ConsumerAdmin:1.0",
       {"forget"}},
  };
  out.start = [](Frame& frame) -> std::unique_ptr<services::RunningService> {
    return std::make_unique<Running>(frame, events::read_plain_options(frame));
  };
  return out;
}

int client(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    char* only[] = {argv[0], argv[i]};
    if (programs::answers(2, only, events::client_usage())) return 0;
  }
  const events::Arguments arguments = events::read_arguments(argc, argv);
  if (arguments.problem.empty()) return events::run_client(arguments);
  return programs::wrong_usage("callis events " + arguments.command, arguments.problem, events::client_usage());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && events::is_client_command(argv[1])) return client(argc, argv);
  events::prepare_real_time(argc, argv);
  return services::run_service(argc, argv, describe());
}
