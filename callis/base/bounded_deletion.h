// SPDX-License-Identifier: Apache-2.0
// BoundedDeletion: ends objects each of which lets go of others when it ends, without a level of the stack for each.
// A peer, and the application too, can make a chain of any length of them.
//
// A chain is ended by one thread: the first objects within each other, up to kMaxNested of them, as if they were
// deleted; those that come deeper wait until the outermost of them is gone. All have ended when the outermost end()
// returns.
#pragma once

namespace callis {

class BoundedDeletion {
 public:
  static constexpr unsigned kMaxNested = 8;
  using End = void (*)(void* object);
  // Calls end(object), now or before the outermost call on this thread returns.
  static void end(void* object, End end) noexcept;
};

}  // namespace callis
