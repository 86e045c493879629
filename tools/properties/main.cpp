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
  Running(Frame& frame, const properties::ServiceOptions& options)
      : service_(frame.orb, frame.root_poa, *frame.store, frame.counters, options) {}
  CORBA::Object_ptr reference() override { return service_.reference(); }

 private:
  properties::Service service_;
};

properties::ServiceOptions options_of(const Options& given) {
  properties::ServiceOptions out;
  properties::Bounds& b = out.bounds;
  out.sets = given.number("--max-sets", out.sets, 1, 100'000'000);
  b.properties = given.number("--max-properties", b.properties, 1, 1'000'000);
  b.value_bytes = given.number("--value-bytes", b.value_bytes, 1, 900'000);
  b.set_bytes = given.number("--set-bytes", b.set_bytes, 1, std::uint64_t{1} << 40);
  return out;
}

std::unique_ptr<services::RunningService> start(Frame& frame) {
  const properties::ServiceOptions options = options_of(frame.options);
  if (frame.store->shared())
    throw services::ProgramFailed{services::kCannot,
                                  "the store is shared, and two services would not hear of each other's sets; take a "
                                  "file"};
  return std::make_unique<Running>(frame, options);
}

services::ServiceDescription describe() {
  services::ServiceDescription out;
  out.name = "properties";
  out.says =
      "A property service (OMG Property Service 1.0): sets of named values of any type, and the factories of them.\n"
      "Clients reach it as corbaloc::HOST:PORT/PropertyService.";
  out.options = {
      {"--max-sets", "NUMBER", "more are refused: IMP_LIMIT; 100000"},
      {"--max-properties", "NUMBER", "the same for those of one set; 10000"},
      {"--value-bytes", "BYTES", "the same for one value; 262144"},
      {"--set-bytes", "BYTES", "the same for names and values of one set; 16777216"},
  };
  out.store_kind = properties::store_kind();
  out.initial_reference = properties::Service::kInitialReference;
  out.port = 2813;
  out.start = &start;
  return out;
}

}  // namespace

int main(int argc, char** argv) { return services::run_service(argc, argv, describe()); }
