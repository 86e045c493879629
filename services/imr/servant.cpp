// SPDX-License-Identifier: Apache-2.0
// Between what stands on the wire and the repository.
#include <callis/imr/key.h>
#include <callis/imr/leading.h>
#include <callis/orb/core/object_of.h>
#include <services/common/rules.h>
#include <services/imr/servant.h>

namespace callis::imr {

namespace {

// What operators get for what the repository throws.
template <class Do>
auto told(Do&& act) -> decltype(act()) {
  try {
    return act();
  } catch (const NotDone& e) {
    switch (e.why) {
      case NotDone::Why::Unknown: throw CallisImr::Unknown();
      case NotDone::Why::Exists: throw CallisImr::Exists();
      case NotDone::Why::Invalid: throw CallisImr::Invalid(e.what());
      case NotDone::Why::Refused: break;
    }
    throw CallisImr::Refused(e.what());
  } catch (const services::StoreFailed& e) {
    services::raise(e);
  }
}

CORBA::ULong length_of(const auto& list) { return static_cast<CORBA::ULong>(list.size()); }

CallisImr::Status status_of(const Repository::Status& s) {
  CallisImr::Status out;
  out.about = server_of(s.record);
  out.state = word(s.state);
  out.pid = static_cast<CORBA::Long>(s.pid);
  out.failures = s.failures;
  out.launches = s.launches;
  out.waiting = s.waiting;
  out.processes = static_cast<CORBA::ULong>(s.processes);
  out.reason = s.reason.c_str();
  return out;
}

}  // namespace

Record record_of(const CallisImr::Server& e) {
  Record r;
  r.name = e.name.in();
  for (CORBA::ULong i = 0; i < e.command.length(); ++i) r.command.emplace_back(e.command[i]);
  for (CORBA::ULong i = 0; i < e.variables.length(); ++i)
    r.variables.emplace_back(e.variables[i].name.in(), e.variables[i].value.in());
  r.directory = e.directory.in();
  r.user = e.user.in();
  r.activator = e.activator.in();
  r.activation = static_cast<Activation>(e.activation);
  r.start_limit = e.start_limit;
  r.first_pause_ms = e.first_pause_ms;
  r.longest_pause_ms = e.longest_pause_ms;
  r.start_deadline_ms = e.start_deadline_ms;
  r.stop_deadline_ms = e.stop_deadline_ms;
  r.endpoint = e.endpoint.in();
  r.max_processes = e.max_processes;
  r.linger_ms = e.linger_ms;
  for (CORBA::ULong i = 0; i < e.key_prefixes.length(); ++i) {
    auto bytes = bytes_of_hex(static_cast<const char*>(e.key_prefixes[i]));
    if (!bytes) throw CallisImr::Invalid("a prefix of keys is not in hexadecimal");
    r.key_prefixes.push_back(std::move(*bytes));
  }
  return r;
}

CallisImr::Server server_of(const Record& r) {
  CallisImr::Server e;
  e.name = r.name.c_str();
  e.command.length(length_of(r.command));
  for (CORBA::ULong i = 0; i < e.command.length(); ++i) e.command[i] = r.command[i].c_str();
  e.variables.length(length_of(r.variables));
  for (CORBA::ULong i = 0; i < e.variables.length(); ++i) {
    e.variables[i].name = r.variables[i].first.c_str();
    e.variables[i].value = r.variables[i].second.c_str();
  }
  e.directory = r.directory.c_str();
  e.user = r.user.c_str();
  e.activator = r.activator.c_str();
  e.activation = static_cast<CallisImr::Mode>(r.activation);
  e.start_limit = r.start_limit;
  e.first_pause_ms = r.first_pause_ms;
  e.longest_pause_ms = r.longest_pause_ms;
  e.start_deadline_ms = r.start_deadline_ms;
  e.stop_deadline_ms = r.stop_deadline_ms;
  e.endpoint = r.endpoint.c_str();
  e.max_processes = r.max_processes;
  e.linger_ms = r.linger_ms;
  e.key_prefixes.length(length_of(r.key_prefixes));
  for (CORBA::ULong i = 0; i < e.key_prefixes.length(); ++i) e.key_prefixes[i] = hex_of(r.key_prefixes[i]).c_str();
  return e;
}

void RepositoryServant::add(const CallisImr::Server& entry, CORBA::Boolean replace) {
  told([&] { repository_.add(record_of(entry), replace); });
}

void RepositoryServant::remove(const char* name) {
  told([&] { repository_.remove(name); });
}

CallisImr::Statuses* RepositoryServant::list(const char* after, CORBA::ULong most) {
  const std::vector<imr::Repository::Status> all = repository_.list(after, std::min<CORBA::ULong>(most, 100));
  auto out = std::make_unique<CallisImr::Statuses>();
  out->length(length_of(all));
  for (CORBA::ULong i = 0; i < out->length(); ++i) (*out)[i] = status_of(all[i]);
  return out.release();
}

CallisImr::Status* RepositoryServant::find(const char* name) {
  return told([&] { return new CallisImr::Status(status_of(repository_.status(name))); });
}

void RepositoryServant::start(const char* name) {
  told([&] { repository_.start(name); });
}

void RepositoryServant::stop(const char* name) {
  told([&] { repository_.halt(name); });
}

CORBA::Object_ptr RepositoryServant::reference(const char* name, const char* type_id,
                                               const CORBA::OctetSeq& object_key) {
  told([&] { (void)repository_.status(name); });
  ior::Ior ior;
  ior.type_id = type_id;
  const ByteView key(object_key.get_buffer(), object_key.length());
  ior.profiles = profiles_via(own_, make_key(name, key), {}, orb_.limits());
  const auto made = orb::ReferencePtr::adopt(new orb::Reference(orb_, std::move(ior)));
  return orb::make_object(*made);
}

// A process that the repository has started proves it by what it has been given.
void RepositoryServant::up(const char* name, const char* start, CORBA::Long pid, CallisImr::Process_ptr self) {
  if (!*start) services::Rules::require(services::Group::Admin, "up() of a server that was started by hand");
  if (CORBA::is_nil(self)) throw CallisImr::Refused("its object is nil");
  const ior::Ior& ior = orb::reference_of(self).ior();
  told([&] { repository_.up(name, start, pid, ior); });
}

void RepositoryServant::attach(const char* name, CallisImr::Activator_ptr self, const CallisImr::Words& living) {
  if (!is_server_name(name) || CORBA::is_nil(self)) throw CallisImr::Invalid("it has no good name, or is nil");
  if (!activators_.attach(name, orb::reference_of(self).ior()))
    throw CallisImr::Invalid("there are too many activators");
  std::set<std::string> starts;
  for (CORBA::ULong i = 0; i < living.length(); ++i) starts.emplace(static_cast<const char*>(living[i]));
  repository_.reconcile(name, starts);
}

// Who knows the start is who was told to launch it.
void RepositoryServant::ended(const char* name, const char* start, const char* how) {
  if (*start) repository_.ended(name, start, how);
}

void RepositoryServant::going_down(const char* name, const char* start) {
  if (!*start) services::Rules::require(services::Group::Admin, "going_down() of a server that was started by hand");
  repository_.going_down(name, start);
}

}  // namespace callis::imr
