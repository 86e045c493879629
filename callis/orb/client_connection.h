// SPDX-License-Identifier: Apache-2.0
// ClientConnection: a stream to a server, with what GIOP keeps for it and the buffers that calls reuse. Used by
// the one thread that has it checked out.
#pragma once
#include <callis/giop/giop.h>
#include <callis/transport/stream.h>

namespace callis::orb {

class ClientConnection final {
 public:
  // limits must outlive the connection. first_id: of the first request.
  ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::uint32_t first_id = 1);

  const std::string& peer() const { return stream_->peer(); }
  // The request being built. Its front may hold the header of the last one: see Template.
  Buffer& request() { return request_; }
  std::uint32_t next_id() { return next_id_++; }

  // The request header at the front of request(), when it can serve again: same reference, operation,
  // version. Then only the id changes.
  struct Template {
    std::uint64_t reference = 0;  // Reference::serial(); 0: none
    const void* operation = nullptr;
    std::size_t path = 0;
    std::uint8_t addressing = 0;
    bool oneway = false;
    giop::Started started;
    friend bool operator==(const Template& a, const Template& b) {
      return a.reference == b.reference && a.operation == b.operation && a.path == b.path &&
             a.addressing == b.addressing && a.oneway == b.oneway;
    }
  };
  Template header;

  // Sends request(), in fragments when it is longer than fragment_bytes (0: never) and of version 1.2.
  transport::Transfer send(std::size_t fragment_bytes, Deadline deadline);

  // What came, or why nothing did. Views are valid until finish().
  struct Arrival {
    // ConnectionClosed: CloseConnection, nothing outstanding was processed. A protocol fault with
    // message_error: the peer sent MessageError.
    Fault fault = Fault::None;
    int os_error = 0;
    bool message_error = false;
    // A reply of GIOP 1.2 in our byte order with NoException and no contexts: body is what follows its
    // header, aligned to 8. All else is in message.
    bool plain = false;
    ByteView body;
    giop::Message message;
  };
  // The reply or locate reply with that id. Messages with other ids are dropped.
  void receive(std::uint32_t request_id, Deadline deadline, Arrival& a);
  // For people.
  Error error_of(const Arrival& a) const;
  // The message last received has been read.
  void finish();

  // False when the peer has closed the connection or sent something unasked for.
  bool alive() { return engine_.state() == giop::State::Open && stream_->quiet(); }

  bool code_sets_sent = false;
  std::uint32_t reserved_for = 0;  // a thread_number(), 0 for none
  TimePoint last_used{};

 private:
  bool take_plain(std::uint32_t request_id, Arrival& a);
  bool fill(Deadline deadline, Arrival& a);

  std::unique_ptr<transport::Stream> stream_;
  giop::Connection engine_;
  const Limits& limits_;
  Buffer request_;
  Buffer in_;
  std::size_t consumed_ = 0;  // of in_
  std::uint32_t next_id_;
  giop::FragmentedMessage pieces_;
};

}  // namespace callis::orb
