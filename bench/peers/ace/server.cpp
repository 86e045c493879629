// SPDX-License-Identifier: Apache-2.0
// ACE's C++ wrappers: the server of param_test and ttcp, one connection after the other.
#include "connection.h"
#include <ace/SOCK_Acceptor.h>

namespace {

using namespace bench;

void run(const Options& o) {
  if (o.suite != "param_test" && o.suite != "ttcp") no_such_suite(o);
  ACE_SOCK_Acceptor acceptor;
  ACE_INET_Addr address(u_short{0}, host());
  expect(acceptor.open(address) == 0 && acceptor.get_local_addr(address) == 0, "listen");
  publish(o, {std::to_string(address.get_port_number())});
  for (;;) {
    Connection c;
    if (acceptor.accept(c.stream) != 0) continue;
    c.no_delay();
    if (o.suite == "param_test") plain::serve_operations(o, c);
    else plain::receive_floods(c);
  }
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
