// SPDX-License-Identifier: Apache-2.0
// Makes calls on demand (common/commands.h), by DII: each with a request of its own, whose result is extracted.
//
//   caller param_test --reference FILE     with --reference memory the server is in this process
#include "../common/commands.h"
#include "../common/dynamic_orb.h"
#include "../common/local_server.h"

namespace {

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::References server = bench::find_server(bench::parse(argc, argv));
  CORBA::Object_var param = orb->string_to_object(server.param.c_str());
  CORBA::Short sent = 0, result = 0;
  const auto call = [&] {
    CORBA::Any s1, s2;
    s1 <<= ++sent;
    s2 <<= CORBA::Short(0);
    const CORBA::Request_var request = bench::called(param, "test_short", s1, s2, CORBA::_tc_short);
    request->return_value() >>= result;
  };
  bench::obey_commands({bench::operation("test_short", call, [&](long) { return result == sent; })});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
