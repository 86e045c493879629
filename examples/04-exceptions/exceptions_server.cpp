// SPDX-License-Identifier: Apache-2.0
// Serves a Shelf, which raises user exceptions and a system exception.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include "stock_skel.h"

class ShelfServant : public POA_Stock::Shelf {
  CORBA::ULong take(const char* item, CORBA::ULong count) override {
    if (count == 0) throw CORBA::BAD_PARAM(7, CORBA::COMPLETED_NO);  // minor codes below 4096 are the application's
    const std::lock_guard lock(mutex_);
    auto found = items_.find(item);
    if (found == items_.end()) throw Stock::UnknownItem(item);
    if (found->second < count) throw Stock::TooFew(count, found->second);
    return found->second -= count;
  }

  std::mutex mutex_;
  std::map<std::string, CORBA::ULong> items_{{"tea", 20}, {"bread", 3}};
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

    PortableServer::ServantBase_var servant = new ShelfServant;
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
    std::cerr << "exceptions_server: " << e.what() << '\n';
    return 1;
  }
}
