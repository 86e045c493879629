// SPDX-License-Identifier: Apache-2.0
// What the peers of event channels have in common: their lines, and their main function. After the ORB's headers.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

inline void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// peer KIND CHANNEL COUNT [ORB options]; run(KIND, the channel, the root adapter, COUNT).
template <class Channel, class Run>
int run_peer(int argc, char** argv, Run&& run) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[2]);
    const typename Channel::_var_type channel = Channel::_narrow(object.in());
    if (CORBA::is_nil(channel.in())) {
      say("no such channel");
      return 1;
    }
    object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    const PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    run(argv[1], channel.in(), poa.in(), std::atoi(argv[3]));
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    say(std::string("failed: ") + e._name());
    return 1;
  }
}
