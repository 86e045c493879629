// SPDX-License-Identifier: Apache-2.0
// Lines and JSON of records.
#include <callis/base/text.h>
#include <services/logging/times.h>
#include <tools/log/showing.h>
#include <cstdio>
#include <ctime>

namespace callis::logs {

using json::Json;

namespace {

constexpr const char* kLevels[] = {"trace", "debug", "info", "warning", "error"};

std::string text_of(const Json& json) { return json.kind == Json::Kind::String ? json.text : to_text(json, false); }

}  // namespace

std::string time_text(CORBA::ULongLong time) {
  const auto ticks = static_cast<std::int64_t>(time) - static_cast<std::int64_t>(kUnixEpoch);
  std::int64_t seconds = ticks / static_cast<std::int64_t>(kTicksOfSecond);
  std::int64_t rest = ticks % static_cast<std::int64_t>(kTicksOfSecond);
  if (rest < 0) {
    rest += static_cast<std::int64_t>(kTicksOfSecond);
    --seconds;
  }
  const std::time_t when = seconds;
  std::tm parts{};
  if (time > INT64_MAX || !::gmtime_r(&when, &parts) || parts.tm_year + 1900 > 9999) return std::to_string(time);
  char day[32], out[48];
  std::strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(out, sizeof out, "%s.%03dZ", day, static_cast<int>(rest / 10'000));
  return out;
}

Json Showing::value(const CORBA::Any& any) {
  try {
    Json typed = mapping_.to_json(any);
    return typed;
  } catch (const tools::CannotShow& e) {
    Json out = Json::object();
    out.add("unsupported", Json::string(e.text));
    return out;
  }
}

std::string Showing::json(const DsLogAdmin::LogRecord& record) {
  Json out = Json::object();
  out.add("id", Json::number(std::to_string(record.id)));
  out.add("time", Json::string(time_text(record.time)));
  out.add("info", value(record.info));
  if (record.attr_list.length() != 0) {
    Json attributes = Json::object();
    for (CORBA::ULong i = 0; i < record.attr_list.length(); ++i)
      attributes.add(record.attr_list[i].name.in(), value(record.attr_list[i].value));
    out.add("attributes", std::move(attributes));
  }
  return to_text(out, false);
}

std::string Showing::line(const DsLogAdmin::LogRecord& record) {
  std::string program, process, level;
  Json others = Json::object();
  for (CORBA::ULong i = 0; i < record.attr_list.length(); ++i) {
    const std::string name = record.attr_list[i].name.in();
    const CORBA::Any& any = record.attr_list[i].value;
    CORBA::ULong number = 0;
    if (name == "program") {
      program = text_of(value(any));
    } else if (name == "process") {
      process = "[" + text_of(value(any)) + "]";
    } else if (name == "level" && (any >>= number) && number < std::size(kLevels)) {
      level = std::string(kLevels[number]) + ": ";
    } else if (name != "host" && name != "sent") {
      others.add(name, value(any));
    }
  }
  std::string out = std::to_string(record.id) + " " + time_text(record.time) + " ";
  if (!program.empty()) out += program + process + ": ";
  out += level + text_of(value(record.info));
  if (!others.items.empty()) out += " " + to_text(others, false);
  return concat({Printable(out)});
}

}  // namespace callis::logs
