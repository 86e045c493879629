// SPDX-License-Identifier: Apache-2.0
// Initial references (CORBA 3.3 part 1, 8.5.2).
#include <callis/base/text.h>
#include <callis/ior/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/initial_texts.h>

namespace callis::orb {
namespace {

// Never let go: static initialisers of other libraries make them, and ORBs may outlive those libraries' objects.
struct Factory {
  const char* name;
  InitialFactory make;
  Factory* next;
};
constinit std::atomic<Factory*> factories{nullptr};

}  // namespace

InitialFactory find_factory(std::string_view name) {
  for (const Factory* f = factories.load(std::memory_order_acquire); f; f = f->next)
    if (name == f->name) return f->make;
  return nullptr;
}

void for_each_factory(void (*f)(void* context, std::string_view name), void* context) {
  for (const Factory* at = factories.load(std::memory_order_acquire); at; at = at->next) f(context, at->name);
}

bool register_initial_factory(const char* name, InitialFactory factory) {
  auto* f = new Factory{name, factory, factories.load(std::memory_order_relaxed)};
  while (!factories.compare_exchange_weak(f->next, f, std::memory_order_acq_rel)) {
  }
  return true;
}

CORBA::Object_ptr Core::resolve_initial_references(const char* id) {
  check_usable();
  return initial_reference(id ? id : "", 0);
}

// What was registered, then -ORBInitRef, then -ORBDefaultInitRef (CORBA 3.0, 4.5.3.3); what libraries here make is
// local and not to be had elsewhere, so it comes before the last.
CORBA::Object_ptr Core::initial_reference(std::string_view name, unsigned depth) {
  {
    std::lock_guard lock(initial_mutex_);
    for (const auto* known : {&registered_, &made_})
      if (const CORBA::Object_var* object = known->find(name)) return CORBA::Object::_duplicate(object->in());
  }
  for (const auto& [given, uri] : options().initial_references)
    if (given == name) return text_to_object(uri, depth);
  if (CORBA::Object_ptr made = from_factory(name)) return made;
  const std::string& prefix = options().default_initial_reference;
  if (prefix.empty() || name.empty() || !CALLIS_HAS(urls)) {
    if (CALLIS_HAS(initial_texts)) raise_unknown_id(name);
    raise<ORB::InvalidName>();
  }
  const ByteView key(reinterpret_cast<const Byte*>(name.data()), name.size());
  const bool socket = prefix.find("uiop:") != prefix.npos && prefix.find('|') == prefix.npos;
  return text_to_object(concat({prefix, socket ? "|" : "/", ior::escape_key(key)}), depth);
}

// The factory runs without our locks: it makes references, registers handlers, and may ask for others.
CORBA::Object_ptr Core::from_factory(std::string_view name) {
  const InitialFactory factory = find_factory(name);
  if (!factory) return nullptr;
  const std::lock_guard one_at_a_time(making_mutex_);
  {
    std::lock_guard lock(initial_mutex_);
    if (const CORBA::Object_var* object = made_.find(name)) return CORBA::Object::_duplicate(object->in());
  }
  CORBA::Object_var object = factory(*this);
  std::lock_guard lock(initial_mutex_);
  made_.insert(name, object);
  return object._retn();
}

}  // namespace callis::orb
