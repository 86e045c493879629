// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/adapter/turn.h>

namespace callis::poa {

void Turn::take() {
  if (mutex_.try_lock()) return;
  const BlockingScope turn(BlockingScope::Wait::Turn);
  mutex_.lock();
}

}  // namespace callis::poa
