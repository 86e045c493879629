// SPDX-License-Identifier: Apache-2.0
// callis naming: a naming service.
#include <services/common/program.h>
#include <services/naming/service.h>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::Options;

class Running final : public services::RunningService {
 public:
  Running(Frame& frame, naming::Watching& watching, const naming::ServiceOptions& options)
      : service_(frame.orb, frame.root_poa, *frame.store, watching, frame.counters, options),
        reference_(service_.reference()) {}

  CORBA::Object_ptr reference() override { return reference_.in(); }

 private:
  naming::Service service_;
  const CORBA::Object_var reference_;
};

naming::ServiceOptions options_of(const Frame& frame) {
  const Options& given = frame.options;
  naming::ServiceOptions out;
  out.memory = &frame.memory;
  out.readonly = given.has("--readonly");
  out.federation_deadline = std::chrono::milliseconds(
      given.number("--federation-timeout", static_cast<std::uint64_t>(out.federation_deadline.count()), 1, 600'000));
  out.bounds.bindings = given.number("--max-bindings", out.bounds.bindings, 1, 100'000'000);
  out.bounds.contexts = given.number("--max-contexts", out.bounds.contexts, 1, 100'000'000);
  out.bounds.orphans = given.number("--max-orphans", out.bounds.orphans, 1, 100'000'000);
  return out;
}

services::ServiceDescription describe(naming::Watching& watching) {
  services::ServiceDescription out;
  out.name = "naming";
  out.says =
      "A naming service (OMG Naming Service 1.3). Clients reach it as corbaloc::HOST/NameService. Several instances\n"
      "on one etcd are one service: references carry the addresses of all.";
  out.options = {
      {"--readonly", "", "refuses every change: NO_PERMISSION"},
      {"--federation-timeout", "MILLISECONDS", "how long it waits for another service that a name leads to; 5000"},
      {"--max-bindings", "NUMBER", "more are refused: IMP_LIMIT; 10000000"},
      {"--max-contexts", "NUMBER", "the same for contexts; 1000000"},
      {"--max-orphans", "NUMBER",
       "the same for contexts of one client that no name leads to; 10000, and at most a tenth\nof --max-contexts"},
  };
  out.store_kind = naming::store_kind();
  out.port = 2809;
  out.guarded = {
      {services::Group::Write, "IDL:omg.org/CosNaming/NamingContext:1.0",
       {"bind", "bind_context", "rebind", "rebind_context", "new_context", "bind_new_context"}},
      {services::Group::Admin, "IDL:omg.org/CosNaming/NamingContext:1.0",
       {"unbind", "destroy"}},
      {services::Group::Admin, "IDL:CallisNaming/Administration:1.0",
       {"orphans", "remove_orphans"}},
  };
  out.start = [&watching](Frame& frame) -> std::unique_ptr<services::RunningService> {
    return std::make_unique<Running>(frame, watching, options_of(frame));
  };
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  naming::Watching watching;  // outlives the store
  return services::run_service(argc, argv, describe(watching));
}
