// SPDX-License-Identifier: Apache-2.0
// A schedule's configuration as JSON, written and read.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/scheduling/configuration.h>
#include <services/scheduling/json_file.h>
#include <services/scheduling/report.h>
#include <algorithm>

namespace callis::scheduling {

namespace {

constexpr std::string_view kFormat = "callis-rt-configuration 1";

using Operations = std::vector<Configuration::ConfiguredOperation>;

template<class List>
auto position(List& list, std::string_view name) {
  return std::lower_bound(list.begin(), list.end(), name,
                          [](const auto& o, std::string_view n) { return o.name < n; });
}

class ConfigurationReading final : private JsonFile {
 public:
  explicit ConfigurationReading(const std::string& file) : JsonFile(file) {}

  Configuration run(const Json& root) {
    want(root, Json::Kind::Object, "the file");
    const Json& format = member(root, "format", Json::Kind::String);
    if (format.text != kFormat)
      refuse(format, "the format is " + json_string(std::string(kFormat)) + ", not " + quoted(format.text));
    const Json& policy = member(root, "policy", Json::Kind::String);
    if (policy.text == word_of(Policy::DeadlineMonotonic))
      out_.policy = Policy::DeadlineMonotonic;
    else if (policy.text != word_of(Policy::RateMonotonic))
      refuse(policy, "the policy is not known");
    out_.schedulable = member(root, "schedulable", Json::Kind::Boolean).truth;
    lanes(member(root, "lanes", Json::Kind::Array));
    operations(member(root, "operations", Json::Kind::Array));
    return std::move(out_);
  }

 private:
  const Json& member(const Json& of, std::string_view name, Json::Kind kind) const {
    const Json* const out = of.find(name);
    if (!out) refuse(of, "the member " + json_string(name) + " is missing");
    want(*out, kind, json_string(name));
    return *out;
  }
  std::uint64_t number(const Json& of, std::string_view name, std::uint64_t least, std::uint64_t most) const {
    const Json& value = member(of, name, Json::Kind::Number);
    std::uint64_t out = 0;
    if (!parse_decimal(value.text, most, out) || out < least)
      refuse(value, json_string(name) + " is a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most) + ", not " + quoted(value.text));
    return out;
  }
  Time time(const Json& of, std::string_view name) const {
    return Time(static_cast<std::int64_t>(number(of, name, 0, static_cast<std::uint64_t>(kLongestTime.count()))));
  }
  std::int32_t priority(const Json& of) const {
    return static_cast<std::int32_t>(number(of, "priority", 0, 32767));
  }

  void lanes(const Json& all) {
    if (all.items.size() > kMostConfiguredLanes)
      refuse(all, "there are " + std::to_string(all.items.size()) + " lanes; " +
                      std::to_string(kMostConfiguredLanes) + " are allowed");
    for (const Json& each : all.items) {
      want(each, Json::Kind::Object, "a lane");
      Configuration::ConfiguredLane lane;
      lane.priority = priority(each);
      lane.static_threads = static_cast<std::uint32_t>(number(each, "static_threads", 1, kMostConfiguredThreads));
      if (!out_.lanes.empty() && lane.priority <= out_.lanes.back().priority)
        refuse(each, "the priorities of lanes rise; " + std::to_string(lane.priority) + " follows " +
                         std::to_string(out_.lanes.back().priority));
      out_.lanes.push_back(lane);
    }
  }

  void operations(const Json& all) {
    if (all.items.size() > kMostConfiguredOperations)
      refuse(all, "there are " + std::to_string(all.items.size()) + " operations; " +
                      std::to_string(kMostConfiguredOperations) + " are allowed");
    for (const Json& each : all.items) {
      want(each, Json::Kind::Object, "an operation");
      Configuration::ConfiguredOperation o;
      o.name = member(each, "name", Json::Kind::String).text;
      o.priority = priority(each);
      o.worst_case = time(each, "wcet");
      o.period = time(each, "period");
      o.deadline = time(each, "deadline");
      o.quantum = time(each, "quantum");
      if (!from_word(member(each, "criticality", Json::Kind::String).text, o.criticality))
        refuse(each, "the criticality is not known");
      if (!from_word(member(each, "importance", Json::Kind::String).text, o.importance))
        refuse(each, "the importance is not known");
      const bool has_lane = std::any_of(out_.lanes.begin(), out_.lanes.end(),
                                        [&](const auto& lane) { return lane.priority == o.priority; });
      if (!has_lane) refuse(each, "no lane has the priority " + std::to_string(o.priority) + " of " + quoted(o.name));
      if (!out_.operations.empty() && o.name <= out_.operations.back().name)
        refuse(each, "operations are ordered by name, each once; " + quoted(o.name) + " follows " +
                         quoted(out_.operations.back().name));
      out_.operations.push_back(std::move(o));
    }
  }

  Configuration out_;
};

}  // namespace

const Configuration::ConfiguredOperation* Configuration::find(std::string_view name) const {
  const auto found = position(operations, name);
  return found != operations.end() && found->name == name ? &*found : nullptr;
}

Configuration configuration_of(const Model& model, const Schedule& schedule) {
  Configuration out;
  out.policy = schedule.options.policy;
  out.schedulable = schedule.schedulable;
  for (const Lane& lane : schedule.lanes) out.lanes.push_back({lane.priority, lane.static_threads});
  for (Index i = 0; i < model.infos().size(); ++i) {
    const RtInfo& info = model.infos()[i];
    if (schedule.infos[i].lane == kNoLevel) continue;
    Configuration::ConfiguredOperation o;
    o.name = info.entry_point;
    o.priority = priority_of(schedule, i);
    o.worst_case = schedule.streams.execution[i];
    o.worst_case = std::min(o.worst_case, kLongestTime);
    for (const std::size_t s : schedule.streams.of[i]) {
      const Time period = schedule.streams.streams[s].period;
      o.period = o.period.count() == 0 ? period : std::min(o.period, period);
    }
    o.deadline = info.deadline.count() != 0 ? info.deadline : o.period;
    o.quantum = info.quantum;
    o.criticality = info.criticality;
    o.importance = info.importance;
    out.operations.push_back(std::move(o));
  }
  std::sort(out.operations.begin(), out.operations.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

std::string to_text(const Configuration& c) {
  std::string out = "{\n  \"format\": " + json_string(kFormat) +
                    ",\n  \"policy\": " + json_string(word_of(c.policy)) +
                    ",\n  \"schedulable\": " + (c.schedulable ? "true" : "false") + ",\n  \"lanes\": [";
  const char* separator = "\n    ";
  for (const auto& lane : c.lanes) {
    out += separator + ("{\"priority\": " + std::to_string(lane.priority)) +
           ", \"static_threads\": " + std::to_string(lane.static_threads) + "}";
    separator = ",\n    ";
  }
  out += "\n  ],\n  \"operations\": [";
  separator = "\n    ";
  for (const auto& o : c.operations) {
    out += separator + ("{\"name\": " + json_string(o.name)) + ", \"priority\": " + std::to_string(o.priority) +
           ", \"wcet\": " + std::to_string(o.worst_case.count()) +
           ", \"period\": " + std::to_string(o.period.count()) +
           ", \"deadline\": " + std::to_string(o.deadline.count()) +
           ", \"criticality\": " + json_string(word_of(o.criticality)) +
           ", \"importance\": " + json_string(word_of(o.importance)) +
           ", \"quantum\": " + std::to_string(o.quantum.count()) + "}";
    separator = ",\n    ";
  }
  return out + "\n  ]\n}\n";
}

Configuration read_configuration(std::string_view text, const std::string& file) {
  return ConfigurationReading(file).run(read_json(text, file));
}

}  // namespace callis::scheduling
