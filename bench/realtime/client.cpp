// SPDX-License-Identifier: Apache-2.0
// The client of the real-time measurements, for callis and omniORB: Param_Test's
// test_short. --reference: a file whose first line is the object that is called. BENCH_RT: with callis/rt, for
// --priority.
#include "pulse.h"
#include "../common/orb.h"
#ifdef BENCH_RT
#include <callis/rt.h>
#endif

namespace {

using namespace bench;

void set_priority(CORBA::ORB_ptr orb, int priority) {
#ifdef BENCH_RT
  if (priority < 0) return;
  CORBA::Object_var object = orb->resolve_initial_references("RTCurrent");
  RTCORBA::Current_var current = RTCORBA::Current::_narrow(object.in());
  current->the_priority(static_cast<RTCORBA::Priority>(priority));
#else
  (void)orb;
  expect(priority < 0, "this client has no priorities of CORBA");
#endif
}

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const realtime::Arguments a = realtime::parse(argc, argv);
  std::ifstream file(a.reference);
  std::string text;
  expect(static_cast<bool>(std::getline(file, text)), "reference in " + a.reference);
  CORBA::Object_var object = orb->string_to_object(text.c_str());
  Param_Test_var target = Param_Test::_narrow(object.in());
  realtime::run(a, [&] {
    set_priority(orb.in(), a.priority);
    return [p = target.in(), marked = !a.watch.empty()](std::uint64_t n) {
      const auto number = static_cast<CORBA::Short>(n & 0x7fff);
      const auto in = static_cast<CORBA::Short>(marked ? -1 - number : number);
      CORBA::Short in_out = 0, out = 0;
      const CORBA::Short result = p->test_short(in, in_out, out);
      expect(result == in && in_out == in && out == in, "test_short");
    };
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
