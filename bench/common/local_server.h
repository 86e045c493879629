// SPDX-License-Identifier: Apache-2.0
// The servants of the measurements in an ORB of their own: in a server's process, or in a client's, at the other end
// of the memory transport.
#pragma once
#include "../peers/common/program.h"
#include "orb.h"
#include "servants.h"
#include <stdexcept>
#include <string>

namespace bench {

// The references of a server, as text.
struct References {
  std::string param, ttcp;
};

class LocalServer {
 public:
  // The servant becomes its own.
  LocalServer(CORBA::ORB_ptr orb, Param* param) : orb_(CORBA::ORB::_duplicate(orb)) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    references_.param = activate(poa, param_, param);
    references_.ttcp = activate(poa, ttcp_, new Ttcp);
  }

  const References& references() const { return references_; }

 private:
  std::string activate(PortableServer::POA_ptr poa, PortableServer::ServantBase_var& owner,
                       PortableServer::Servant servant) {
    owner = servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id);
    return CORBA::String_var(orb_->object_to_string(object)).in();
  }

  CORBA::ORB_var orb_;
  PortableServer::ServantBase_var param_, ttcp_;
  References references_;
};

// A server at memory:bench, in this process.
inline References serve_in_memory() {
#ifdef BENCH_OMNIORB
  throw std::runtime_error("there is no memory transport");
#else
  char program[] = "server", option[] = "-ORBEndpoint", endpoint[] = "memory:bench";
  char* argv[] = {program, option, endpoint, nullptr};
  int argc = 3;
  static CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "server");
  static LocalServer server(orb, new Param);
  return server.references();
#endif
}

// Of the server that left its references in a file; with --reference memory, of one in this process.
inline References find_server(const Options& o) {
  if (o.reference == "memory") return serve_in_memory();
  const std::vector<std::string> lines = read_reference(o);
  expect(lines.size() == 2, "number of references in " + o.reference);
  return {lines[0], lines[1]};
}

}  // namespace bench
