// SPDX-License-Identifier: Apache-2.0
// callis_sample_service: the smallest service, for the tests of the frame. Its object is a statistics servant. --fail
// WORD makes the service fail at its start, --sick makes it unhealthy. With SAMPLE_GUARDS in the environment
// uptime_ms() is an operation of the group admin.
#include <services/common/program.h>
#include <services/common/statistics.h>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace callis::services;

class Sample final : public RunningService {
 public:
  explicit Sample(Frame& frame)
      : sick_(frame.options.has("--sick")),
        servant_(new StatisticsServant("sample", frame.counters, [] { return true; })),
        queue_(frame.counters.collect([](const Counters::Add& add) {
          add({"queue.length", 3, true});
        })) {
    const std::string fails = frame.options.value("--fail");
    if (fails == "store") throw StoreFailed(StoreFailed::Full, "the store is full");
    if (fails == "corba") throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "nothing left");
    if (fails == "usage") throw ProgramFailed{kWrongUsage, "--fail is wrong"};
    frame.counters.counter("starts") += static_cast<std::int64_t>(frame.options.number("--add", 1, 0, 1000));
    if (frame.store) frame.store->commit({{}, {{"started", "yes"}}, {}});
    const PortableServer::POAManager_var manager = frame.root_poa->the_POAManager();
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = frame.root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = frame.root_poa->create_id_assignment_policy(PortableServer::USER_ID);
    const PortableServer::POA_var poa = frame.root_poa->create_POA("sample", manager.in(), policies);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("sample");
    poa->activate_object_with_id(id.in(), &*servant_);
    reference_ = poa->id_to_reference(id.in());
  }
  CORBA::Object_ptr reference() override { return reference_.in(); }
  bool healthy() override { return !sick_; }
  void stop() override { std::puts("stopped"); }

 private:
  const bool sick_;
  const PortableServer::Servant_var<StatisticsServant> servant_;
  CORBA::Object_var reference_;
  Counters::Source queue_;
};

}  // namespace

int main(int argc, char** argv) {
  ServiceDescription sample;
  sample.name = "sample";
  sample.says = "A service that does nothing.";
  sample.options = {{"--fail", "WORD", "fails at its start", false},
                    {"--sick", "", "is not healthy", false},
                    {"--add", "N", "what the counter of starts begins with", false}};
  sample.store_kind = StoreKind{"sample", 1, {}};
  if (std::getenv("SAMPLE_GUARDS"))
    sample.guarded = {{Group::Admin, "IDL:CallisService/Statistics:1.0", {"_get_uptime_ms"}}};
  sample.initial_reference = "SampleService";
  sample.start = [](Frame& frame) { return std::make_unique<Sample>(frame); };
  return run_service(argc, argv, sample);
}
