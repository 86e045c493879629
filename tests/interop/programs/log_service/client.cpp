// SPDX-License-Identifier: Apache-2.0
// A client of a log service, with callis or omniORB:
//
//   client FACTORY [ORB options]
//
// Makes a log by the OMG's factory, uses its operations, and prints what came of it.
#ifdef INTEROP_OMNIORB
#include <DsLogAdmin.hh>
#else
#include <callis/corba.h>
#include "DsLogAdmin.h"
#endif
#include <cstdio>
#include <string>

namespace {

namespace dla = DsLogAdmin;

void say(const std::string& what, const std::string& came) { std::printf("%s: %s\n", what.c_str(), came.c_str()); }

CORBA::Any any(CORBA::Long n) {
  CORBA::Any out;
  out <<= n;
  return out;
}

// What the call ends with.
template<class Call>
std::string end_of(Call call) {
  try {
    call();
    return "done";
  } catch (const dla::LogFull& e) {
    return "LogFull " + std::to_string(e.n_records_written);
  } catch (const dla::UnsupportedQoS& e) {
    return "UnsupportedQoS " + std::to_string(e.denied.length());
  } catch (const dla::InvalidAttribute& e) {
    return "InvalidAttribute '" + std::string(e.attr_name) + "'";
  } catch (const CORBA::UserException& e) {
    return e._name();
  } catch (const CORBA::SystemException& e) {
    return e._name();
  }
}

std::string values_of(const dla::RecordList& records) {
  std::string out;
  for (CORBA::ULong i = 0; i < records.length(); ++i) {
    CORBA::Long n = -1;
    records[i].info >>= n;
    out += (i == 0 ? "" : " ") + std::to_string(n);
  }
  return out;
}

std::string query(dla::Log_ptr log, const char* constraint) {
  dla::Iterator_var rest;
  dla::RecordList_var out = log->query("EXTENDED_TCL", constraint, rest.out());
  return values_of(out.in());
}

dla::Anys numbers(CORBA::Long from, CORBA::ULong count) {
  dla::Anys out;
  out.length(count);
  for (CORBA::ULong i = 0; i < count; ++i) out[i] = any(from + static_cast<CORBA::Long>(i));
  return out;
}

void use(CORBA::ORB_ptr orb, const char* reference) {
  CORBA::Object_var object = orb->string_to_object(reference);
  dla::BasicLogFactory_var factory = dla::BasicLogFactory::_narrow(object.in());
  dla::LogId id = 0;
  dla::BasicLog_var log = factory->create(dla::halt, 0, id);
  say("id", log->id() == id ? "as said" : "another");
  log->write_records(numbers(0, 6));
  say("records", std::to_string(log->get_n_records()));
  say("query", query(log.in(), "info >= 2 and info < 5"));
  dla::NVList list;
  list.length(1);
  list[0].name = CORBA::string_dup("level");
  list[0].value = any(3);
  say("mark", std::to_string(log->set_records_attribute("EXTENDED_TCL", "info > 3", list)));
  say("marked", query(log.in(), "level == 3"));
  dla::NVList_var got = log->get_record_attribute(5);
  say("attribute", std::string(got[0].name));
  list[0].name = CORBA::string_dup("");
  say("no name", end_of([&] { log->set_record_attribute(1, list); }));
  dla::Iterator_var rest;
  dla::RecordList_var last = log->retrieve(CORBA::ULongLong(1) << 62, -2, rest.out());
  say("backwards", values_of(last.in()));
  say("no grammar", end_of([&] { log->match("SQL", ""); }));
  say("no constraint", end_of([&] { log->match("EXTENDED_TCL", "info <"); }));
  log->set_max_size(log->get_current_size() + 1);
  say("full", end_of([&] { log->write_records(numbers(6, 3)); }));
  say("is full", log->get_availability_status().log_full ? "yes" : "no");
  say("deleted", std::to_string(log->delete_records("EXTENDED_TCL", "info < 3")));
  log->set_administrative_state(dla::locked);
  say("locked", end_of([&] { log->write_records(numbers(0, 1)); }));
  dla::QoSList qos;
  qos.length(1);
  qos[0] = 17;
  say("quality", end_of([&] { log->set_log_qos(qos); }));
  dla::WeekMask week;
  week.length(1);
  week[0].days = 0;
  say("no day", end_of([&] { log->set_week_mask(week); }));
  dla::LogId other = 0;
  dla::Log_var copy = log->copy(other);
  say("copy", query(copy.in(), ""));
  log->set_administrative_state(dla::unlocked);
  log->set_max_size(0);
  log->write_records(numbers(0, 2'000));
  dla::RecordList_var first = log->query("EXTENDED_TCL", "", rest.out());
  dla::RecordList_var more = rest->get(2'001, 10);
  say("iterator", std::to_string(first->length()) + " then " + values_of(more.in()));
  rest->destroy();
  log->destroy();
  say("destroyed", end_of([&] { log->get_n_records(); }));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) return 2;
    use(orb.in(), argv[1]);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    say("failed", e._name());
    return 1;
  }
}
