// SPDX-License-Identifier: Apache-2.0
// whereabouts_server NAME LOG [-ORB options]. Adds the tokens of once() to LOG, and prints "busy" after 500 of them.
// Does what the lines of its input say, and answers each but those of the first kind by "ok"; ends when they do.
//
//   reference ADAPTER ID           prints the reference, IOR:...
//   forward ID IOR [for_good]      what is asked of ID is to be asked there
//   settle ID                      no more
//   name KEY IOR                   what is asked of corbaloc:...KEY is to be asked there
//   wake                           the eldest rest() comes to its end; each prints "resting" when it begins
//
// Adapters: "passing" is transient, and there from the beginning. The others are persistent and made by an
// AdapterActivator when somebody asks for them: "lasting/inner" has a ServantActivator, "located" a ServantLocator.
// All know all ids.
#include "mapping.h"
#ifdef INTEROP_IMR
#include <callis/imr.h>
#endif
#include <condition_variable>
#include <fstream>
#include <mutex>

namespace {

using namespace PortableServer;

std::string text_of(const ObjectId& id) {
  const CORBA::String_var text = ObjectId_to_string(id);
  return text.in();
}

// What the commands change and the servants look at.
class State {
 public:
  State(std::string own_name, const char* log) : name(std::move(own_name)), log_(log, std::ios::app) {}
  const std::string name;

  void forward(const std::string& id, CORBA::Object_ptr to, bool for_good) {
    const std::lock_guard lock(mutex_);
    forwards_[id] = {CORBA::Object_var(CORBA::Object::_duplicate(to)), for_good};
  }
  void settle(const std::string& id) {
    const std::lock_guard lock(mutex_);
    forwards_.erase(id);
  }
  // Where the object has gone; nil when it is here.
  CORBA::Object_var whereabouts(const std::string& id, bool for_good) {
    const std::lock_guard lock(mutex_);
    const auto at = forwards_.find(id);
    return at == forwards_.end() || at->second.second != for_good ? CORBA::Object_var() : at->second.first;
  }
  void rest() {
    std::unique_lock lock(mutex_);
    const int own = ++resting_;
    interop::print("resting");
    changed_.wait(lock, [&] { return woken_ >= own; });
  }
  void did(const char* token) {
    const std::lock_guard lock(mutex_);
    log_ << token << std::endl;
    if (++done_ == 500) interop::print("busy");
  }
  void wake() {
    const std::lock_guard lock(mutex_);
    ++woken_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::pair<CORBA::Object_var, bool>> forwards_;
  std::ofstream log_;
  int resting_ = 0, woken_ = 0, done_ = 0;  // resting_, woken_: how many so far
};

class ThingServant final : public POA_Whereabouts::Thing {
 public:
  ThingServant(State& state, std::string id) : state_(state), id_(std::move(id)) {}
  char* who() override {
    const CORBA::Object_var elsewhere = state_.whereabouts(id_, true);
    if (!CORBA::is_nil(elsewhere.in())) interop::forward_for_good(elsewhere.in());
    return CORBA::string_dup((state_.name + ":" + id_).c_str());
  }
  char* rest() override {
    state_.rest();
    return who();
  }
  void once(const char* token) override { state_.did(token); }

 private:
  State& state_;
  const std::string id_;
};

Servant servant_for(State& state, const ObjectId& oid) {
  const std::string id = text_of(oid);
  const CORBA::Object_var elsewhere = state.whereabouts(id, false);
  if (!CORBA::is_nil(elsewhere.in())) throw ForwardRequest(elsewhere.in());
  return new ThingServant(state, id);
}

class Incarnating final : public ServantActivator {
 public:
  explicit Incarnating(State& state) : state_(state) {}
  Servant incarnate(const ObjectId& id, POA_ptr) override { return servant_for(state_, id); }
  void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean) override {
    servant->_remove_ref();
  }

 private:
  State& state_;
};

class Locating final : public ServantLocator {
 public:
  explicit Locating(State& state) : state_(state) {}
  Servant preinvoke(const ObjectId& id, POA_ptr, const char*, Cookie&) override { return servant_for(state_, id); }
  void postinvoke(const ObjectId&, POA_ptr, const char*, Cookie, Servant servant) override { servant->_remove_ref(); }

 private:
  State& state_;
};

POA_ptr make(POA_ptr parent, const char* name, LifespanPolicyValue life, RequestProcessingPolicyValue processing,
             ServantRetentionPolicyValue retention) {
  CORBA::PolicyList policies;
  policies.length(4);
  policies[0] = parent->create_lifespan_policy(life);
  policies[1] = parent->create_id_assignment_policy(USER_ID);
  policies[2] = parent->create_request_processing_policy(processing);
  policies[3] = parent->create_servant_retention_policy(retention);
  const POAManager_var manager = parent->the_POAManager();
  return parent->create_POA(name, manager.in(), policies);
}

class OnDemand final : public AdapterActivator {
 public:
  explicit OnDemand(State& state) : state_(state) {}
  CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) override {
    const std::string wanted = name;
    if (wanted == "lasting") {
      const POA_var made = make(parent, name, PERSISTENT, USE_ACTIVE_OBJECT_MAP_ONLY, RETAIN);
      made->the_activator(this);
    } else if (wanted == "inner") {
      const POA_var made = make(parent, name, PERSISTENT, USE_SERVANT_MANAGER, RETAIN);
      const ServantActivator_var manager = new Incarnating(state_);
      made->set_servant_manager(manager.in());
    } else if (wanted == "located") {
      const POA_var made = make(parent, name, PERSISTENT, USE_SERVANT_MANAGER, NON_RETAIN);
      const ServantLocator_var manager = new Locating(state_);
      made->set_servant_manager(manager.in());
    } else {
      return false;
    }
    return true;
  }

 private:
  State& state_;
};

class Server {
 public:
  Server(CORBA::ORB_ptr orb, const char* name, const char* log) : orb_(orb), state_(name, log) {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root_ = POA::_narrow(object.in());
    const AdapterActivator_var activator = new OnDemand(state_);
    root_->the_activator(activator.in());
    passing_ = make(root_.in(), "passing", TRANSIENT, USE_ACTIVE_OBJECT_MAP_ONLY, RETAIN);
    const POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }

  void act(const std::string& line) {
    std::istringstream words(line);
    std::string verb, first, second, third;
    words >> verb >> first >> second >> third;
    if (verb == "reference") {
      const CORBA::Object_var object = reference(first, second);
      const CORBA::String_var text = orb_->object_to_string(object.in());
      return interop::print(text.in());
    }
    if (verb == "forward") {
      const CORBA::Object_var to = orb_->string_to_object(second.c_str());
      state_.forward(first, to.in(), third == "for_good");
    } else if (verb == "settle") {
      state_.settle(first);
    } else if (verb == "name") {
      const CORBA::Object_var to = orb_->string_to_object(second.c_str());
      orb_->register_initial_reference(first.c_str(), to.in());
    } else if (verb == "wake") {
      state_.wake();
    } else {
      return interop::print("what is " + verb + "?");
    }
    interop::print("ok");
  }

 private:
  CORBA::Object_ptr reference(const std::string& adapter, const std::string& text) {
    const ObjectId_var id = string_to_ObjectId(text.c_str());
    if (adapter == "passing") {
      const ServantBase_var servant = new ThingServant(state_, text);
      passing_->activate_object_with_id(id.in(), servant.in());
      return passing_->id_to_reference(id.in());
    }
    POA_var poa = POA::_duplicate(root_.in());
    std::istringstream names(adapter);
    for (std::string name; std::getline(names, name, '/');) poa = poa->find_POA(name.c_str(), true);
    return poa->create_reference_with_id(id.in(), "IDL:Whereabouts/Thing:1.0");
  }

  CORBA::ORB_ptr orb_;
  State state_;
  POA_var root_, passing_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    Server server(orb.in(), argv[1], argv[2]);
    interop::print("ready");
    for (std::string line; std::getline(std::cin, line);) server.act(line);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    interop::print(std::string("server: ") + e._name());
  }
  return 1;
}
