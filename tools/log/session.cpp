// SPDX-License-Identifier: Apache-2.0
// The service, its logs, and results that come by iterators.
#include <callis/base/text.h>
#include <services/programs/reference_text.h>
#include <services/programs/local_service.h>
#include <tools/log/session.h>

namespace callis::logs {

namespace dla = DsLogAdmin;

namespace {

constexpr CORBA::ULong kPage = 1'000;

std::string shown(std::string_view text) { return concat({Printable(text)}); }

// Runs f; user exceptions of the service become a Failure.
template<class F>
auto explained(const std::string& what, F&& f) {
  try {
    return f();
  } catch (const dla::InvalidParam& e) {
    throw Failure{kUserException, what + ": InvalidParam: " + shown(e.details.in())};
  } catch (const CORBA::UserException& e) {
    throw Failure{kUserException, what + ": " + e._name()};
  }
}

}  // namespace

CORBA::Object_var Session::object(CORBA::ORB_ptr orb, const std::string& text) const {
  std::string reference, problem;
  if (!programs::read_reference(text, reference, problem)) throw Failure{kCannot, problem};
  try {
    return orb->string_to_object(reference.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannot, e.what()};
  }
}

Session::Session(CORBA::ORB_ptr orb, const Arguments& arguments) {
  std::string what = arguments.value("--service");
  CORBA::Object_var found;
  if (!what.empty()) {
    found = object(orb, what);
  } else {
    try {
      found = orb->resolve_initial_references("LogService");
      what = "the initial reference LogService";
    } catch (const CORBA::ORB::InvalidName&) {
      const std::string at = programs::local_service("logging", 2814, "LogService");
      what = at + " (--service names another)";
      found = orb->string_to_object(at.c_str());
    }
  }
  const CallisLogging::Service_var service = CallisLogging::Service::_narrow(found.in());
  if (!CORBA::is_nil(service.in())) {
    managers_.push_back(service->basic_logs());
    managers_.push_back(service->event_logs());
    line_log_ = service->line_log();
    has_line_log_ = true;
    return;
  }
  dla::LogMgr_var manager = dla::LogMgr::_narrow(found.in());
  if (!CORBA::is_nil(manager.in())) {
    managers_.push_back(manager);
    return;
  }
  only_ = dla::Log::_narrow(found.in());
  if (CORBA::is_nil(only_.in()))
    throw Failure{kCannot, shown(what) + " is no log service, no factory of logs and no log"};
}

std::vector<dla::Log_var> Session::logs() const {
  std::vector<dla::Log_var> out;
  if (!CORBA::is_nil(only_.in())) out.push_back(only_);
  for (const dla::LogMgr_var& manager : managers_) {
    const dla::LogList_var some = manager->list_logs();
    for (CORBA::ULong i = 0; i < some->length(); ++i) out.push_back(dla::Log::_duplicate(some[i]));
  }
  return out;
}

dla::Log_var Session::log(const std::string& id) const {
  if (!CORBA::is_nil(only_.in())) return only_;
  if (id.empty() && !has_line_log_) throw Failure{kWrongUsage, "which log? Say its id; callis log ls lists them"};
  const auto number = id.empty() ? std::optional<std::uint64_t>(line_log_) : number_of(id, 0xffffffff);
  if (!number)
    throw Failure{kWrongUsage, "'" + shown(id) + "' is no id of a log, which is a number up to 4294967295"};
  for (const dla::LogMgr_var& manager : managers_) {
    const dla::Log_var found = manager->find_log(static_cast<dla::LogId>(*number));
    if (!CORBA::is_nil(found.in())) return found;
  }
  throw Failure{kCannot, "there is no log " + std::to_string(*number) + "; callis log ls lists them"};
}

void Session::rest(dla::RecordList& first, dla::Iterator_ptr iterator,
                   const std::function<bool(const dla::LogRecord&)>& take) const {
  CORBA::ULong position = 0;
  bool more = true;
  for (CORBA::ULong i = 0; i < first.length() && more; ++i) more = take(first[i]);
  position = first.length();
  while (more && !CORBA::is_nil(iterator)) {
    const dla::RecordList_var some = iterator->get(position, kPage);
    if (some->length() == 0) break;
    for (CORBA::ULong i = 0; i < some->length() && more; ++i) more = take(some[i]);
    position += some->length();
  }
  if (CORBA::is_nil(iterator)) return;
  try {
    iterator->destroy();
  } catch (const CORBA::SystemException&) {}  // the service lets it go by itself
}

void Session::each(dla::Log_ptr log, const std::string& constraint,
                   const std::function<bool(const dla::LogRecord&)>& take) const {
  explained("the query \"" + shown(constraint) + "\"", [&] {
    dla::Iterator_var iterator;
    dla::RecordList_var first = log->query(dla::default_grammar, constraint.c_str(), iterator.out());
    rest(first.inout(), iterator.in(), take);
  });
}

dla::RecordList Session::last(dla::Log_ptr log, CORBA::Long lines) const {
  dla::RecordList out;
  if (lines == 0) return out;
  explained("retrieve", [&] {
    dla::Iterator_var iterator;
    dla::RecordList_var first = log->retrieve(INT64_MAX, -lines, iterator.out());
    std::vector<dla::LogRecord> backwards;
    rest(first.inout(), iterator.in(), [&](const dla::LogRecord& record) {
      backwards.push_back(record);
      return backwards.size() < static_cast<std::size_t>(lines);
    });
    out.length(static_cast<CORBA::ULong>(backwards.size()));
    for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = backwards[backwards.size() - 1 - i];
  });
  return out;
}

}  // namespace callis::logs
