// SPDX-License-Identifier: Apache-2.0
// client REFERENCE CALLS [BYTES|p99]: prints the nanoseconds of one call, on average; of a call of so many bytes; or
// the 99th percentile.
#include "orb.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Shorts_var shorts = Shorts::_narrow(object.in());
  const long calls = std::atol(argv[2]);
  CORBA::Short b = 2, c = 0;
  const std::string what = argc > 3 ? argv[3] : "";
  for (long i = 0; i < 500; ++i) (void)shorts->test_short(1, b, c);
  using Clock = std::chrono::steady_clock;
  if (what == "p99") {
    std::vector<long> all;
    for (long i = 0; i < calls; ++i) {
      const auto at = Clock::now();
      (void)shorts->test_short(1, b, c);
      all.push_back(static_cast<long>(std::chrono::nanoseconds(Clock::now() - at).count()));
    }
    std::nth_element(all.begin(), all.begin() + calls * 99 / 100, all.end());
    std::printf("%ld\n", all[static_cast<std::size_t>(calls * 99 / 100)]);
    orb->destroy();
    return 0;
  }
  if (!what.empty()) {
    Shorts::Octets data;
    data.length(static_cast<CORBA::ULong>(std::atol(what.c_str())));
    std::memset(data.get_buffer(), 'q', data.length());
    for (long i = 0; i < 50; ++i) (void)shorts->put(data);
    const auto began = Clock::now();
    for (long i = 0; i < calls; ++i) (void)shorts->put(data);
    const std::chrono::nanoseconds took = Clock::now() - began;
    std::printf("%ld\n", static_cast<long>(took.count() / calls));
    orb->destroy();
    return 0;
  }
  const auto began = Clock::now();
  for (long i = 0; i < calls; ++i) (void)shorts->test_short(1, b, c);
  const std::chrono::nanoseconds took = Clock::now() - began;
  std::printf("%ld\n", static_cast<long>(took.count() / calls));
  orb->destroy();
  return 0;
} catch (const CORBA::SystemException& e) {
  std::fprintf(stderr, "%s\n", e._name());
  return 1;
}
