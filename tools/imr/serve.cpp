// SPDX-License-Identifier: Apache-2.0
#include <services/imr/service.h>
#include <tools/imr/arguments.h>
#include <tools/imr/serve.h>

namespace callis::imr {

namespace {

class Running final : public services::RunningService {
 public:
  Running(services::Frame& frame, const Settings& settings, Operators operators)
      : service_(frame.orb, frame.root_poa, *frame.store, frame.counters, settings, operators) {
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
  settings.patience = std::chrono::seconds(options.number("--patience", 120, 1, 86'400));
  const std::string who = options.value("--operators", "local");
  if (who != "local" && who != "anyone")
    throw services::ProgramFailed{services::kWrongUsage, "--operators wants local or anyone, not \"" + who + "\""};
  if (frame.store->shared())
    throw services::ProgramFailed{services::kCannot,
                                  "the store is shared, and two repositories would start servers twice; take a file"};
  return std::make_unique<Running>(frame, settings, who == "anyone" ? Operators::Anyone : Operators::Local);
}

}  // namespace

services::ServiceDescription describe() {
  services::ServiceDescription d;
  d.name = "imr";
  d.command = "callis imr serve";
  d.says =
      "The Implementation Repository: starts the servers that are registered with it when they are called, and leads "
      "their clients to them. docs/guide/imr.md.";
  d.options = {
      {"--max-waiting", "N", "requests that wait for servers to start, all together; default 1000", false},
      {"--patience", "SECONDS", "how long one of them may wait; default 120", false},
      {"--operators", "WHO", "who may register, start and stop servers: local (this machine's users; of Unix-domain\n"
                             "sockets only root and the repository's own, and where that is root, only they),\n"
                             "or anyone; default local", false},
  };
  d.store_kind = services::StoreKind{"imr", 1, {}};
  d.initial_reference = kServiceName;
  d.port = kPort;
  d.start = &start;
  return d;
}

}  // namespace callis::imr
