// SPDX-License-Identifier: Apache-2.0
// Clients of a repository: add, ls, status, start, stop, rm, ior.
#include <services/programs/usage.h>
#include <callis/ior/text.h>
#include <services/imr/servant.h>
#include <tools/imr/commands.h>
#include <services/programs/reference_text.h>
#include <cstdio>

namespace callis::imr {

namespace {

CallisImr::Repository_var repository(CORBA::ORB_ptr orb, const Arguments& arguments) {
  const std::string& told = arguments.repository;
  std::string text, problem;
  if (!programs::read_reference(told.empty() ? default_repository() : told, text, problem))
    throw Failure{kCannot, problem};
  try {
    const CORBA::Object_var object = orb->string_to_object(text.c_str());
    return CallisImr::Repository::_unchecked_narrow(object.in());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannot, e.what()};
  }
}

std::string line_of(const CallisImr::Status& s) {
  char text[160];
  const std::string processes = s.processes != 0 ? " (" + std::to_string(s.processes) + ")" : "";
  std::snprintf(text, sizeof text, "%-24s %-12s %7s  %s%s", programs::escaped(s.about.name.in()).c_str(),
                programs::escaped(s.state.in()).c_str(), s.pid != 0 ? std::to_string(s.pid).c_str() : "-",
                word(static_cast<Activation>(s.about.activation)), processes.c_str());
  return text;
}

void list(CallisImr::Repository_ptr from) {
  std::string after;
  for (;;) {
    const CallisImr::Statuses_var some = from->list(after.c_str(), 100);
    for (CORBA::ULong i = 0; i < some->length(); ++i) std::printf("%s\n", line_of(some[i]).c_str());
    if (some->length() == 0 || after == some[some->length() - 1].about.name.in()) return;
    after = some[some->length() - 1].about.name.in();
  }
}

void print(const char* name, const std::string& value) {
  if (!value.empty()) std::printf("  %-16s %s\n", name, programs::escaped(value).c_str());
}

void print_status(const CallisImr::Status& s) {
  const Record r = record_of(s.about);
  std::printf("%s\n", programs::escaped(r.name).c_str());
  print("state", s.state.in());
  print("reason", s.reason.in());
  if (s.pid != 0) print("process", std::to_string(s.pid));
  print("launches", std::to_string(s.launches));
  print("failures", std::to_string(s.failures) + " in a row, of " + std::to_string(r.start_limit) + " allowed");
  if (s.waiting != 0) print("waiting", std::to_string(s.waiting) + " requests");
  print("activation", word(r.activation));
  if (r.activation == Activation::PerClient) {
    print("processes", std::to_string(s.processes) + " of " + std::to_string(r.max_processes) + " allowed");
    print("linger", r.linger_ms != 0 ? std::to_string(r.linger_ms) + " ms" : std::string("for ever"));
  }
  std::string command;
  for (const std::string& w : r.command) command += (command.empty() ? "" : " ") + w;
  print("command", command);
  for (const auto& [variable, value] : r.variables) print("variable", variable + "=" + value);
  print("directory", r.directory);
  print("user", r.user);
  print("activator", r.activator);
  print("endpoint", r.endpoint);
  for (const std::string& prefix : r.key_prefixes) print("keys", hex_of(prefix));
  print("pauses", std::to_string(r.first_pause_ms) + " to " + std::to_string(r.longest_pause_ms) + " ms");
  print("deadlines", "start " + std::to_string(r.start_deadline_ms) + " ms, stop " +
                         std::to_string(r.stop_deadline_ms) + " ms");
}

// The bytes that a key string of a corbaloc URL stands for.
CORBA::OctetSeq key_of(const std::string& text) {
  auto parsed = ior::parse_reference("corbaloc::localhost/" + text);
  const auto* const ior = std::get_if<ior::Ior>(&parsed);
  ByteView key;
  if (!ior || ior->profiles.empty() ||
      ior::find_object_key(ior->profiles[0].tag, ior->profiles[0].data, key) != Fault::None)
    throw Failure{kWrongUsage, "'" + programs::escaped(text) + "' is no key as a corbaloc URL has it"};
  CORBA::OctetSeq out;
  out.length(static_cast<CORBA::ULong>(key.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = key[i];
  return out;
}

void print_reference(CORBA::ORB_ptr orb, CallisImr::Repository_ptr from, const Arguments& a) {
  const CORBA::Object_var object = from->reference(a.names[0].c_str(), a.type_id.c_str(), key_of(a.names[1]));
  std::printf("%s\n", CORBA::String_var(orb->object_to_string(object.in())).in());
}

void run_for(CORBA::ORB_ptr orb, CallisImr::Repository_ptr to, const Arguments& a, const std::string& name) {
  if (a.command == "add") to->add(server_of(a.record), a.replace);
  else if (a.command == "start") to->start(name.c_str());
  else if (a.command == "stop") to->stop(name.c_str());
  else if (a.command == "rm") to->remove(name.c_str());
  else if (a.command == "status") print_status(CallisImr::Status_var(to->find(name.c_str())).in());
  else if (a.command == "ior") print_reference(orb, to, a);
}

}  // namespace

void run_command(CORBA::ORB_ptr orb, const Arguments& a) {
  const CallisImr::Repository_var to = repository(orb, a);
  if (a.command == "ls") return list(to.in());
  for (const std::string& name : a.names) {
    const std::string shown = "'" + programs::escaped(name) + "': ";
    try {
      run_for(orb, to.in(), a, name);
    } catch (const CallisImr::Unknown&) {
      throw Failure{kCannot, shown + "no server of that name is registered (callis imr ls)"};
    } catch (const CallisImr::Exists&) {
      throw Failure{kCannot, shown + "a server of that name is registered already; --replace changes it"};
    } catch (const CallisImr::Invalid& e) {
      throw Failure{kCannot, shown + programs::escaped(e.why.in())};
    } catch (const CallisImr::Refused& e) {
      throw Failure{kCannot, shown + programs::escaped(e.why.in())};
    }
    if (a.command == "ior") return;
  }
}

}  // namespace callis::imr
