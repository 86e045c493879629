// SPDX-License-Identifier: Apache-2.0
// Connection: the GIOP protocol of one connection (CORBA 3.3 part 2, 9.4 and 9.5). No I/O, no clock, no
// threads: bytes in, events out. One thread at a time.
//
// The caller owns the receive buffer and gives the engine what it has not consumed yet:
//
//   Buffer in;
//   std::size_t from = 0;                              // consumed bytes at the front of in
//   for (;;) {
//     Event ev = connection.receive(in.view(from));
//     from += ev.consumed;                             // the message's bytes stay where they are
//     switch (ev.kind) {
//       case EventKind::Message:   use(ev.message); break;       // views into in, or into the connection
//       case EventKind::NeedBytes: in.drop_front(from), from = 0;
//                                  in.reserve(connection.wanted_bytes()); read more at in.size(); break;
//       case EventKind::PeerClosing: ... ends: see EventKind
//       ...
//     }
//   }
//
// A message that is whole in the buffer is not copied. Fragments are copied once, as they come; the
// message made of them belongs to the connection until the next receive(), or to whom take_reassembled()
// gives it.
//
// States:  Open ──begin_drain()──→ Draining ──finish_drain()──→ Closed
//          Open or Draining ── CloseConnection, MessageError, a fault, refuse(), lost() ──→ Closed
// Closed is final. Whatever ends the connection, pending requests end with end_fault():
// ConnectionClosed means that the peer will not process them and they may be sent again (9.5.1.1);
// every other fault leaves that open.
#pragma once
#include <callis/giop/reassembly.h>
#include <vector>

namespace callis::giop {

// Client: opened the connection; sends requests. Server: accepted it. Connection::go_bidirectional() lets both send
// requests.
enum class Role : std::uint8_t { Client, Server };
enum class State : std::uint8_t { Open, Draining, Closed };

enum class EventKind : std::uint8_t {
  NeedBytes,      // nothing whole; see wanted_bytes()
  Message,        // message: Request, LocateRequest, CancelRequest (server), Reply, LocateReply (client); all of them
                  // on a bidirectional connection
  PeerClosing,    // CloseConnection came: close the transport
  PeerError,      // MessageError came: close the transport
  ProtocolError,  // the peer broke the protocol: send to_send, then close the transport; fault says why
  Closed,         // receive() after the end; nothing is consumed
};

struct Event {
  EventKind kind = EventKind::NeedBytes;
  std::size_t consumed = 0;  // bytes of the view that will not be wanted again, the message's own included
  Message message;           // Message; for PeerError the header
  Fault fault = Fault::None;
  ByteView to_send;  // ProtocolError: valid as long as the connection
};

class Connection final {
 public:
  // limits must outlive the connection.
  Connection(Role role, const Limits& limits) : limits_(&limits), role_(role) {}
  Connection(Connection&&) = default;

  Role role() const { return role_; }
  // Bidirectional GIOP is in use (9.8): from now on the peer may also send, in GIOP 1.2, what only the other role
  // may. It has request ids of its own, which are even where it opened the connection and odd where it accepted it.
  void go_bidirectional() { bidirectional_ = true; }
  bool bidirectional() const { return bidirectional_; }
  State state() const { return state_; }
  // Why it is closed; None before.
  Fault end_fault() const { return end_fault_; }

  // Takes in the bytes that came and are not consumed; yields one event. Calling it again with the same
  // bytes after NeedBytes is harmless. A message split in any way yields the same events.
  Event receive(ByteView bytes);
  // After NeedBytes: how many unconsumed bytes there should be room for before reading on. More may be
  // read. Grows with what has come: at most max(Limits::initial_message_bytes, twice the bytes there), so a
  // header alone never makes anybody commit a large buffer.
  std::size_t wanted_bytes() const { return wanted_bytes_; }
  // After NeedBytes: of the message begun, header included, as far as is known. From the peer: to read no more than
  // that, not to make room for.
  std::size_t message_bytes() const { return message_bytes_; }
  // True in the middle of a message or of a reassembly: the time for completing a message runs.
  bool in_message() const { return in_message_ || !reassemblies_.empty(); }

  // Open, and nothing begun: what comes next is the beginning of a message, if the caller has kept no bytes.
  bool between_messages() const { return state_ == State::Open && reassemblies_.empty(); }

  // Takes over the reassembled message last yielded by receive(), for use by another thread; its views stay
  // valid. Only when Message::reassembled, and before the next receive().
  Reassembly take_reassembled() { return std::move(done_.front()); }

  // The caller found a message malformed (its header could not be decoded): Closed; returns the
  // MessageError to send before closing the transport (9.4.8).
  ByteView refuse(Version v, Fault why);

  // Open to Draining. A server, and a bidirectional connection, drop the requests that come from now on; the
  // CloseConnection that follows tells the peer that they were not processed. The caller of a client, and of a
  // bidirectional connection, sends no more requests.
  void begin_drain();
  // Requests delivered by receive() and not yet answered, kept by the caller; a server may close only at 0
  // (9.4.7).
  void started() { ++in_progress_; }
  void answered() { if (in_progress_ != 0) --in_progress_; }
  std::uint32_t in_progress() const { return in_progress_; }
  // Draining to Closed: the CloseConnection to send, in the version of the last message that came, or 1.0.
  // Empty, and nothing changes, when not draining or while requests are in progress. Empty with the state
  // Closed for a client that got nothing newer than 1.1: it may not send CloseConnection and just closes.
  ByteView finish_drain();
  // What Fault::LimitExceeded was about. bytes: of the message, and of all that had come in fragments; fragments: how
  // many a message may have, where it had more.
  struct Excess {
    std::uint64_t bytes = 0;
    std::size_t fragments = 0;
    bool in_pieces = false;
  };
  const Excess& excess() const { return excess_; }
  // The transport ended (end of stream, reset).
  void lost(Fault why = Fault::ConnectionLost);

  // Counts since the beginning.
  struct Counts {
    std::uint64_t messages = 0;             // yielded
    std::uint64_t fragments = 0;            // Fragment messages taken in
    std::uint64_t ignored_fragments = 0;    // of requests cancelled before
    std::uint64_t cancelled_in_pieces = 0;  // reassemblies ended by CancelRequest
    std::uint64_t dropped_requests = 0;     // while draining
    std::uint64_t header_words_read = 0;    // of requests in pieces, for the sake of a CancelRequest
  };
  const Counts& counts() const { return counts_; }
  std::size_t reassemblies() const { return reassemblies_.size(); }
  std::size_t reassembly_bytes() const { return reassembly_bytes_; }
  // The caller has read nothing for so long: that is no time of messages in fragments, for oldest_reassembly().
  void stood_still(TimePoint::duration time);
  // When the oldest of the messages began whose last fragment has not come; the far future where there are none. now:
  // for those that have begun since this was asked last. Whole messages in between make no difference to it.
  TimePoint oldest_reassembly(TimePoint now);

 private:
  static constexpr std::size_t kRemembered = 16;

  Fault judge(const MessageHeader& h) const;
  bool takes(Role role, const MessageHeader& h) const {
    return role_ == role || (bidirectional_ && h.version >= kGiop12);
  }
  void need(std::size_t have, std::size_t message_bytes);
  void fail(Fault why, const MessageHeader& h, Event& ev);
  Fault take(const MessageHeader& h, ByteView body, Event& ev);
  Fault start(const MessageHeader& h, ByteView body);
  Fault resume(const MessageHeader& h, ByteView body, Event& ev);
  void cancel(const MessageHeader& h, ByteView body, Event& ev);
  Fault append(Reassembly& r, ByteView data);
  void deliver(const Message& m, Event& ev);
  std::size_t find(Version v, std::uint32_t request_id) const;
  std::size_t find_cancelled(std::uint32_t request_id);
  void remove(std::size_t at);
  bool ignores(const MessageHeader& h, std::uint32_t request_id);
  void remember_cancelled(Version v, std::uint32_t request_id);
  bool forget_cancelled(std::uint32_t request_id);
  void close(Fault why);

  const Limits* limits_;
  Role role_;
  bool bidirectional_ = false;
  State state_ = State::Open;
  Fault end_fault_ = Fault::None;
  Version peer_version_ = kGiop10;  // of the last message that came
  bool in_message_ = false;
  bool ignore_11_ = false;  // fragments of a cancelled GIOP 1.1 request may still come
  std::uint32_t in_progress_ = 0;
  std::size_t wanted_bytes_ = kHeaderBytes;
  std::size_t message_bytes_ = kHeaderBytes;
  std::vector<Reassembly> reassemblies_;
  std::vector<Reassembly> done_;  // at most one: the message last yielded
  std::size_t reassembly_bytes_ = 0;
  std::array<std::uint32_t, kRemembered> cancelled_{};  // ids whose fragments may still come
  std::uint32_t cancelled_count_ = 0;
  std::array<Byte, kHeaderBytes> farewell_{};
  Counts counts_;
  Excess excess_;
};

}  // namespace callis::giop
