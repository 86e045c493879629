// SPDX-License-Identifier: Apache-2.0
// callis properties: a property service.
#include <services/common/program.h>
#include <services/properties/service.h>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::Options;

class Running final : public services::RunningService {
 public:
  Running(Frame& frame, services::Relay& relay, const properties::ServiceOptions& options)
      : service_(frame.orb, frame.root_poa, *frame.store, &relay, frame.counters, options) {}
  CORBA::Object_ptr reference() override { return service_.reference(); }

 private:
  properties::Service service_;
};

properties::ServiceOptions options_of(const Frame& frame) {
  const Options& given = frame.options;
  properties::ServiceOptions out;
  properties::Bounds& b = out.bounds;
  b.memory = &frame.memory;
  out.sets = given.number("--max-sets", out.sets, 1, 100'000'000);
  b.properties = given.number("--max-properties", b.properties, 1, 1'000'000);
  b.value_bytes = given.number("--value-bytes", b.value_bytes, 1, 900'000);
  b.set_bytes = given.number("--set-bytes", b.set_bytes, 1, std::uint64_t{1} << 40);
  return out;
}

services::ServiceDescription describe(services::Relay& relay) {
  services::ServiceDescription out;
  out.name = "properties";
  out.says =
      "A property service (OMG Property Service 1.0): sets of named values of any type, and the factories of them.\n"
      "Clients reach it as corbaloc::HOST:PORT/PropertyService. Several instances on one etcd have the same sets.";
  out.options = {
      {"--max-sets", "NUMBER", "more are refused: IMP_LIMIT; 100000"},
      {"--max-properties", "NUMBER", "the same for those of one set; 10000"},
      {"--value-bytes", "BYTES", "the same for one value; 262144"},
      {"--set-bytes", "BYTES", "the same for names and values of one set; 16777216"},
  };
  out.store_kind = properties::store_kind();
  out.initial_reference = properties::Service::kInitialReference;
  out.port = 2813;
  out.guarded = {
      {services::Group::Write, "IDL:omg.org/CosPropertyService/PropertySetFactory:1.0",
       {"create_propertyset", "create_constrained_propertyset", "create_initial_propertyset"}},
      {services::Group::Write, "IDL:omg.org/CosPropertyService/PropertySetDefFactory:1.0",
       {"create_propertysetdef", "create_constrained_propertysetdef", "create_initial_propertysetdef"}},
      {services::Group::Write, "IDL:omg.org/CosPropertyService/PropertySet:1.0",
       {"define_property", "define_properties", "delete_property", "delete_properties",
        "delete_all_properties"}},
      {services::Group::Write, "IDL:omg.org/CosPropertyService/PropertySetDef:1.0",
       {"define_property_with_mode", "define_properties_with_modes", "set_property_mode", "set_property_modes"}},
      {services::Group::Write, "IDL:CallisProperties/Service:1.0",
       {"named"}},
      {services::Group::Admin, "IDL:CallisProperties/Service:1.0",
       {"destroy"}},
  };
  out.start = [&relay](Frame& frame) -> std::unique_ptr<services::RunningService> {
    return std::make_unique<Running>(frame, relay, options_of(frame));
  };
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  services::Relay relay;  // outlives the store
  return services::run_service(argc, argv, describe(relay));
}
