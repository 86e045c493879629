// SPDX-License-Identifier: Apache-2.0
// The BOA over a child adapter. impl_is_ready() must return when the ORB ends, and only ORB::run() tells of that end.
// So a thread of the BOA's calls ORB::run(). This thread also serves requests if the ORB has no other threads
// (-ORBServerThreads single).
#include <callis/base/log.h>

#include <omniORB4/boa.h>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace CORBA::inline callis_orb {

struct BOA::State {
  ORB_var orb;
  PortableServer::POA_var adapter;
  PortableServer::POAManager_var manager;
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool runs = false;      // a thread is in ORB::run()
  bool ended = false;     // the ORB, or the BOA
  std::uint64_t stops = 0;  // calls of impl_shutdown()

  void end() {
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }
};

namespace {

std::mutex boa_mutex;
BOA* the_boa = nullptr;  // guarded by boa_mutex, which has a count of it

[[noreturn]] void refuse(const char* why) {
  callis::log(callis::LogLevel::Error, why);
  throw INITIALIZE(0, COMPLETED_NO);
}

// Takes -BOA options out of argv. omniORB's -BOAid is the only one with a meaning.
void take_options(int& argc, char** argv) {
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    if (i == 0 || std::strncmp(argv[i], "-BOA", 4) != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    if (std::strcmp(argv[i], "-BOAid") == 0 && i + 1 < argc) {
      ++i;
      continue;
    }
    callis::log(callis::LogLevel::Warning, {argv[i], " is ignored: options of the ORB (-ORB...) say it here"});
  }
  if (argv && kept < argc) argv[kept] = nullptr;
  argc = kept;
}

}  // namespace

BOA::BOA(std::shared_ptr<State> state) : state_(std::move(state)) {}
BOA::~BOA() = default;

PortableServer::POA_ptr BOA::callis_adapter() const { return state_->adapter.in(); }

BOA_ptr ORB::BOA_init(int& argc, char** argv, const char* boa_id) {
  (void)boa_id;
  const std::lock_guard lock(boa_mutex);
  take_options(argc, argv);
  if (the_boa) {
    if (the_boa->state_->orb.in() != this) refuse("BOA_init: another ORB has the BOA, and a process has one");
    return BOA::_duplicate(the_boa);
  }
  const auto state = std::make_shared<BOA::State>();
  state->orb = ORB::_duplicate(this);
  const Object_var root = resolve_initial_references("RootPOA");
  const PortableServer::POA_var parent = PortableServer::POA::_narrow(root.in());
  PolicyList policies;
  policies.length(1);
  policies[0] = parent->create_implicit_activation_policy(PortableServer::IMPLICIT_ACTIVATION);
  state->adapter = parent->create_POA("BOA", PortableServer::POAManager::_nil(), policies);
  state->manager = state->adapter->the_POAManager();
  the_boa = new BOA(state);
  return BOA::_duplicate(the_boa);
}

BOA_ptr BOA::getBOA() {
  const std::lock_guard lock(boa_mutex);
  if (!the_boa) refuse("there is no BOA: call ORB::BOA_init() first");
  return _duplicate(the_boa);
}

void BOA::impl_is_ready(ImplementationDef_ptr, Boolean no_block) {
  State& s = *state_;
  s.manager->activate();
  if (no_block) return;
  std::unique_lock lock(s.mutex);
  if (!std::exchange(s.runs, true))
    std::thread([state = state_] {
      try {
        state->orb->run();
      } catch (const Exception&) {  // the ORB has been destroyed
      }
      state->end();
    }).detach();
  s.changed.wait(lock, [&s, before = s.stops] { return s.ended || s.stops != before; });
}

void BOA::impl_shutdown() {
  state_->manager->hold_requests(false);
  const std::lock_guard lock(state_->mutex);
  ++state_->stops;
  state_->changed.notify_all();
}

void BOA::destroy() {
  {
    const std::lock_guard lock(boa_mutex);
    if (the_boa != this) return;  // for the second time
    the_boa = nullptr;
  }
  const BOA_var last(this);
  state_->adapter->destroy(true, false);
  state_->end();
}

void BOA::obj_is_ready(callis::compat::BoaServant* servant, ImplementationDef_ptr) {
  try {
    const PortableServer::ObjectId_var id = state_->adapter->activate_object(servant);
  } catch (const PortableServer::POA::ServantAlreadyActive&) {
    return;
  }
  servant->_remove_ref();  // the caller's count: the adapter's is enough
}

void BOA::dispose(Object_ptr object) {
  try {
    const PortableServer::ObjectId_var id = state_->adapter->reference_to_id(object);
    state_->adapter->deactivate_object(id.in());
  } catch (const UserException&) {
    throw OBJECT_NOT_EXIST(0, COMPLETED_NO);
  }
}

}  // namespace CORBA::inline callis_orb

namespace callis::compat {

BoaServant::~BoaServant() = default;

void BoaServant::_dispose() {
  const CORBA::BOA_var boa = CORBA::BOA::getBOA();
  try {
    const PortableServer::ObjectId_var id = boa->callis_adapter()->servant_to_id(this);
    boa->callis_adapter()->deactivate_object(id.in());
  } catch (const CORBA::UserException&) {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO);
  }
}

PortableServer::POA_ptr BoaServant::_default_POA() {
  const CORBA::BOA_var boa = CORBA::BOA::getBOA();
  return PortableServer::POA::_duplicate(boa->callis_adapter());
}

}  // namespace callis::compat
