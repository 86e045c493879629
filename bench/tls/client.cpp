// SPDX-License-Identifier: Apache-2.0
// client REFERENCE CALLS: prints the nanoseconds of one call, on average.
#include "orb.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Shorts_var shorts = Shorts::_narrow(object.in());
  const long calls = std::atol(argv[2]);
  CORBA::Short b = 2, c = 0;
  for (long i = 0; i < 500; ++i) (void)shorts->test_short(1, b, c);
  const auto began = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) (void)shorts->test_short(1, b, c);
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  std::printf("%ld\n", static_cast<long>(took.count() / calls));
  orb->destroy();
  return 0;
} catch (const CORBA::SystemException& e) {
  std::fprintf(stderr, "%s\n", e._name());
  return 1;
}
