// SPDX-License-Identifier: Apache-2.0
// Adapters that come and go while they are called.
#include "adapters.h"
#include <callis/poa/servant/demultiplexing.h>
#include <set>

namespace soak {
namespace {

using namespace PortableServer;

constexpr const char* kType = "IDL:Soak/Subject:1.0";
constexpr unsigned kUserIds = 24, kMostActive = 64;

// Gives back the counts of those, too, whose end it is not told of because their adapter was destroyed so.
class Activator final : public ServantActivator {
 public:
  ~Activator() override {
    for (Subject* s : all_) s->_remove_ref();
  }

 private:
  Servant incarnate(const ObjectId&, POA_ptr) override {
    ++Adapters::activations;
    Subject* const s = new Subject;
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.insert(s);
    return s;
  }
  void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean remaining) override {
    if (remaining) Faults::add("a servant of UNIQUE_ID is said to be active under another id");
    Subject* const s = dynamic_cast<Subject*>(servant);
    s->finish();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (all_.erase(s) != 1) Faults::add("a servant was etherealized that is none of the activator's");
    }
    s->_remove_ref();
  }
  std::mutex mutex_;
  std::set<Subject*> all_;
};

class Locator final : public ServantLocator {
  Servant preinvoke(const ObjectId&, POA_ptr, const char*, Cookie& cookie) override {
    const Servant s = new Subject;
    cookie = s;
    return s;
  }
  void postinvoke(const ObjectId&, POA_ptr, const char*, Cookie cookie, Servant servant) override {
    if (cookie != servant) Faults::add("postinvoke got another cookie than preinvoke gave");
    dynamic_cast<Subject*>(servant)->finish();
    servant->_remove_ref();
  }
};

// How those of the same ORB call it: each adapter in the next way, so that one of a name is not called as the one
// before.
CORBA::Policy_ptr next_collocation() {
  using callis::poa::Collocation;
  static constexpr Collocation kWays[] = {Collocation::Direct, Collocation::ThroughAdapter, Collocation::Direct,
                                          Collocation::Marshaled};
  static std::atomic<unsigned> made{0};
  return callis::poa::create_collocation_policy(kWays[made++ % std::size(kWays)]);
}

template <class... P>
POA_ptr make_child(POA_ptr parent, const char* name, POAManager_ptr manager, P*... policies) {
  CORBA::PolicyList list;
  list.length(sizeof...(P) + 1);
  CORBA::ULong i = 0;
  ((list[i++] = static_cast<CORBA::Policy*>(policies)), ...);
  list[i] = next_collocation();
  return parent->create_POA(name, manager, list);
}

void set_default_servant(POA_ptr poa) {
  const ServantBase_var servant(new Subject);
  poa->set_servant(servant.in());
}

class Deepen final : public PortableServer::AdapterActivator {
  CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) override {
    try {
      const POA_var made = make(parent, name);
    } catch (const POA::AdapterAlreadyExists&) {  // another request was first
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the parent has been destroyed meanwhile
      return false;
    }
    return true;
  }

 public:
  static POA_ptr make(POA_ptr parent, const char* name) {
    const POAManager_var manager = parent->the_POAManager();
    POA_var poa = make_child(parent, name, manager.in(), parent->create_lifespan_policy(PERSISTENT),
                             parent->create_id_assignment_policy(USER_ID),
                             parent->create_id_uniqueness_policy(MULTIPLE_ID),
                             parent->create_request_processing_policy(USE_DEFAULT_SERVANT));
    set_default_servant(poa.in());
    const AdapterActivator_var deeper(new Deepen);
    poa->the_activator(deeper.in());
    return poa._retn();
  }
};

ObjectId* some_id(Engine& random) { return string_to_ObjectId(std::to_string(below(random, kUserIds)).c_str()); }

}  // namespace

Adapters::Adapters(CORBA::ORB_ptr orb) : root_(root_of(orb)), manager_(root_->the_POAManager()) {
  for (unsigned k = 0; k < kKinds; ++k) places_[k].poa = make(static_cast<Kind>(k));
  manager_->activate();
}

Adapters::~Adapters() = default;

POA_ptr Adapters::get(Kind kind) {
  Place& place = places_[static_cast<unsigned>(kind)];
  const std::lock_guard<std::mutex> lock(place.mutex);
  return POA::_duplicate(place.poa.in());
}

POA_ptr Adapters::make(Kind kind) {
  POA_ptr root = root_.in();
  POAManager_ptr manager = manager_.in();
  switch (kind) {
    case Kind::Plain: return make_child(root, "plain", manager);
    case Kind::Single: return make_child(root, "single", manager, root->create_thread_policy(SINGLE_THREAD_MODEL));
    case Kind::Activated: {
      POA_var poa = make_child(root, "activated", manager, root->create_id_assignment_policy(USER_ID),
                               root->create_request_processing_policy(USE_SERVANT_MANAGER));
      const ServantManager_var activator(new Activator);
      poa->set_servant_manager(activator.in());
      return poa._retn();
    }
    case Kind::Located: {
      POA_var poa = make_child(root, "located", manager, root->create_id_assignment_policy(USER_ID),
                               root->create_servant_retention_policy(NON_RETAIN),
                               root->create_request_processing_policy(USE_SERVANT_MANAGER));
      const ServantManager_var locator(new Locator);
      poa->set_servant_manager(locator.in());
      return poa._retn();
    }
    case Kind::Default: {
      POA_var poa = make_child(root, "default", manager, root->create_id_assignment_policy(USER_ID),
                               root->create_id_uniqueness_policy(MULTIPLE_ID),
                               root->create_request_processing_policy(USE_DEFAULT_SERVANT));
      set_default_servant(poa.in());
      return poa._retn();
    }
    case Kind::Deep: return Deepen::make(root, "deep");
  }
  return POA::_nil();
}

void Adapters::replace(Kind kind, bool etherealize, bool wait) {
  Place& place = places_[static_cast<unsigned>(kind)];
  const POA_var old = get(kind);
  old->destroy(etherealize, wait);
  POA_var next = make(kind);
  ++destructions;
  const std::lock_guard<std::mutex> lock(place.mutex);
  place.poa = next._retn();
  place.active.clear();
}

CORBA::Object_ptr Adapters::activate(Place& place, POA_ptr poa) {
  const ServantBase_var servant(new Subject);
  ObjectId_var id = poa->activate_object(servant.in());
  CORBA::Object_var reference = poa->id_to_reference(id.in());
  ++activations;
  ObjectId_var old;
  {
    const std::lock_guard<std::mutex> lock(place.mutex);
    if (place.poa.in() == poa) place.active.push_back(id);
    if (place.active.size() < kMostActive) return reference._retn();
    old = place.active.front();
    place.active.pop_front();
  }
  poa->deactivate_object(old.in());
  return reference._retn();
}

CORBA::Object_ptr Adapters::refer(Kind kind, Engine& random) {
  POA_var poa = get(kind);
  if (kind == Kind::Plain || kind == Kind::Single) return activate(places_[static_cast<unsigned>(kind)], poa.in());
  if (kind == Kind::Deep)
    for (const char* name : {"deeper", "deepest"}) poa = poa->find_POA(name, true);
  const ObjectId_var id = some_id(random);
  if (kind == Kind::Activated && below(random, 3) == 0) {
    const ObjectId_var other = some_id(random);
    poa->deactivate_object(other.in());
  }
  return poa->create_reference_with_id(id.in(), kType);
}

}  // namespace soak
