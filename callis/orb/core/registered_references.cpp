// SPDX-License-Identifier: Apache-2.0
// The table of names, and the ORB's functions that change it.
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/registered_references.h>

CALLIS_PROVIDE(initial_references);

namespace callis::orb {

namespace {

// Adds the name to a StringMap<bool>.
void add_name(void* names, std::string_view name) {
  auto& all = *static_cast<StringMap<bool>*>(names);
  if (!all.contains(name)) all.insert(name, true);
}

}  // namespace

RegisteredReferences::~RegisteredReferences() = default;

void RegisteredReferences::add(Core& core, const char* id, CORBA::Object_ptr object) {
  if (!id || !*id) raise<CORBA::ORB::InvalidName>();
  if (!object) raise<CORBA::BAD_PARAM>(omg(27), CORBA::COMPLETED_NO, "nil reference");
  if (find_factory(id)) raise<CORBA::ORB::InvalidName>();
  const std::lock_guard registering(core.initial_mutex_);
  core.check_exists();  // destroy() lets all go under this lock: nothing may be added afterwards
  if (!core.registered_) core.registered_.reset(new RegisteredReferences);
  RegisteredReferences& known = *core.registered_;
  {
    const std::lock_guard lock(known.mutex_);
    if (known.all_.contains(id)) raise<CORBA::ORB::InvalidName>();
    known.all_.insert(id, CORBA::Object::_duplicate(object));
  }
  core.set_named(&known);
}

bool RegisteredReferences::replace(Core& core, std::string_view id, CORBA::Object_ptr object) {
  CORBA::Object_var old = CORBA::Object::_duplicate(object);  // lets go of the old one without a lock
  const std::lock_guard registering(core.initial_mutex_);
  if (!core.registered_) return false;
  const std::lock_guard lock(core.registered_->mutex_);
  CORBA::Object_var* const known = core.registered_->all_.find(id);
  if (!known) return false;
  std::swap(*known, old);
  return true;
}

bool RegisteredReferences::remove(Core& core, std::string_view id) {
  CORBA::Object_var gone;  // let go without a lock
  const std::lock_guard registering(core.initial_mutex_);
  if (!core.registered_) return false;
  const std::lock_guard lock(core.registered_->mutex_);
  CORBA::Object_var* const known = core.registered_->all_.find(id);
  if (!known) return false;
  std::swap(*known, gone);
  core.registered_->all_.erase(id);
  return true;
}

CORBA::ORB::ObjectIdList* RegisteredReferences::list(Core& core) {
  StringMap<bool> names;
  for (const auto& given : core.options().initial_references) add_name(&names, given.first);
  for_each_factory(&add_name, &names);
  RegisteredReferences* registered;
  {
    const std::lock_guard lock(core.initial_mutex_);
    registered = core.registered_.get();
  }
  if (registered) {
    const std::lock_guard lock(registered->mutex_);
    registered->all_.for_each([&](const std::string& name, const CORBA::Object_var&) { add_name(&names, name); });
  }
  auto list = std::make_unique<CORBA::ORB::ObjectIdList>();
  list->length(static_cast<CORBA::ULong>(names.size()));
  CORBA::ULong i = 0;
  names.for_each([&](const std::string& name, bool) { (*list)[i++] = name.c_str(); });
  return list.release();
}

CORBA::Object_ptr RegisteredReferences::object(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const CORBA::Object_var* known = all_.find(id);
  return known ? CORBA::Object::_duplicate(known->in()) : nullptr;
}

void RegisteredReferences::clear() {
  decltype(all_) all;
  const std::lock_guard lock(mutex_);
  all.swap(all_);
}

bool RegisteredReferences::find(ByteView name, ior::Ior& out) {
  const std::lock_guard lock(mutex_);
  const CORBA::Object_var* object = all_.find({reinterpret_cast<const char*>(name.data()), name.size()});
  if (!object || !object->in()->_callis_reference()) return false;
  out = ior::Ior(object->in()->_callis_reference()->ior());
  return true;
}

}  // namespace callis::orb
