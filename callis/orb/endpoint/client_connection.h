// SPDX-License-Identifier: Apache-2.0
// ClientConnection: a stream to a server, with what GIOP keeps for it and the buffers that calls reuse. Used by
// the one thread that has it checked out. The stream is a connection's, or a lane of one that is shared.
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/endpoint/held_oneways.h>
#include <callis/orb/endpoint/request_templates.h>
#include <callis/orb/options/message_source.h>
#include <callis/transport/stream.h>

namespace callis::orb {

class Lane;

class ClientConnection final {
 public:
  // limits must outlive the connection. fragment_bytes: requests of GIOP 1.2 that are longer are cut into
  // fragments; 0: never. first_id: of the first request. flusher: holds one-way requests back where that pays and
  // must outlive the connection; nullptr: they are sent at once.
  ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::size_t fragment_bytes = 0,
                   std::uint32_t first_id = 1, OnewayFlusher* flusher = nullptr);
  ~ClientConnection();

  const std::string& peer() const { return stream_->peer(); }
  const transport::Peer& peer_identity() const { return stream_->peer_identity(); }
  transport::Reach reach() const { return reach_; }  // the peer's
  // Of what the server sends.
  MessageSource::From from() const { return from_; }
  // The request being built. Its front may hold the header of the last one: see RequestTemplates.
  Buffer& request() { return request_; }
  RequestTemplates& templates() { return templates_; }
  // Where long arrays of the request being built are noted, cleared; nullptr when they are to be copied: to be
  // cut into fragments, or for a transport that does not gather.
  cdr::Gather* gather() {
    if (gather_.count != 0) [[unlikely]] gather_.clear();
    return gather_if_any_;
  }
  // Not for lanes: their request has an id when they are handed out.
  std::uint32_t next_id() { return next_id_++; }
  // For both.
  std::uint32_t new_id();

  // nullptr where the connection is not shared.
  Lane* lane() const { return lane_; }
  void set_lane(Lane& lane) { lane_ = &lane; }
  // In a child of fork(): what is held is its parent's to send.
  void drop_held() { held_.reset(); }
  // Kept as long as the connection; two at most.
  void keep(std::shared_ptr<void> what) { kept_[kept_[0] ? 1 : 0] = std::move(what); }

  // Sends request() and what was gathered.
  transport::Transfer send(Deadline deadline) {
    if (gather_.count != 0) [[unlikely]] return send_gathered(deadline);
    if (request_.size() > whole_bytes_) [[unlikely]] return send_cut(deadline);
    if (held_) [[unlikely]] return send_after_held(deadline);
    return stream_->send(request_.view(), deadline);
  }
  // The same, or takes it over to be sent with others.
  transport::Transfer send_oneway(Deadline deadline) {
    if (held_ && gather_.count == 0 && request_.size() <= std::min(whole_bytes_, HeldOneways::kMostBytes))
      return held_->hold(request_.view(), deadline, *flusher_, held_);
    return send(deadline);
  }

  // From now on send_oneway() takes requests over where that pays, whatever the connection was made for.
  void hold_oneways(OnewayFlusher* flusher);

  // The plain reply to the request with that id, when it is what comes next: one of GIOP 1.2 in our byte order,
  // with NoException and no contexts, whole. body is what follows its header, aligned to 8, and valid until
  // finish(). now: as for Stream::receive(). False: receive() tells what came instead.
  bool receive_plain(std::uint32_t request_id, Deadline deadline, TimePoint now, ByteView& body) {
    if (consumed_ != in_.size() || in_.capacity() < kFirstReceiveBytes) [[unlikely]] return false;
    consumed_ = 0;
    failed_ = stream_->receive({in_.data(), in_.capacity()}, deadline, now);
    in_.set_size(failed_.bytes);
    return failed_.ok() && take_plain(request_id, body);
  }

  // What came, or why nothing did. Views are valid until finish().
  struct Arrival {
    // ConnectionClosed: CloseConnection, nothing outstanding was processed. A protocol fault with
    // message_error: the peer sent MessageError.
    Fault fault = Fault::None;
    int os_error = 0;
    bool message_error = false;
    // As receive_plain() has it; all else is in message.
    bool plain = false;
    ByteView body;
    giop::Message message;
  };
  // The reply or locate reply with that id. Messages with other ids are dropped. However much the peer sends, once
  // the deadline has passed nothing more is read but what the first receive finds.
  void receive(std::uint32_t request_id, Deadline deadline, Arrival& a) { receive(request_id, deadline, true, a); }
  // The same without waiting: DeadlinePassed where not all of it has come.
  void receive_now(std::uint32_t request_id, Arrival& a) { receive(request_id, Deadline(), false, a); }
  // For who waits for many connections at once: what shows that something has come; -1 where there is none.
  int descriptor() const { return stream_->descriptor(); }
  // Tells the server that the reply to that request is not waited for any more, if that can be done at once.
  void cancel(std::uint32_t id, giop::Version version);
  // For people.
  Error error_of(const Arrival& a) const;
  // The message last received has been read. False: more has come behind it, which answers nothing: CloseConnection,
  // or what was given up.
  bool finish() {
    if (consumed_ != in_.size()) [[unlikely]] return false;
    in_.clear();
    consumed_ = 0;
    if (in_.capacity() > kKeptBytes) [[unlikely]] give_back();
    return true;
  }

  // False when the peer has closed the connection or sent something unasked for.
  bool alive() { return engine_.state() == giop::State::Open && stream_->quiet(); }

  bool code_sets_sent = false;
  std::uint32_t reserved_for = 0;  // a thread_number(), 0 for none
  TimePoint last_used{};

 private:
  static constexpr std::size_t kFirstReceiveBytes = 16u << 10;
  static constexpr std::size_t kKeptBytes = 128u << 10;  // of in_, whoever else needs memory

  // The reply that nearly every call gets, recognised by a few comparisons.
  bool take_plain(std::uint32_t request_id, ByteView& body) {
    constexpr std::size_t kHeader = 24;  // of GIOP 1.2, without contexts
    constexpr Byte kStart[8] = {'G', 'I', 'O', 'P', 1, 2, static_cast<Byte>(kNativeOrder),
                                static_cast<Byte>(giop::MessageType::Reply)};
    const Byte* const in = in_.data() + consumed_;
    const std::size_t n = in_.size() - consumed_;
    if (n < kHeader || load<std::uint64_t>(in) != load<std::uint64_t>(kStart) ||
        load<std::uint32_t>(in + 8) != n - giop::kHeaderBytes || load<std::uint32_t>(in + 12) != request_id ||
        load<std::uint64_t>(in + 16) != 0 ||  // status and number of contexts
        !engine_.between_messages() || n - giop::kHeaderBytes > limits_.max_message_bytes) [[unlikely]]
      return false;
    consumed_ = in_.size();
    body = {in + kHeader, n - kHeader};
    return true;
  }
  void receive(std::uint32_t request_id, Deadline deadline, bool waits, Arrival& a);
  bool fill(Deadline deadline, bool first, bool waits, Arrival& a);
  void give_back();
  transport::Transfer send_after_held(Deadline deadline);
  transport::Transfer send_parts(std::span<const ByteView> parts, Deadline deadline);
  transport::Transfer send_gathered(Deadline deadline);
  transport::Transfer send_cut(Deadline deadline);

  std::unique_ptr<transport::Stream> stream_;
  OnewayFlusher* flusher_;
  std::shared_ptr<HeldOneways> held_;  // nullptr: nothing is held back
  giop::Connection engine_;
  const Limits& limits_;
  const std::size_t whole_bytes_;  // longer requests are cut
  Buffer request_;
  RequestTemplates templates_;
  cdr::Gather gather_;
  cdr::Gather* const gather_if_any_;
  Buffer in_{Buffer::kForPeer};
  std::size_t consumed_ = 0;  // of in_
  transport::Transfer failed_;  // what receive_plain() got, for receive(), when it is a fault
  std::uint32_t next_id_;
  const MessageSource::From from_;
  const transport::Reach reach_;
  giop::FragmentedMessage pieces_;
  Lane* lane_ = nullptr;  // stream_, if it is one
  std::shared_ptr<void> kept_[2];
};

}  // namespace callis::orb
