// SPDX-License-Identifier: Apache-2.0
// callis lifecycle: finds the factories of objects in naming services and traders, and has them make objects.
#include <services/common/program.h>
#include <services/lifecycle/broker.h>
#include <services/lifecycle/finder.h>
#include <services/naming/name.h>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::ProgramFailed;

constexpr const char* kInitialReference = "LifeCycleService";

CORBA::Object_var initial(const Frame& frame, const char* name, const std::string& wanted_by) {
  try {
    return frame.orb->resolve_initial_references(name);
  } catch (const CORBA::ORB::InvalidName&) {
    throw ProgramFailed{services::kCannot,
                        wanted_by + " needs -ORBInitRef " + name + "=corbaloc::HOST:PORT/" + name};
  }
}

CosNaming::Name name_of(const std::string& text) {
  naming::OwnedName name;
  if (!naming::parse_name(text, name))
    throw ProgramFailed{services::kWrongUsage, "--location " + text + ": that is no name"};
  CosNaming::Name out;
  out.length(static_cast<CORBA::ULong>(name.parts.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].id = name.parts[i].id.c_str();
    out[i].kind = name.parts[i].kind.c_str();
  }
  return out;
}

std::vector<life_cycle::Broker::Finder> finders_of(const Frame& frame) {
  std::vector<life_cycle::Broker::Finder> out;
  for (const std::string& location : frame.options.values("--location")) {
    const CORBA::Object_var names = initial(frame, "NameService", "--location");
    const CosNaming::NamingContext_var root = CosNaming::NamingContext::_unchecked_narrow(names.in());
    out.emplace_back(location == "/" ? new life_cycle::NamingFinder(root.in())
                                     : new life_cycle::NamingFinder(root.in(), name_of(location)));
  }
  for (const std::string& type : frame.options.values("--offers")) {
    const CORBA::Object_var trader = initial(frame, "TradingService", "--offers");
    const CosTrading::Lookup_var lookup = CosTrading::Lookup::_unchecked_narrow(trader.in());
    out.emplace_back(new life_cycle::TraderFinder(lookup.in(), type, frame.options.value("--constraint"),
                                                  frame.options.value("--prefer")));
  }
  if (out.empty())
    throw ProgramFailed{services::kWrongUsage, "where are factories to be looked for? --location, --offers or both"};
  return out;
}

class Running final : public services::RunningService {
 public:
  explicit Running(Frame& frame) {
    life_cycle::Broker::Limits limits;
    limits.answer = std::chrono::milliseconds(frame.options.number("--timeout", 5'000, 1, 600'000));
    limits.operation = std::chrono::milliseconds(frame.options.number("--operation-time", 20'000, 1, 600'000));
    limits.memory = &frame.memory;
    const PortableServer::POAManager_var manager = frame.root_poa->the_POAManager();
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = frame.root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = frame.root_poa->create_id_assignment_policy(PortableServer::USER_ID);
    const PortableServer::POA_var poa = frame.root_poa->create_POA("LifeCycle", manager.in(), policies);
    const PortableServer::Servant_var<life_cycle::Broker> servant =
        new life_cycle::Broker(finders_of(frame), limits);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("broker");
    poa->activate_object_with_id(id.in(), servant.in());
    reference_ = poa->id_to_reference(id.in());
  }
  CORBA::Object_ptr reference() override { return reference_.in(); }

 private:
  CORBA::Object_var reference_;
};

std::unique_ptr<services::RunningService> start(Frame& frame) { return std::make_unique<Running>(frame); }

services::ServiceDescription describe() {
  services::ServiceDescription out;
  out.name = "lifecycle";
  out.says =
      "A FactoryFinder and GenericFactory (OMG Life Cycle Service 1.2) over naming services and traders: finds who\n"
      "makes objects, and has the one that criteria ask for make them. Clients reach it as\n"
      "corbaloc::HOST:PORT/LifeCycleService.";
  out.options = {
      {"--location", "NAME", "of a naming context in which keys are looked for; /: the root", true},
      {"--offers", "TYPE", "a service type of factories in a trader", true},
      {"--constraint", "TEXT", "which offers of factories"},
      {"--prefer", "TEXT", "in which order: 'min load'"},
      {"--timeout", "MILLISECONDS", "of a naming service, a trader, a factory; 5000"},
      {"--operation-time", "MILLISECONDS", "of one operation in all, however many of them it asks; 20000"},
  };
  out.initial_reference = kInitialReference;
  out.port = 2815;
  out.start = &start;
  return out;
}

}  // namespace

int main(int argc, char** argv) { return services::run_service(argc, argv, describe()); }
