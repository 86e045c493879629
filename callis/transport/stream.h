// SPDX-License-Identifier: Apache-2.0
// Stream and Listener: what a transport offers to the ORB.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <callis/base/result.h>
#include <callis/transport/peer.h>
#include <memory>
#include <span>
#include <string>

namespace callis::transport {

// The outcome of moving bytes. A plain value: the path of a call makes no strings.
struct Transfer {
  std::size_t bytes;   // sent or received, also when there is a fault
  Fault fault;         // ConnectionLost (reset or end of stream), DeadlinePassed, TransportFailed
  bool waited = false; // send(): for the peer, so that time may have passed
  int os_error;        // errno where the operating system said why; 0 at the end of the stream

  Transfer(std::size_t n = 0, Fault f = Fault::None, int e = 0) : bytes(n), fault(f), os_error(e) {}
  bool ok() const { return fault == Fault::None; }
};
static_assert(sizeof(void*) != 8 || sizeof(Transfer) == 16);  // it travels in registers

// One connection: an ordered stream of bytes in each direction.
//
// At most one thread sends and at most one receives at a time; they may be different threads. shutdown()
// may be called by any thread while others are inside send() or receive(), which then fail with
// ConnectionLost. The destructor closes the connection; nobody may be inside another member then.
// After a fault other than DeadlinePassed in receive() the stream is of no further use.
class Stream {
 public:
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Sends all bytes of all parts, in order, with as few system calls as the transport allows. On a fault,
  // Transfer::bytes says how many were handed over: 0 means that the peer has seen nothing. A deadline that has
  // passed: what can be sent of one part without waiting.
  virtual Transfer send(std::span<const ByteView> parts, Deadline deadline) = 0;
  Transfer send(ByteView bytes, Deadline deadline) { return send(std::span<const ByteView>(&bytes, 1), deadline); }

  // Waits for at least one byte and takes what is there, up to the size of into (not empty). now: the time, not
  // to be ahead; the wait may end later than the deadline by as much as it is behind.
  virtual Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) = 0;
  Transfer receive(MutableBytes into, Deadline deadline) { return receive(into, deadline, Clock::steady().now()); }

  // The same with a time from now on, 0 for as long as it takes; the clock is not read unless there is waiting to
  // be done. A wait that a signal interrupts may begin anew.
  virtual Transfer send_within(std::span<const ByteView> parts, Duration limit) {
    return send(parts, Deadline::in(limit));
  }
  virtual Transfer receive_within(MutableBytes into, Duration limit) { return receive(into, Deadline::in(limit)); }

  // For threads that wait for many streams at once (reactor/poller.h): the descriptor to watch; -1 where there is
  // none. It stays the stream's own.
  virtual int descriptor() const { return -1; }
  // The same without waiting: what goes at once. DeadlinePassed when not all could be sent, or nothing was there.
  virtual Transfer send_now(std::span<const ByteView> parts) { return send(parts, Deadline::at(TimePoint{})); }
  virtual Transfer receive_now(MutableBytes into) { return receive(into, Deadline::at(TimePoint{})); }

  // Whether the stream holds bytes that a receive would give at once though nothing shows at the descriptor: what was
  // decrypted along with bytes that have been taken, say. Who waits for the descriptor asks this first. By the
  // receiving thread.
  virtual bool pending() const { return false; }

  // How long at most a receive may keep its CPU busy before it waits in earnest, when that has been worth while
  // before; 0, as at first: not at all. Where there is no waiting it means nothing.
  virtual void set_spin(std::chrono::microseconds) {}

  // Whether sending several parts costs less than putting them together.
  virtual bool gathers() const { return true; }

  // True when the peer has neither sent anything that waits to be received nor closed the stream. Does
  // not wait.
  virtual bool quiet() = 0;

  // Tells the peer that no more bytes will come; receiving goes on.
  virtual void finish_sending() noexcept = 0;
  // Wakes receive(), which then fails once what has come is used up; sending goes on. Any thread.
  virtual void stop_receiving() noexcept = 0;
  // Ends both directions. Over TCP the peer finds the connection reset once this is destroyed: what has not been sent
  // is given up, and a peer that waits to send is told.
  virtual void shutdown() noexcept = 0;

  // The peer for people ("10.1.2.3:4711"), and who it is.
  virtual const std::string& peer() const = 0;
  virtual const Peer& peer_identity() const = 0;

 protected:
  Stream() = default;
};

// Accepts connections. One thread accepts; any thread may close().
class Listener {
 public:
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Waits for a connection. Fault::ConnectionClosed after close(); other faults are passing: call again.
  // While file descriptors are used up, waiting callers are turned away and accept() sleeps for a while
  // between attempts instead of spinning.
  virtual Result<std::unique_ptr<Stream>> accept() = 0;
  // What those that are turned away are sent before their connection is closed; the bytes must outlive the
  // listener. Before accept().
  virtual void set_farewell(ByteView bytes) = 0;
  // Wakes accept(), turns away who waits to be accepted, and refuses connections from now on.
  virtual void close() noexcept = 0;
  // Whether connections come by accept(). Not in memory, where a connection is served by who opens it.
  virtual bool accepts() const { return true; }

 protected:
  Listener() = default;
};

}  // namespace callis::transport
