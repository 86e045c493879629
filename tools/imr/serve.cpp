// SPDX-License-Identifier: Apache-2.0
// What the frame of services has to know of callis imr serve and callis imr activator.
#include <callis/imr/key.h>
#include <services/imr/activator.h>
#include <services/imr/service.h>
#include <tools/imr/arguments.h>
#include <tools/imr/serve.h>
#include <services/programs/reference_text.h>
#include <services/programs/usage.h>
#include <unistd.h>

namespace callis::imr {

namespace {

class Running final : public services::RunningService {
 public:
  Running(services::Frame& frame, const Settings& settings)
      : service_(frame.orb, frame.root_poa, *frame.store, frame.counters, settings) {
    service_.begin();
  }
  CORBA::Object_ptr reference() override { return service_.reference(); }
  void stop() override { service_.stop(); }

 private:
  Service service_;
};

std::unique_ptr<services::RunningService> start(services::Frame& frame) {
  const services::Options& options = frame.options;
  Settings settings;
  settings.max_waiting = static_cast<std::uint32_t>(options.number("--max-waiting", 1000, 1, 100'000));
  settings.memory = &frame.memory;
  settings.patience = std::chrono::seconds(options.number("--patience", 120, 1, 86'400));
  if (frame.store->shared())
    throw services::ProgramFailed{services::kCannot,
                                  "the store is shared, and two repositories would start servers twice; take a file"};
  return std::make_unique<Running>(frame, settings);
}

class RunningActivator final : public services::RunningService {
 public:
  RunningActivator(services::Frame& frame, const std::string& name, const std::string& repository)
      : servant_(new Activator(name, repository)) {
    const PortableServer::ObjectId_var id = frame.root_poa->activate_object(servant_.in());
    reference_ = frame.root_poa->id_to_reference(id.in());
    servant_->begin(reference_.in());
  }
  CORBA::Object_ptr reference() override { return reference_.in(); }
  void stop() override { servant_->stop(); }

 private:
  const PortableServer::Servant_var<Activator> servant_;
  CORBA::Object_var reference_;
};

std::unique_ptr<services::RunningService> start_activator(services::Frame& frame) {
  char host[101] = {};
  ::gethostname(host, sizeof host - 1);
  const std::string name = frame.options.value("--name", host);
  if (!is_server_name(name))
    throw services::ProgramFailed{services::kWrongUsage, "\"" + name + "\" is no name; --name NAME gives another"};
  std::string text, problem;
  if (!programs::read_reference(frame.options.value("--imr", default_repository()), text, problem))
    throw services::ProgramFailed{services::kCannot, problem};
  return std::make_unique<RunningActivator>(frame, name, text);
}

}  // namespace

services::ServiceDescription describe_activator() {
  services::ServiceDescription d;
  d.name = "imr-activator";
  d.command = "callis imr activator";
  d.says =
      "Starts servers on this host for an Implementation Repository elsewhere, where they are registered with "
      "--activator NAME. The repository has to be served with --allow admin=any, or on this host.";
  d.options = {
      {"--imr", "REF", "the repository; default: $CALLIS_IMR, or corbaloc::localhost:2812/ImplRepoService", false},
      {"--name", "NAME", "this activator's; default: the host's", false},
  };
  d.start = &start_activator;
  return d;
}

services::ServiceDescription describe() {
  services::ServiceDescription d;
  d.name = "imr";
  d.command = "callis imr serve";
  d.says =
      "The Implementation Repository: starts the servers that are registered with it when they are called, and leads "
      "their clients to them: " CALLIS_GUIDE("imr.md") ".";
  d.options = {
      {"--max-waiting", "N", "requests that wait for servers to start, all together; default 1000. A\n"
                             "quarter of them may wait for one server, half of them may be of one client", false},
      {"--patience", "SECONDS", "how long one of them may wait; default 120", false},
  };
  d.guarded = {
      {services::Group::Write, "IDL:CallisImr/Repository:1.0",
       {"up", "going_down", "ended"}},
      {services::Group::Admin, "IDL:CallisImr/Repository:1.0",
       {"add", "remove", "list", "find", "start", "stop", "attach"}},
  };
  d.admin = {};  // who starts programs is root, or the repository's own user
  d.store_kind = services::StoreKind{"imr", 1, {}};
  d.initial_reference = kServiceName;
  d.port = kPort;
  d.start = &start;
  return d;
}

}  // namespace callis::imr
