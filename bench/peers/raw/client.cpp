// SPDX-License-Identifier: Apache-2.0
// C sockets: the client of param_test, ttcp and scale.
#include "../common/clients.h"
#include "connection.h"

namespace {

using namespace bench;

// test_short's bytes; the connection lives as long as the process.
auto connect_caller(const Options& o) {
  return [fd = tcp::connect_to(o)](std::uint64_t n) {
    const std::int16_t in[2] = {element<std::int16_t>(n), 9};
    std::int16_t out[3];
    expect(tcp::write_all(fd, in, sizeof in) && tcp::read_all(fd, out, sizeof out), "connection");
    expect(out[0] == in[0] && out[1] == in[0] && out[2] == in[0], "test_short");
  };
}

void run(const Options& o) {
  if (o.suite == "scale") return scale(o, [&] { return connect_caller(o); });
  Connection c(tcp::connect_to(o));
  if (o.suite == "param_test")
    plain::call_operations(o, c);
  else if (o.suite == "ttcp")
    plain::send_floods(o, c);
  else
    no_such_suite(o);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
