// SPDX-License-Identifier: Apache-2.0
// server SUITE --reference FILE: the servants of Param_Test and ttcp_throughput, whatever the suite. Leaves their
// references in FILE, prints "ready" and runs until it is killed.
#include "../common/local_server.h"
#include "../common/options.h"

namespace {

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::LocalServer server(orb);
  server.references().write(bench::option(argc, argv, "reference", "server.ior"));
  std::cout << "ready" << std::endl;
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded([&] { return serve(argc, argv); });
}
