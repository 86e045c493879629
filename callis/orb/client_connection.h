// SPDX-License-Identifier: Apache-2.0
// ClientConnection: a stream to a server, with what GIOP keeps for it and the buffers that calls reuse. Used by
// the one thread that has it checked out.
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/request_templates.h>
#include <callis/transport/stream.h>

namespace callis::orb {

class ClientConnection final {
 public:
  // limits must outlive the connection. first_id: of the first request.
  ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::uint32_t first_id = 1);

  const std::string& peer() const { return stream_->peer(); }
  // The request being built. Its front may hold the header of the last one: see RequestTemplates.
  Buffer& request() { return request_; }
  RequestTemplates& templates() { return templates_; }
  // Where long arrays of the request being built are noted, cleared; nullptr when they are to be copied: to be
  // cut into fragments, or for a transport that does not gather.
  cdr::Gather* gather(std::size_t fragment_bytes) {
    gather_.clear();
    return gathers_ && fragment_bytes == 0 ? &gather_ : nullptr;
  }
  std::uint32_t next_id() { return next_id_++; }

  // Sends request() and what was gathered, in fragments when it is longer than fragment_bytes (0: never) and
  // of version 1.2.
  transport::Transfer send(std::size_t fragment_bytes, Deadline deadline) {
    if (gather_.count != 0) [[unlikely]] return send_gathered(deadline);
    if (fragment_bytes != 0 && request_.size() > fragment_bytes) [[unlikely]] return send_cut(fragment_bytes, deadline);
    return stream_->send(request_.view(), deadline);
  }

  // The usual reply to the request with that id, when it is what comes next: one of GIOP 1.2 in our byte order,
  // with NoException and no contexts, whole. body is what follows its header, aligned to 8, and valid until
  // finish(). now: as for Stream::receive(). False: receive() tells what came instead.
  bool receive_usual(std::uint32_t request_id, Deadline deadline, TimePoint now, ByteView& body) {
    if (consumed_ != in_.size() || in_.capacity() < kFirstReceiveBytes) [[unlikely]] return false;
    consumed_ = 0;
    failed_ = stream_->receive({in_.data(), in_.capacity()}, deadline, now);
    in_.set_size(failed_.bytes);
    return failed_.ok() && take_usual(request_id, body);
  }

  // What came, or why nothing did. Views are valid until finish().
  struct Arrival {
    // ConnectionClosed: CloseConnection, nothing outstanding was processed. A protocol fault with
    // message_error: the peer sent MessageError.
    Fault fault = Fault::None;
    int os_error = 0;
    bool message_error = false;
    // As receive_usual() has it; all else is in message.
    bool usual = false;
    ByteView body;
    giop::Message message;
  };
  // The reply or locate reply with that id. Messages with other ids are dropped.
  void receive(std::uint32_t request_id, Deadline deadline, Arrival& a);
  // For people.
  Error error_of(const Arrival& a) const;
  // The message last received has been read.
  void finish() {
    if (consumed_ != in_.size()) return;
    in_.clear();
    consumed_ = 0;
  }

  // False when the peer has closed the connection or sent something unasked for.
  bool alive() { return engine_.state() == giop::State::Open && stream_->quiet(); }

  bool code_sets_sent = false;
  std::uint32_t reserved_for = 0;  // a thread_number(), 0 for none
  TimePoint last_used{};

 private:
  static constexpr std::size_t kFirstReceiveBytes = 16u << 10;

  bool take_usual(std::uint32_t request_id, ByteView& body);
  bool fill(Deadline deadline, Arrival& a);
  transport::Transfer send_gathered(Deadline deadline);
  transport::Transfer send_cut(std::size_t fragment_bytes, Deadline deadline);

  std::unique_ptr<transport::Stream> stream_;
  giop::Connection engine_;
  const Limits& limits_;
  const bool gathers_;
  Buffer request_;
  RequestTemplates templates_;
  cdr::Gather gather_;
  Buffer in_;
  std::size_t consumed_ = 0;  // of in_
  transport::Transfer failed_;  // what receive_usual() got, for receive(), when it is a fault
  std::uint32_t next_id_;
  giop::FragmentedMessage pieces_;
};

}  // namespace callis::orb
