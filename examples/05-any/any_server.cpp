// SPDX-License-Identifier: Apache-2.0
// Serves a Store of values whose types it need not know: an any brings its TypeCode along.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include "settings_skel.h"

const char* type_of(const CORBA::Any& value) {
  CORBA::TypeCode_var type = value.type();
  switch (type->kind()) {
    case CORBA::tk_long: return "a long";
    case CORBA::tk_string: return "a string";
    case CORBA::tk_struct: return "a struct";
    default: return "something else";
  }
}

class StoreServant : public POA_Settings::Store {
  void put(const char* name, const CORBA::Any& value) override {
    std::cout << name << " is " << type_of(value) << std::endl;
    const std::lock_guard lock(mutex_);
    values_[name] = value;
  }
  CORBA::Any* get(const char* name) override {
    const std::lock_guard lock(mutex_);
    auto found = values_.find(name);
    if (found == values_.end()) throw Settings::NotSet();
    return new CORBA::Any(found->second);
  }

  std::mutex mutex_;
  std::map<std::string, CORBA::Any> values_;
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new StoreServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(object);
    std::cout << reference.in() << std::endl;

    std::jthread ender([&] {
      int number = 0;
      sigwait(&ends, &number);
      orb->shutdown(false);
    });
    orb->run();
    ender.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "any_server: " << e.what() << '\n';
    return 1;
  }
}
