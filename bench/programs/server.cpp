// SPDX-License-Identifier: Apache-2.0
// server SUITE --reference FILE: the servants of Param_Test and ttcp_throughput, whatever the suite. Leaves their
// references in FILE, prints "ready" and runs until it is killed. With --corrupt Param_Test's results are wrong.
#include "../common/local_server.h"
#include "../common/wrong_servant.h"

namespace {

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options o = bench::parse(argc, argv);
  const bench::LocalServer server(orb,
                                  o.corrupt ? static_cast<bench::Param*>(new bench::WrongParam) : new bench::Param);
  bench::publish(o, {server.references().param, server.references().ttcp});
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return serve(argc, argv); });
}
