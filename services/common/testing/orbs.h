// SPDX-License-Identifier: Apache-2.0
// ORBs of tests; a server's and a client's in one process.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <atomic>
#include <string>
#include <vector>

namespace callis::services::testing {

// words: of its command line. id: there is no other ORB of that id in the process.
inline CORBA::ORB_var new_orb(std::vector<std::string> words, const std::string& id) {
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), id.c_str());
}

inline PortableServer::POA_var root_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  return PortableServer::POA::_narrow(object.in());
}

// The ORBs speak over sockets. The test destroys them.
struct TwoOrbs {
  // service: a part of their ids. port: of the server, which serves nobody before activate().
  explicit TwoOrbs(const std::string& service, const std::string& port = "0") {
    static std::atomic<int> count;
    const std::string id = service + "-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + port}, id + "-server");
    client = new_orb({}, id + "-client");
    root = root_of(orb.in());
  }
  void activate() { PortableServer::POAManager_var(root->the_POAManager())->activate(); }
  // The client's reference to an object of the server.
  CORBA::Object_var at(CORBA::Object_ptr object) {
    return client->string_to_object(CORBA::String_var(orb->object_to_string(object)).in());
  }
  std::string text_of(CORBA::Object_ptr object) { return CORBA::String_var(client->object_to_string(object)).in(); }

  CORBA::ORB_var orb, client;
  PortableServer::POA_var root;
};

}  // namespace callis::services::testing
