// SPDX-License-Identifier: Apache-2.0
// A good client that keeps calling while others misbehave: until its standard input ends.
#include "swap_values.h"
#include <algorithm>
#include <chrono>
#include <poll.h>

namespace interop {

namespace {

bool input_ended() {
  pollfd input{0, POLLIN, 0};
  return ::poll(&input, 1, 0) != 0;
}

}  // namespace

void check_steady(Session& session) {
  using Clock = std::chrono::steady_clock;
  const Param_Test_var p = session.reference<Param_Test>("param");
  unsigned long calls = 0;
  Clock::duration longest{};
  while (!input_ended()) {
    const Clock::time_point start = Clock::now();
    const Size n = Size(calls % 50);
    exchange_string(session, "test_unbounded_string", n,
                    [&](const char* a, CORBA::String_var& b, CORBA::String_var& c) {
                      return p->test_unbounded_string(a, b.inout(), c.out());
                    });
    longest = std::max(longest, Clock::now() - start);
    ++calls;
    if (calls == 1 || calls == 10) {
      std::puts(calls == 1 ? "calling" : "ten calls");
      std::fflush(stdout);
    }
  }
  std::printf("calls %lu longest %lld ms\n", calls,
              static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(longest).count()));
}

}  // namespace interop
