// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/priorities/native_scope.h>
#include <callis/rt/priorities/priorities.h>
#include <pthread.h>

namespace callis::rt {

bool NativeScope::enter(int native) noexcept {
  if (::pthread_getschedparam(::pthread_self(), &policy_, &param_) != 0) return false;
  return set_native(native) == 0;
}

void NativeScope::leave() noexcept {
  (void)::pthread_setschedparam(::pthread_self(), policy_, &param_);
  forget_native();
}

}  // namespace callis::rt
