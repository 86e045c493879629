// SPDX-License-Identifier: Apache-2.0
// Serves a Planner, to which whole trips are sent.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <thread>
#include "stop.h"
#include "trip_skel.h"

class PlannerServant : public POA_Trip::Planner {
  Trip::Stop* reversed(Trip::Stop* first) override {
    Trip::Stop_var result;
    for (Trip::Stop* stop = first; stop != nullptr; stop = stop->next()) {
      result = new StopValue(stop->name(), result);
    }
    return result._retn();
  }
  // Values arrive as they were sent, also in a circle. Values are counted: a circle is freed once it is open.
  CORBA::Boolean is_round(Trip::Stop* first) override {
    Trip::Stop* stop = first;
    while (stop != nullptr && stop->next() != first) stop = stop->next();
    if (stop == nullptr) return false;
    stop->next(nullptr);
    return true;
  }
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    register_stops(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new PlannerServant;
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
    std::cerr << "valuetypes_server: " << e.what() << '\n';
    return 1;
  }
}
