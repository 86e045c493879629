// SPDX-License-Identifier: Apache-2.0
// ReplySink: who is told that something has come for a call over a shared connection: a thread that sleeps until then
// (followers.h), or something that has no thread of its own (Lane::tell()).
#pragma once

namespace callis::orb {

class ReplySink {
 public:
  // Called once, when the lane's receive() has something to give without waiting: a message of the reply, or why none
  // will come. The thread that reads calls it, with the connection's lock held: must not wait, nor call the
  // connection.
  virtual void came() noexcept = 0;

 protected:
  ~ReplySink() = default;
};

}  // namespace callis::orb
