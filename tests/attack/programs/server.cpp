// SPDX-License-Identifier: Apache-2.0
// The server under attack.
//
//     attack_server [-ORB...]
//
// Prints "victim IOR:...", "floor PORT" of the ping-pong, and "ready". Serves until its standard input ends. Has more
// objects, which it tells nobody of.
#include <callis/messaging.h>  // -ORBBidirectional
#include <unistd.h>
#include <iostream>
#include <thread>
#include "floor.h"
#include "victim.h"

namespace {

constexpr int kUntold = 15;  // objects; themes/text.py knows how many

CORBA::Object_ptr activate_one(PortableServer::POA_ptr poa) {
  const PortableServer::ServantBase_var servant = new attack::Victim;
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  return poa->id_to_reference(id.in());
}

void serve(CORBA::ORB_ptr orb) {
  attack::register_factories(orb);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  object = activate_one(poa.in());
  for (int i = 0; i < kUntold; ++i) CORBA::Object_var untold = activate_one(poa.in());
  const CORBA::String_var reference = orb->object_to_string(object.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  std::cout << "victim " << reference.in() << "\nfloor " << attack::start_pong() << "\nready" << std::endl;

  std::thread stopper([orb] {
    char byte;
    while (::read(0, &byte, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  stopper.join();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    serve(orb.in());
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cerr << "attack_server: " << e.what() << '\n';
    return 1;
  }
}
