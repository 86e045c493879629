// SPDX-License-Identifier: Apache-2.0
// Initial references (CORBA 3.3 part 1, 8.5.2).
#include <callis/base/text.h>
#include <callis/ior/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/registered_references.h>
#include <utility>

namespace callis::orb {
namespace {

// A call of from_factory(), of any ORB: it runs a factory, or waits while another thread runs a factory of the same
// ORB.
struct Making {
  const Core* core;
  std::thread::id thread;
  bool waits;
  Making* next;
};
constinit std::mutex making_mutex;  // guards the list
Making* makings = nullptr;

// The thread that runs a factory of that ORB; none: nobody does.
std::thread::id maker_of(const Core& core) {
  for (const Making* m = makings; m; m = m->next)
    if (m->core == &core && !m->waits) return m->thread;
  return {};
}

// Whether that thread waits for this one, perhaps by way of others.
bool waits_for(std::thread::id thread, std::thread::id one) {
  while (thread != one) {
    const Making* m = makings;
    while (m && (m->thread != thread || !m->waits)) m = m->next;
    if (!m) return false;
    thread = maker_of(*m->core);
  }
  return true;
}

// Stands around a factory. Factories of one ORB are run by one thread at a time, which may nest them; no lock is held
// meanwhile. Throws BAD_INV_ORDER if threads would wait for each other.
class MakingScope final {
 public:
  MakingScope(const Core& core, std::condition_variable& changed)
      : changed_(changed), me_{&core, std::this_thread::get_id(), true, nullptr} {
    std::unique_lock lock(making_mutex);
    for (std::thread::id maker; (maker = maker_of(core)) != std::thread::id{} && maker != me_.thread;) {
      if (waits_for(maker, me_.thread))
        raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "initial references that wait for each other");
      link();
      changed_.wait(lock);
      unlink();
    }
    me_.waits = false;
    link();
  }
  ~MakingScope() {
    const std::lock_guard lock(making_mutex);
    unlink();
    changed_.notify_all();
  }

 private:
  void link() { me_.next = std::exchange(makings, &me_); }
  void unlink() {
    Making** at = &makings;
    while (*at != &me_) at = &(*at)->next;
    *at = me_.next;
  }

  std::condition_variable& changed_;
  Making me_;
};

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

void Core::register_initial_reference(const char* id, CORBA::Object_ptr object) {
  check_usable();
  if (!CALLIS_HAS(initial_references)) throw_without_feature("initial_references");
  RegisteredReferences::add(*this, id, object);
}

CORBA::ORB::ObjectIdList* Core::list_initial_services() {
  check_usable();
  if (!CALLIS_HAS(initial_references)) throw_without_feature("initial_references");
  return RegisteredReferences::list(*this);
}

// Looks among registered references, then in -ORBInitRef, then among the libraries' references, then in
// -ORBDefaultInitRef (CORBA 3.0, 4.5.3.3). References of libraries are local and cannot come from elsewhere, so they
// come before the last.
CORBA::Object_ptr Core::initial_reference(std::string_view name, unsigned depth) {
  {
    std::lock_guard lock(initial_mutex_);
    if (CORBA::Object_ptr known = registered_ ? registered_->object(name) : nullptr) return known;
    if (const CORBA::Object_var* object = made_.find(name)) return CORBA::Object::_duplicate(object->in());
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
  const MakingScope making(*this, making_changed_);
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
