// SPDX-License-Identifier: Apache-2.0
// A deadline for calls in one line. What of callis an application includes for it; it links callis::messaging.
//
//   using namespace std::chrono_literals;
//
//   auto quick = callis::deadline(account, 200ms);    // an Account_var; each call on it takes 200 ms at most
//   quick->balance();
//
//   callis::ThreadDeadline limit(200ms);              // each call of this thread, until the end of the block
//   account->balance();
//
// Both are the policy RelativeRoundtripTimeout (CORBA 3.0.3, 22.2.4.5), which callis/messaging.h has with all others:
// a call that takes longer is TIMEOUT, OMG minor 3. A reference's deadline goes before its thread's, that before the
// ORB's (docs/guide/deadlines.md).
//
// A limit is rounded up to units of 100 ns. A limit of 0 or less has passed already: calls are TIMEOUT, COMPLETED_NO,
// and nothing is sent. So what is left of some longer time can be given as it is.
#pragma once
#include <callis/corba.h>
#include <chrono>
#include <concepts>
#include <memory>

namespace callis {

namespace messaging {
// A reference to the same object whose calls have that deadline; the caller owns it.
CORBA::Object_ptr with_deadline(CORBA::Object_ptr object, std::chrono::nanoseconds limit);
}  // namespace messaging

// Another reference to the same object, over the same connections, whose calls take at most that long. It has the
// other policies of object, too; object itself is left alone. Any thread. INV_OBJREF for nil; NO_IMPLEMENT for a
// local object.
template <std::derived_from<CORBA::Object> X>
classic::ReferenceVar<X> deadline(X* object, std::chrono::nanoseconds limit) {
  const CORBA::Object_var limited = messaging::with_deadline(object, limit);
  return X::_unchecked_narrow(limited);
}
template <class X>
classic::ReferenceVar<X> deadline(const classic::ReferenceVar<X>& object, std::chrono::nanoseconds limit) {
  return deadline(object.in(), limit);
}
template <class X>
classic::ReferenceVar<X> deadline(const classic::ReferenceElement<X>& object, std::chrono::nanoseconds limit) {
  return deadline(object.in(), limit);
}

// As long as it lives, each call that its thread begins takes at most that long, with all ORBs of the process. The
// time runs for each call anew. The innermost of several counts, until it ends. The thread that made it destroys it.
//
// At its end the thread has the deadline that it had before. Other policies that have been set meanwhile stay, unless
// memory is exhausted just then. NO_MEMORY, when it cannot be made.
class ThreadDeadline final {
 public:
  explicit ThreadDeadline(std::chrono::nanoseconds limit);
  ThreadDeadline(const ThreadDeadline&) = delete;
  ThreadDeadline& operator=(const ThreadDeadline&) = delete;
  ~ThreadDeadline();

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace callis
