// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder ask for: each includes one public header and no generated code, has no servant
// and no stub, and must find whatever that header promises, however it is linked (linking.py, CMakeLists.txt). Two
// include generated skeletons instead, and no header of callis's adapters.
#pragma once
#include <callis/orb/base/object.h>
#include <callis/orb/base/orb.h>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace promises {

// An ORB with options that want features.
inline CORBA::ORB_ptr init() {
  std::vector<std::string> words = {"program",       "-ORBServerThreads", "pool",  "-ORBClientConnections", "shared",
                                    "-ORBCollocation", "direct",          "-ORBFragmentSize", "4096",
                                    "-ORBNativeCharCodeSet", "UTF-8",     "-ORBInitRef",
                                    "Clock=corbaloc::host.example:1/Clock", "-ORBForwardTo", "any"};
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data());
}

inline void resolves(CORBA::ORB_ptr orb, const char* name) {
  const CORBA::Object_var found = orb->resolve_initial_references(name);
  if (CORBA::is_nil(found.in())) throw std::string(name) + " is nil";
}

// What every program has: text, initial references, features of the core.
inline void has_all_of_the_core(CORBA::ORB_ptr orb) {
  resolves(orb, "Clock");
  resolves(orb, "ORBPolicyManager");
  resolves(orb, "PolicyCurrent");
  const CORBA::Object_var here = orb->string_to_object("corbaloc::host.example:1/k");
  const CORBA::Object_var there = orb->string_to_object("corbaloc:uiop:/tmp/x|k");
  orb->register_initial_reference("Mine", here.in());
  const CORBA::ORB::ObjectIdList_var all = orb->list_initial_services();
  if (all->length() < 4) throw std::string("list_initial_services() knows too little");
}

template <class F>
int run(F f) {
  try {
    const CORBA::ORB_var orb = init();
    has_all_of_the_core(orb.in());
    f(orb.in());
    orb->destroy();
    std::puts("OK");
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cout << e << std::endl;
  } catch (const std::string& text) {
    std::cout << text << std::endl;
  }
  return 1;
}

}  // namespace promises
