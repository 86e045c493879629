// SPDX-License-Identifier: Apache-2.0
// ReplySink: is told that something has come for a call over a shared connection. It is a thread that sleeps until
// then (followers.h), or an object without a thread of its own (Lane::tell()).
#pragma once

namespace callis::orb {

class ReplySink {
 public:
  // Called once, when the lane's receive() can return without waiting: with a message of the reply, or with the
  // reason why none will come. The reading thread calls it with the connection's lock held, so it must not wait, nor
  // call the connection.
  virtual void came() noexcept = 0;

 protected:
  ~ReplySink() = default;
};

}  // namespace callis::orb
