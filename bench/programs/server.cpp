// SPDX-License-Identifier: Apache-2.0
// The server of the measurements: the servants of Param_Test and ttcp_throughput. Writes their references to
// --ior-file, prints "ready" and runs until it is killed.
#include "../common/orb.h"
#include "../common/servants.h"

namespace {

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  auto* param = new bench::Param;
  auto* ttcp = new bench::Ttcp;
  PortableServer::ServantBase_var owner1 = param, owner2 = ttcp;
  Param_Test_var param_ref = param->_this();
  ttcp_throughput_var ttcp_ref = ttcp->_this();
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  CORBA::String_var param_ior = orb->object_to_string(param_ref), ttcp_ior = orb->object_to_string(ttcp_ref);
  std::ofstream file(bench::option(argc, argv, "ior-file", "server.ior"));
  file << param_ior.in() << '\n' << ttcp_ior.in() << '\n';
  file.close();
  std::cout << "ready" << std::endl;
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded([&] { return serve(argc, argv); });
}
