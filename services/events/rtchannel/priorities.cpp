// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/events/rtchannel/priorities.h>
#include "CallisScheduling.h"

namespace callis::rtevents {

namespace {

using CallisScheduling::Scheduler;

// Asks; what goes wrong becomes words.
template <class Ask>
std::optional<std::int32_t> answer_of(const std::string& what, std::string& why_not, Ask&& ask) {
  try {
    const CallisScheduling::Result_var result = ask();
    if (result->has_lane || result->inside) return result->priority;
    why_not = concat({what, " (", result->entry_point.in(), ") has no priority in the schedule: nobody calls it"});
  } catch (const CallisScheduling::Unknown& e) {
    why_not = concat({what, ": ", e.why.in()});
  } catch (const CallisScheduling::NotScheduled& e) {
    why_not = concat({what, ": ", e.why.in()});
  } catch (const CORBA::Exception& e) {
    why_not = concat({what, ": the Scheduling Service does not answer: ", e.what()});
  }
  return std::nullopt;
}

}  // namespace

Priorities::Priorities(std::optional<scheduling::Configuration> configuration, CORBA::Object_ptr scheduler,
                       std::chrono::milliseconds limit)
    : configuration_(std::move(configuration)) {
  if (!CORBA::is_nil(scheduler)) scheduler_ = CORBA::Object::_duplicate(deadline(scheduler, limit).in());
}

std::optional<std::int32_t> Priorities::of_handle(std::int32_t rt_info, std::string& why_not) const {
  const CallisScheduling::Scheduler_var scheduler = Scheduler::_unchecked_narrow(scheduler_.in());
  return answer_of(concat({"RT_Info ", std::to_string(rt_info)}), why_not,
                   [&] { return scheduler->result_of(static_cast<CallisScheduling::Handle>(rt_info)); });
}

std::optional<std::int32_t> Priorities::of_operation(const std::string& name, std::string& why_not) const {
  if (configuration_) {
    if (const auto* const found = configuration_->find(name)) return found->priority;
  }
  if (know_handles()) {
    const CallisScheduling::Scheduler_var scheduler = Scheduler::_unchecked_narrow(scheduler_.in());
    return answer_of(concat({"operation ", name}), why_not,
                     [&] { return scheduler->result_of(scheduler->lookup(name.c_str())); });
  }
  why_not = configuration_ ? concat({"the schedule has no operation '", name, "'"})
                           : concat({"operation '", name, "': this service has no schedule"});
  return std::nullopt;
}

}  // namespace callis::rtevents
