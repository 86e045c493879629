// SPDX-License-Identifier: Apache-2.0
// callis ifr serve: the repository in the frame of services.
#include <services/common/program.h>
#include <services/ifr/service.h>
#include <services/ifr/sqlite_store.h>
#include <tools/ifr/commands.h>
#include <memory>

namespace callis::ifr {

namespace {

class RunningRepository final : public services::RunningService {
 public:
  explicit RunningRepository(services::Frame& frame)
      : store_(open(frame)),
        service_(frame.orb, store_.get(), bounds_of(frame.options), &frame.memory),
        size_(frame.counters.collect([this](const auto& add) {
          const std::lock_guard lock(service_.mutex());
          add({"definitions", static_cast<std::int64_t>(service_.model().size()), true});
        })) {
    if (store_) store_->read(service_.model());
    service_.serve();
    reference_ = service_.reference();
  }
  CORBA::Object_ptr reference() override { return reference_.in(); }

 private:
  static Bounds bounds_of(const services::Options& options) {
    Bounds out;
    out.time = std::chrono::milliseconds(
        options.number("--change-time", static_cast<std::uint64_t>(out.time.count()), 1, 3'600'000));
    return out;
  }
  static std::unique_ptr<SqliteStore> open(const services::Frame& frame) {
    if (frame.place == "memory") return nullptr;
    if (frame.place.starts_with("etcd:"))
      throw services::ProgramFailed{kWrongUsage, "definitions are not kept in etcd: --store FILE, or memory"};
    return std::make_unique<SqliteStore>(frame.place.substr(frame.place.starts_with("sqlite:") ? 7 : 0),
                                         frame.store_options);
  }

  const std::unique_ptr<SqliteStore> store_;
  Service service_;
  CORBA::Object_var reference_;
  services::Counters::Source size_;
};

}  // namespace

int serve(int argc, char** argv, const char* usage) {
  services::ServiceDescription repository;
  repository.name = "ifr";
  repository.usage = usage;
  repository.options = {{"--change-time", "MILLISECONDS", "", false}};
  repository.own_store = true;
  repository.guarded = {
      {services::Group::Admin, "IDL:omg.org/CORBA/IRObject:1.0",
       {"create_*", "_set_*", "move", "destroy", "feed"}},
  };
  repository.start = [](services::Frame& frame) { return std::make_unique<RunningRepository>(frame); };
  return services::run_service(argc, argv, repository);
}

}  // namespace callis::ifr
