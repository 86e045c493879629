// SPDX-License-Identifier: Apache-2.0
// A schedule as a table, as JSON, and as a header of constants.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/scheduling/report.h>
#include <services/scheduling/time_text.h>
#include <algorithm>
#include <cstdio>
#include <set>

namespace callis::scheduling {

std::string_view word_of(Policy policy) {
  return policy == Policy::RateMonotonic ? "rate-monotonic" : "deadline-monotonic";
}

std::string rate_text(const Model&, const Schedule& schedule, Index info) {
  if (schedule.infos[info].background) return "background";
  std::string out;
  std::size_t n = 0;
  for (const std::size_t s : schedule.streams.of[info]) {
    const Stream& stream = schedule.streams.streams[s];
    if (stream.inside && !schedule.infos[info].inside) continue;
    if (++n > 3) return out + " + ...";
    out += (out.empty() ? "" : " + ") + time_text(stream.period) +
           (stream.executions > 1 ? "*" + std::to_string(stream.executions) : "");
  }
  return schedule.infos[info].inside ? "in " + out : out;
}

namespace {

std::string decimals(double value, int n) {
  char out[64];
  std::snprintf(out, sizeof out, "%.*f", n, value);
  return out;
}

// From the highest lane; of one lane as they were registered.
std::vector<Index> by_lane(const Schedule& schedule) {
  std::vector<Index> out(schedule.infos.size());
  for (Index i = 0; i < out.size(); ++i) out[i] = i;
  const auto rank = [&](Index i) {
    const std::uint32_t lane = schedule.infos[i].lane;
    return lane == kNoLevel ? -1 : static_cast<std::int64_t>(lane);
  };
  std::stable_sort(out.begin(), out.end(), [&](Index a, Index b) { return rank(a) > rank(b); });
  return out;
}

Time shortest_deadline(const Model& model, const Schedule& schedule, Index info) {
  Time out = model.infos()[info].deadline;
  if (out.count() != 0) return out;
  for (const std::size_t s : schedule.streams.of[info])
    if (const Stream& stream = schedule.streams.streams[s]; !stream.inside)
      out = out.count() == 0 ? stream.period : std::min(out, stream.period);
  return out;
}

// Columns as wide as their widest cell; the first is aligned to the left, the others to the right.
std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      line += i == 0 ? row[i] + pad : "  " + pad + row[i];
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string verdict_text(const InfoResult& result) {
  if (result.background) return "-";
  if (result.inside) return "with its callers";
  return result.lane == kNoLevel ? "-" : std::string(word_of(result.verdict));
}

std::string bounds_text(const Schedule& s) {
  if (!s.bounds.apply)
    return "utilisation bounds do not apply: they need deadlines equal to periods, no jitter, no blocking\n";
  return "Liu and Layland: at most " + decimals(s.bounds.liu_layland, 4) +
         (s.bounds.meets_liu_layland ? ", met\n" : ", not met (which proves nothing)\n") +
         "hyperbolic: " + decimals(s.bounds.hyperbolic, 4) + " of at most 2" +
         (s.bounds.meets_hyperbolic ? ", met\n" : ", not met (which proves nothing)\n");
}

}  // namespace

std::string table_text(const Model& model, const Schedule& s) {
  std::vector<std::vector<std::string>> rows{{"operation", "runs every", "execution", "deadline", "priority",
                                              "blocking", "jitter", "response", "deadline is"}};
  for (const Index i : by_lane(s)) {
    const InfoResult& result = s.infos[i];
    Time blocking(0), jitter(0);
    for (const std::size_t each : s.streams.of[i]) {
      if (s.streams.streams[each].inside) continue;
      blocking = std::max(blocking, s.analysis.streams[each].blocking);
      jitter = std::max(jitter, s.analysis.streams[each].jitter);
    }
    const Time deadline = shortest_deadline(model, s, i);
    const auto unless_zero = [](Time t) { return t.count() == 0 ? std::string("-") : time_text(t); };
    rows.push_back({std::string(Printable(model.infos()[i].entry_point)), rate_text(model, s, i),
                    unless_zero(s.streams.execution[i]), result.inside ? "-" : unless_zero(deadline),
                    result.lane == kNoLevel ? "-" : std::to_string(priority_of(s, i)), unless_zero(blocking),
                    unless_zero(jitter), result.inside || !result.response ? "-" : time_text(*result.response),
                    verdict_text(result)});
  }
  std::string out = columns(rows);
  out += "\n" + std::string(word_of(s.options.policy)) + ", " + std::to_string(s.lanes.size()) +
         (s.lanes.size() == 1 ? " lane" : " lanes") + "; utilisation " + decimals(s.utilisation, 4) +
         " by worst cases, " + decimals(s.typical_utilisation, 4) + " by typical ones\n" + bounds_text(s);
  for (const std::string& note : s.notes) out += "note: " + note + "\n";
  return out + (s.schedulable ? "schedulable: every deadline is met\n" : "NOT schedulable\n");
}

std::string json_text(const Model& model, const Schedule& s) {
  const auto truth = [](bool value) { return value ? "true" : "false"; };
  std::string out = "{\n  \"schedulable\": " + std::string(truth(s.schedulable)) +
                    ",\n  \"policy\": " + json_string(word_of(s.options.policy)) +
                    ",\n  \"utilisation\": " + decimals(s.utilisation, 9) +
                    ",\n  \"typical_utilisation\": " + decimals(s.typical_utilisation, 9) +
                    ",\n  \"bounds\": {\"apply\": " + truth(s.bounds.apply) +
                    ", \"liu_layland\": " + decimals(s.bounds.liu_layland, 9) +
                    ", \"meets_liu_layland\": " + truth(s.bounds.meets_liu_layland) +
                    ", \"hyperbolic\": " + decimals(s.bounds.hyperbolic, 9) +
                    ", \"meets_hyperbolic\": " + truth(s.bounds.meets_hyperbolic) + "},\n  \"notes\": [";
  for (std::size_t i = 0; i < s.notes.size(); ++i) out += (i ? ", " : "") + json_string(s.notes[i]);
  out += "],\n  \"lanes\": [";
  for (std::size_t i = 0; i < s.lanes.size(); ++i)
    out += std::string(i ? "," : "") + "\n    {\"priority\": " + std::to_string(s.lanes[i].priority) +
           ", \"static_threads\": " + std::to_string(s.lanes[i].static_threads) +
           ", \"utilisation\": " + decimals(s.lanes[i].utilisation, 9) +
           ", \"background\": " + truth(s.lanes[i].background) + "}";
  out += "\n  ],\n  \"operations\": [";
  const char* separator = "\n    ";
  for (const Index i : by_lane(s)) {
    const InfoResult& result = s.infos[i];
    const RtInfo& info = model.infos()[i];
    out += separator + ("{\"name\": " + json_string(info.entry_point)) +
           ", \"kind\": " + json_string(word_of(info.kind)) +
           ", \"priority\": " + (result.lane == kNoLevel ? "null" : std::to_string(priority_of(s, i))) +
           ", \"lane\": " + (result.lane == kNoLevel ? "null" : std::to_string(result.lane)) +
           ", \"execution\": " + std::to_string(s.streams.execution[i].count()) +
           ", \"utilisation\": " + decimals(result.utilisation, 9) +
           ", \"criticality\": " + json_string(word_of(info.criticality)) +
           ", \"importance\": " + json_string(word_of(info.importance)) + ", \"inside\": " + truth(result.inside) +
           ", \"background\": " + truth(result.background) +
           ", \"verdict\": " + json_string(word_of(result.verdict)) +
           ", \"response\": " + (result.response ? std::to_string(result.response->count()) : "null") +
           ", \"streams\": [";
    const char* inner = "";
    for (const std::size_t each : s.streams.of[i]) {
      const Stream& stream = s.streams.streams[each];
      const StreamResult& of = s.analysis.streams[each];
      out += inner + ("{\"period\": " + std::to_string(stream.period.count())) +
             ", \"executions\": " + std::to_string(stream.executions) + ", \"inside\": " + truth(stream.inside) +
             ", \"deadline\": " + std::to_string(of.deadline.count()) +
             ", \"jitter\": " + std::to_string(of.jitter.count()) +
             ", \"blocking\": " + std::to_string(of.blocking.count()) +
             ", \"response\": " + (of.response ? std::to_string(of.response->count()) : "null") +
             ", \"verdict\": " + json_string(word_of(of.verdict)) + "}";
      inner = ", ";
    }
    out += "]}";
    separator = ",\n    ";
  }
  return out + "\n  ]\n}\n";
}

std::string header_text(const Model& model, const Schedule& s, const std::string& name_space) {
  std::string out =
      "// Made by callis schedule: CORBA priorities by operation, and the lanes of the thread pool that serves "
      "them.\n"
      "// " +
      std::string(word_of(s.options.policy)) + "; utilisation " + decimals(s.utilisation, 4) + "; " +
      (s.schedulable ? "every deadline is met" : "NOT every deadline is met") + ".\n#pragma once\n\nnamespace " +
      name_space + " {\n\nnamespace priority {\n\n";
  std::set<std::string> taken;
  for (const Index i : by_lane(s)) {
    if (s.infos[i].lane == kNoLevel) continue;
    std::string name = "k";
    for (const char c : model.infos()[i].entry_point) {
      const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (fits)
        name += c;
      else if (name.back() != '_')
        name += '_';  // "A::b" is kA_b: two of them are reserved
    }
    while (!taken.insert(name).second) name += "x";
    out += "constexpr short " + name + " = " + std::to_string(priority_of(s, i)) + ";  // " + rate_text(model, s, i) +
           "\n";
  }
  out +=
      "\n}  // namespace priority\n\nstruct Lane {\n  short lane_priority;\n  unsigned long static_threads;\n};\n\n"
      "// From the lowest; members are named as RTCORBA::ThreadpoolLane's.\n";
  if (s.lanes.empty()) return out + "\n}  // namespace " + name_space + "\n";
  out += "constexpr Lane kLanes[] = {\n";
  for (const Lane& lane : s.lanes)
    out += "    {" + std::to_string(lane.priority) + ", " + std::to_string(lane.static_threads) + "},\n";
  return out + "};\n\n}  // namespace " + name_space + "\n";
}

}  // namespace callis::scheduling
