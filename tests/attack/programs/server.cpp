// SPDX-License-Identifier: Apache-2.0
// The server under attack.
//
//     attack_server [-ORB...]
//
// Prints "victim IOR:...", "floor PORT" of the ping-pong, and "ready". Serves until its standard input ends. Has more
// objects, which it tells nobody of. The server with lanes also prints "low IOR:...", "propagated IOR:..." and
// "buffered IOR:...".
#ifdef ATTACK_MICRO
#include <callis/micro/loop.h>
#include <poll.h>
#else
#include <callis/messaging.h>  // -ORBBidirectional
#endif
#include <unistd.h>
#include <iostream>
#include <thread>
#include "adapters.h"
#include "floor.h"
#include "victim.h"

namespace {

constexpr int kUntold = 15;  // objects; themes/text.py knows how many

void print(CORBA::ORB_ptr orb, const char* name, CORBA::Object_ptr object) {
  const CORBA::String_var reference = orb->object_to_string(object);
  std::cout << name << ' ' << reference.in() << '\n';
}

void serve(CORBA::ORB_ptr orb) {
  attack::register_factories(orb);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const attack::Objects objects = attack::make_objects(orb, poa.in(), kUntold);
  print(orb, "victim", objects.victim.in());
  if (!CORBA::is_nil(objects.low.in())) print(orb, "low", objects.low.in());
  if (!CORBA::is_nil(objects.propagated.in())) print(orb, "propagated", objects.propagated.in());
  if (!CORBA::is_nil(objects.buffered.in())) print(orb, "buffered", objects.buffered.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  std::cout << "floor " << attack::start_pong() << "\nready" << std::endl;

#ifdef ATTACK_MICRO  // which has one thread
  struct Input final : callis::micro::Source {
    explicit Input(CORBA::ORB_ptr o) : orb(o) {
      fd = 0;
      wanted = POLLIN;
    }
    void ready() noexcept override {
      char byte;
      if (::read(0, &byte, 1) <= 0) orb->shutdown(false);
    }
    void late() noexcept override {}
    const CORBA::ORB_ptr orb;
  } input(orb);
  callis::micro::Loop::instance().add(input);
  orb->run();
  callis::micro::Loop::instance().remove(input);
#else
  std::thread stopper([orb] {
    char byte;
    while (::read(0, &byte, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  stopper.join();
#endif
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
