// SPDX-License-Identifier: Apache-2.0
// ConnectionDriver: serves a server's connection: receives, has the session take its steps, sends what they leave.
//
//   drive(): must_close()? ──→ receive(), if bytes are wanted ──→ Session::step() ──→ send() ──→ go_on()? ──┐
//               ↑                                                                                           │
//               └───────────────────────────────────────────────────────────────────────────────────────────┘
//
// Self, the class that derives from this, decides how a thread waits and who has the connection afterwards. It has:
//
//   bool must_close()          the server stops: the connection is to end in good order
//   void close_in_order()      ends it so
//   bool receive(bool idle)    more bytes to in_; idle: a message begins. False when there are none: the connection
//                              is over, or somebody else's
//   bool send(output)          false when the connection is over
//   bool go_on(step_result)    after its output has been sent; false: the connection is somebody else's
//   void let_go(output)        the session has let go of the connection; with the reply, or nothing
//   void leave()               the connection is for the pool
//   void farewell()            the last word has been sent
//   void lost()                sending has failed
//
//   ConnectionLoop (connection_loop.cpp)   waits in its receives; one connection, one thread
//   PoolWorker (pool_worker.h)             never waits: gives the connection back to the poller
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/clock.h>
#include <callis/base/limits.h>
#include <callis/orb/server/session.h>

namespace callis::orb {

template <class Self>
class ConnectionDriver {
 protected:
  static constexpr std::size_t kLargeMessage = 16u << 10;  // is read alone: what follows it would have to be moved

  // who: the arguments of one of Session's constructors, behind the ORB.
  template <class... Who>
  ConnectionDriver(OrbContext& orb, Who&&... who) : session_(orb, who...) {}
  ~ConnectionDriver() = default;

  // Returns when the connection is over or somebody else's. in_: what has come already; idle: the session has begun
  // no message.
  [[gnu::hot]] void drive(bool idle) {
    bool wanted = in_.empty();
    for (;;) {
      if (self().must_close()) [[unlikely]] return self().close_in_order();
      if (wanted && !self().receive(idle)) return;
      const Session::StepResult did = step();
      idle = did.idle;
      if (did.next != Session::Next::Send) [[unlikely]] {
        wanted = did.next == Session::Next::NeedBytes;
        if (wanted) continue;
        return end(did);
      }
      if (did.views != 0 && !self().send(did.output())) [[unlikely]] return self().lost();
      if (!self().go_on(did)) return;
      wanted = consumed_ == in_.size() && !did.postponed;
    }
  }

  void drop_consumed() {
    in_.drop_front(consumed_);
    consumed_ = 0;
  }
  // The bytes of the message at the front of in_ where the rest of it is to be received and nothing behind it; 0:
  // receive what comes.
  std::size_t large_message() const {
    const std::size_t bytes = session_.message_bytes();
    return bytes >= kLargeMessage && bytes > in_.size() ? bytes : 0;
  }
  // When what has come in part has to be whole. began: the message at the front of in_. Only where
  // limits.message_timeout is set.
  TimePoint whole_by(const Limits& limits, TimePoint began, TimePoint now) {
    const auto mib = static_cast<long>((in_.size() + session_.incomplete_bytes()) >> 20);
    return session_.incomplete_since(began, now) + limits.message_timeout + limits.message_timeout_per_mib * mib;
  }

  Session session_;
  Buffer in_{Buffer::kForPeer}, out_{Buffer::kForPeer};
  std::size_t consumed_ = 0;  // of in_

 private:
  Self& self() { return static_cast<Self&>(*this); }

  // The connection is over, or for somebody else.
  void end(const Session::StepResult& did) {
    if (did.next == Session::Next::LetGo) return self().let_go(did.output());
    if (did.next == Session::Next::Leave) return self().leave();
    if (did.views != 0) (void)self().send(did.output());
    self().farewell();
  }

  Session::StepResult step() {
    ByteView unread = in_.view(consumed_);
    const Session::StepResult did = session_.step(unread, out_);
    consumed_ = in_.size() - unread.size();
    return did;
  }
};

}  // namespace callis::orb
