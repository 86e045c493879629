// SPDX-License-Identifier: Apache-2.0
// Priorities: which CORBA priority an RT_Info or an operation has, by a schedule (services/scheduling). Any thread.
#pragma once
#include <services/scheduling/configuration.h>
#include <callis/corba.h>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace callis::rtevents {

class Priorities final {
 public:
  // configuration: for names of operations; scheduler: a CallisScheduling::Scheduler, for handles of RT_Infos, and
  // for names that the configuration has not; nil: none. deadline: of each question to it.
  Priorities(std::optional<scheduling::Configuration> configuration, CORBA::Object_ptr scheduler,
             std::chrono::milliseconds deadline);
  Priorities() : Priorities(std::nullopt, nullptr, std::chrono::milliseconds(1'000)) {}

  // Whether handles mean anything here; otherwise they are passed over.
  bool know_handles() const { return !CORBA::is_nil(scheduler_.in()); }
  // Nothing: why_not says why.
  std::optional<std::int32_t> of_handle(std::int32_t rt_info, std::string& why_not) const;
  std::optional<std::int32_t> of_operation(const std::string& name, std::string& why_not) const;

 private:
  const std::optional<scheduling::Configuration> configuration_;
  CORBA::Object_var scheduler_;
};

}  // namespace callis::rtevents
