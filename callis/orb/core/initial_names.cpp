// SPDX-License-Identifier: Apache-2.0
// Initial references by name: registering them, listing them, and the objects that stand for their names in keys.
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>

CALLIS_PROVIDE(initial_references);

namespace callis::orb {

namespace {

// To a StringMap<bool>.
void add_name(void* names, std::string_view name) {
  auto& all = *static_cast<StringMap<bool>*>(names);
  if (!all.contains(name)) all.insert(name, true);
}

}  // namespace

struct Core::RegisteredNames final : NamedObjects {
  explicit RegisteredNames(Core& of) : core(of) {}

  bool find(ByteView name, ior::Ior& out) override {
    std::lock_guard lock(core.initial_mutex_);
    const CORBA::Object_var* object =
        core.registered_.find({reinterpret_cast<const char*>(name.data()), name.size()});
    if (!object || !object->in()->_callis_reference()) return false;
    out = ior::Ior(object->in()->_callis_reference()->ior());
    return true;
  }

  Core& core;
};

void Core::register_initial_reference(const char* id, CORBA::Object_ptr object) {
  check_usable();
  if (!id || !*id) raise<ORB::InvalidName>();
  if (!object) raise<CORBA::BAD_PARAM>(omg(24), CORBA::COMPLETED_NO, "nil reference");
  const bool taken = find_factory(id) != nullptr;
  std::lock_guard lock(initial_mutex_);
  if (taken || registered_.contains(id)) raise<ORB::InvalidName>();
  registered_.insert(id, CORBA::Object::_duplicate(object));
  if (!names_) names_ = std::make_unique<RegisteredNames>(*this);
  set_named(names_.get());
}

CORBA::ORB::ObjectIdList* Core::list_initial_services() {
  check_usable();
  StringMap<bool> names;
  for (const auto& given : options().initial_references) add_name(&names, given.first);
  for_each_factory(&add_name, &names);
  {
    std::lock_guard lock(initial_mutex_);
    registered_.for_each([&](const std::string& name, const CORBA::Object_var&) { add_name(&names, name); });
  }
  auto list = std::make_unique<ObjectIdList>();
  list->length(static_cast<CORBA::ULong>(names.size()));
  CORBA::ULong i = 0;
  names.for_each([&](const std::string& name, bool) { (*list)[i++] = name.c_str(); });
  return list.release();
}

}  // namespace callis::orb
