// SPDX-License-Identifier: Apache-2.0
// Serves a Worker: keeps a log, which takes no empty lines, and works as long as the client says.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>
#include "worker_skel.h"

class WorkerServant : public POA_Worker {
  void log(const char* line) override {
    if (*line == '\0') throw CORBA::BAD_PARAM(1, CORBA::COMPLETED_NO);
    ++lines_;
  }
  CORBA::ULong lines() override { return lines_; }
  void work(CORBA::ULong milliseconds) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

  std::atomic<CORBA::ULong> lines_{0};
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

    PortableServer::ServantBase_var servant = new WorkerServant;
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
    std::cerr << "deadlines_server: " << e.what() << '\n';
    return 1;
  }
}
