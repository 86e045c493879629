// SPDX-License-Identifier: Apache-2.0
// The options --rt-... of callis events, and the real-time channels that they make.
#pragma once
#include <services/common/program.h>
#include <services/events/service.h>
#include <memory>
#include <vector>

namespace callis::events {

std::vector<services::OwnOption> real_time_options();

// Where a word begins with --rt-, ORBs are made with real time: to be called in main(), before there is one.
void prepare_real_time(int argc, char** argv);

class RealTime {
 public:
  virtual ~RealTime() = default;
  // As RunningService::stop().
  virtual void stop() = 0;
};
// nullptr: no such option was given. Queues, deadlines and limits are those of the plain channels. Throws
// ProgramFailed.
std::unique_ptr<RealTime> make_real_time(services::Frame& frame, const ServiceOptions& plain);

}  // namespace callis::events
