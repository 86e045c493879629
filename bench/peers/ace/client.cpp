// SPDX-License-Identifier: Apache-2.0
// ACE's C++ wrappers: the client of param_test and ttcp. What is sent is what raw sends (../common/plain.h).
#include "connection.h"
#include <ace/SOCK_Connector.h>

namespace {

using namespace bench;

void run(const Options& o) {
  const ACE_INET_Addr address(static_cast<u_short>(std::stoi(read_reference(o)[0])), host());
  Connection c;
  expect(ACE_SOCK_Connector().connect(c.stream, address) == 0, "connect");
  c.no_delay();
  if (o.suite == "param_test") plain::call_operations(o, c);
  else if (o.suite == "ttcp") plain::send_floods(o, c);
  else no_such_suite(o);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
