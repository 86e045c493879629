// SPDX-License-Identifier: Apache-2.0
// Initial references (CORBA 3.3 part 1, 8.5.2).
#include <callis/orb/core.h>
#include <callis/orb/errors.h>
#include <callis/orb/initial.h>

namespace callis::orb {
namespace {

struct Factories {
  std::mutex mutex;
  std::map<std::string, InitialFactory, std::less<>> by_name;
};

// Made at the first use: static initialisers of other libraries may come first.
Factories& factories() {
  static Factories* f = new Factories;
  return *f;
}

InitialFactory find_factory(const std::string& name) {
  std::lock_guard lock(factories().mutex);
  const auto at = factories().by_name.find(name);
  return at == factories().by_name.end() ? nullptr : at->second;
}

}  // namespace

bool register_initial_factory(const char* name, InitialFactory factory) {
  std::lock_guard lock(factories().mutex);
  factories().by_name[name] = factory;
  return true;
}

CORBA::Object_ptr Core::resolve_initial_references(const char* id) {
  check_running();
  const std::string name = id ? id : "";
  {
    std::lock_guard lock(initial_mutex_);
    for (const auto* known : {&registered_, &made_}) {
      const auto at = known->find(name);
      if (at != known->end()) return CORBA::Object::_duplicate(at->second.in());
    }
  }
  for (const auto& [given, uri] : options_.initial_references)
    if (given == name) return string_to_object(uri.c_str());
  if (CORBA::Object_ptr made = from_factory(name)) return made;
  throw ORB::InvalidName();
}

// The factory runs without our locks: it makes references, registers handlers, and may ask for others.
CORBA::Object_ptr Core::from_factory(const std::string& name) {
  const InitialFactory factory = find_factory(name);
  if (!factory) return nullptr;
  static std::recursive_mutex one_at_a_time;
  std::lock_guard making(one_at_a_time);
  {
    std::lock_guard lock(initial_mutex_);
    const auto at = made_.find(name);
    if (at != made_.end()) return CORBA::Object::_duplicate(at->second.in());
  }
  CORBA::Object_var object = factory(*this);
  std::lock_guard lock(initial_mutex_);
  made_[name] = object;
  return object._retn();
}

void Core::register_initial_reference(const char* id, CORBA::Object_ptr object) {
  check_running();
  if (!id || !*id) throw ORB::InvalidName();
  if (!object) throw CORBA::BAD_PARAM(omg(24), CORBA::COMPLETED_NO, "nil reference");
  const bool taken = find_factory(id) != nullptr;
  std::lock_guard lock(initial_mutex_);
  if (taken || registered_.contains(std::string_view(id))) throw ORB::InvalidName();
  registered_[id] = CORBA::Object::_duplicate(object);
  any_named_ = true;
}

CORBA::ORB::ObjectIdList* Core::list_initial_services() {
  check_running();
  std::map<std::string, int> names;
  for (const auto& [name, uri] : options_.initial_references) names[name];
  {
    std::lock_guard lock(factories().mutex);
    for (const auto& f : factories().by_name) names[f.first];
  }
  {
    std::lock_guard lock(initial_mutex_);
    for (const auto& r : registered_) names[r.first];
  }
  auto list = std::make_unique<ObjectIdList>();
  list->length(static_cast<CORBA::ULong>(names.size()));
  CORBA::ULong i = 0;
  for (const auto& n : names) (*list)[i++] = n.first.c_str();
  return list.release();
}

}  // namespace callis::orb
