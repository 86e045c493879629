// SPDX-License-Identifier: Apache-2.0
// callis schedule serve: the Scheduling Service in the frame of services.
#include <services/common/program.h>
#include <services/scheduling/refused.h>
#include <services/scheduling/service.h>
#include <tools/schedule/commands.h>
#include <cstring>

namespace callis::scheduling {

namespace {

class RunningScheduler final : public services::RunningService {
 public:
  RunningScheduler(const services::Frame& frame, Model&& model) : service_(new SchedulingService(std::move(model))) {
    reference_ = scheduling::serve(frame.orb, *service_);
  }
  CORBA::Object_ptr reference() override { return reference_.in(); }

 private:
  const PortableServer::Servant_var<SchedulingService> service_;
  CORBA::Object_var reference_;
};

std::unique_ptr<services::RunningService> start(const services::Frame& frame, const Arguments& arguments) {
  try {
    return std::make_unique<RunningScheduler>(frame, read_model(arguments, kServiceBounds));
  } catch (const Failure& f) {
    throw services::ProgramFailed{f.status, f.text};
  } catch (const Refused& r) {
    throw services::ProgramFailed{kCannot, r.what(), std::strstr(r.what(), ": error: ") != nullptr};
  }
}

}  // namespace

int serve(int argc, char** argv, const char* usage) {
  Arguments arguments;
  services::ServiceDescription scheduler;
  scheduler.name = "schedule";
  scheduler.usage = usage;
  scheduler.status_cannot = kCannot;
  scheduler.take = [&](std::span<const std::string> words) {
    const std::size_t taken = take_file_words(words, arguments);
    if (!arguments.problem.empty()) throw services::ProgramFailed{kWrongUsage, arguments.problem};
    return taken;
  };
  scheduler.guarded = {
      {services::Group::Write, "IDL:CallisScheduling/Scheduler:1.0",
       {"create", "set", "remove", "add_dependency", "compute"}},
  };
  scheduler.start = [&](services::Frame& frame) { return start(frame, arguments); };
  return services::run_service(argc, argv, scheduler);
}

}  // namespace callis::scheduling
