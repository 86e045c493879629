// SPDX-License-Identifier: Apache-2.0
// ls, tail, query and export.
#include <tools/log/commands.h>
#include <chrono>
#include <cstdio>
#include <thread>

namespace callis::logs {

namespace dla = DsLogAdmin;

namespace {

// A line; Failure where nobody reads any more.
void print(const std::string& line) {
  if (std::fputs((line + "\n").c_str(), stdout) == EOF)
    throw Failure{kCannot, "the standard output cannot be written"};
}

std::string shown(Showing& showing, const dla::LogRecord& record, bool json) {
  return json ? showing.json(record) : showing.line(record);
}

// The words of query and export: [ID] CONSTRAINT, where one word is a constraint unless only an id can be meant.
void print_matching(const Session& session, Showing& showing, const std::string& id, const std::string& constraint,
                    std::uint64_t most, bool json) {
  const dla::Log_var log = session.log(id);
  std::uint64_t left = most;
  if (left == 0) return;
  session.each(log.in(), constraint, [&](const dla::LogRecord& record) {
    print(shown(showing, record, json));
    return --left != 0;
  });
}

std::uint64_t most_of(const Arguments& arguments) {
  return number_of(arguments.value("--most", "8000000"), 8'000'000).value_or(0);
}

}  // namespace

void list(const Session& session, Showing&, const Arguments& arguments) {
  if (!arguments.has("--json")) print("id\tkind\trecords\toctets\tmost\twhen full\tstate");
  for (const dla::Log_var& log : session.logs()) {
    const dla::AvailabilityStatus status = log->get_availability_status();
    const bool events = log->_is_a("IDL:omg.org/DsEventLogAdmin/EventLog:1.0");
    const bool locked = log->get_administrative_state() == dla::locked;
    const bool halts = log->get_log_full_action() == dla::halt;
    const std::string id = std::to_string(log->id()), records = std::to_string(log->get_n_records()),
                      octets = std::to_string(log->get_current_size()), most = std::to_string(log->get_max_size());
    if (arguments.has("--json")) {
      json::Json out = json::Json::object();
      out.add("id", json::Json::number(id));
      out.add("event_log", json::Json::boolean(events));
      out.add("records", json::Json::number(records));
      out.add("octets", json::Json::number(octets));
      out.add("max_size", json::Json::number(most));
      out.add("when_full", json::Json::string(halts ? "halt" : "wrap"));
      out.add("locked", json::Json::boolean(locked));
      out.add("off_duty", json::Json::boolean(status.off_duty));
      out.add("full", json::Json::boolean(status.log_full));
      print(to_text(out, false));
    } else {
      std::string state = locked ? "locked" : "";
      if (status.off_duty) state += state.empty() ? "off duty" : ", off duty";
      if (status.log_full) state += state.empty() ? "full" : ", full";
      print(id + "\t" + (events ? "events" : "basic") + "\t" + records + "\t" + octets + "\t" +
            (most == "0" ? "any" : most) + "\t" + (halts ? "halt" : "wrap") + "\t" +
            (state.empty() ? "open" : state));
    }
  }
}

void tail(const Session& session, Showing& showing, const Arguments& arguments) {
  const dla::Log_var log = session.log(arguments.words.empty() ? "" : arguments.words[0]);
  const auto lines = static_cast<CORBA::Long>(number_of(arguments.value("--lines", "10"), 8'000'000).value_or(10));
  const std::uint64_t level = number_of(arguments.value("--level", "0"), 8'000'000).value_or(0);
  const bool json = arguments.has("--json");
  const std::string of_level = level == 0 ? "" : "level >= " + std::to_string(level);
  dla::RecordId next = 1;
  const auto show = [&](const dla::LogRecord& record) {
    next = record.id + 1;
    print(shown(showing, record, json));
    return true;
  };
  if (of_level.empty()) {
    const dla::RecordList last = session.last(log.in(), lines);
    for (CORBA::ULong i = 0; i < last.length(); ++i) show(last[i]);
  } else {
    std::vector<dla::LogRecord> last;
    session.each(log.in(), of_level, [&](const dla::LogRecord& record) {
      next = record.id + 1;
      last.push_back(record);
      if (last.size() > static_cast<std::size_t>(lines)) last.erase(last.begin());
      return true;
    });
    for (const dla::LogRecord& record : last) show(record);
  }
  if (next == 1) {
    const dla::RecordList newest = session.last(log.in(), 1);
    if (newest.length() != 0) next = newest[0].id + 1;
  }
  std::fflush(stdout);
  while (arguments.has("--follow")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    session.each(log.in(), "id >= " + std::to_string(next) + (of_level.empty() ? "" : " and " + of_level), show);
    if (std::fflush(stdout) != 0) return;
  }
}

void query(const Session& session, Showing& showing, const Arguments& arguments) {
  const bool has_id = arguments.words.size() == 2;
  print_matching(session, showing, has_id ? arguments.words[0] : "", arguments.words.back(), most_of(arguments),
                 arguments.has("--json"));
}

void export_records(const Session& session, Showing& showing, const Arguments& arguments) {
  const auto& words = arguments.words;
  print_matching(session, showing, words.empty() ? "" : words[0], words.size() == 2 ? words[1] : "",
                 most_of(arguments), true);
}

}  // namespace callis::logs
