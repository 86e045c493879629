// SPDX-License-Identifier: Apache-2.0
// ClientConnection: a stream to a server, with its GIOP state and the buffers that calls reuse. Used by the one
// thread that has it checked out. The stream is a connection's, or a lane of a shared connection.
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/endpoint/held_oneways.h>
#include <callis/orb/endpoint/request_templates.h>
#include <callis/orb/options/message_source.h>
#include <callis/transport/stream.h>
#include <atomic>

namespace callis::orb {

class ClientConnection;
class Lane;

// A place for one idle connection: empty, or with a connection, or kept for the connection that was taken from it.
// A call takes the connection by one locked operation, and puts it back by a plain store.
class ConnectionPlace final {
 public:
  // Takes the connection, and keeps the place for it. Returns nullptr if there is none.
  ClientConnection* take() noexcept;
  // For a connection that take() has returned.
  void put_back(ClientConnection* c) noexcept { held_.store(value(c), std::memory_order_release); }
  void leave() noexcept { held_.store(kEmpty, std::memory_order_release); }
  // Takes the connection, and leaves the place empty.
  ClientConnection* take_away() noexcept;
  // Puts a connection in that has no place. before: the connection that it replaces, or nullptr. Returns false if the
  // place is kept for another.
  bool put(ClientConnection* c, ClientConnection*& before) noexcept;
  bool has_connection() const noexcept { return held_.load(std::memory_order_relaxed) > kKept; }
  // Called in a child of fork(), which has no thread but one.
  ClientConnection* empty_in_child() noexcept;

 private:
  static constexpr std::uintptr_t kEmpty = 0, kKept = 1;
  static std::uintptr_t value(ClientConnection* c) { return reinterpret_cast<std::uintptr_t>(c); }

  std::atomic<std::uintptr_t> held_{kEmpty};
};

class ClientConnection final {
 public:
  // limits must outlive the connection. fragment_bytes: longer requests of GIOP 1.2 are cut into fragments; 0 means
  // never. first_id: the id of the first request. flusher holds one-way requests back if this pays, and must outlive
  // the connection; without a flusher they are sent at once.
  ClientConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::size_t fragment_bytes = 0,
                   std::uint32_t first_id = 1, OnewayFlusher* flusher = nullptr);
  ~ClientConnection();

  const std::string& peer() const { return stream_->peer(); }
  const transport::Peer& peer_identity() const { return stream_->peer_identity(); }
  transport::Reach reach() const { return reach_; }  // the peer's
  // The source of the server's messages.
  MessageSource::From from() const { return from_; }
  // The request being built. Its front may hold the header of the last one: see RequestTemplates.
  Buffer& request() { return request_; }
  RequestTemplates& templates() { return templates_; }
  // The place, cleared, where long arrays of the request being built are noted. nullptr if they are to be copied: the
  // request is cut into fragments, or the transport does not gather.
  cdr::Gather* gather() {
    if (gather_.count != 0) [[unlikely]] gather_.clear();
    return gather_if_any_;
  }
  // Not for lanes, which have a request id when they are handed out.
  std::uint32_t next_id() { return next_id_++; }
  // Works for lanes and other streams.
  std::uint32_t new_id();
  // The place that is kept for the connection; nullptr: none is. The place must outlive that.
  ConnectionPlace* place() const { return place_; }
  void leave_place() noexcept {
    if (place_) std::exchange(place_, nullptr)->leave();
  }

  // nullptr if the connection is not shared.
  Lane* lane() const { return lane_; }
  void set_lane(Lane& lane) { lane_ = &lane; }
  // Called in a child of fork(): the parent sends the held requests.
  void drop_held() { held_.reset(); }
  // Keeps `what` as long as the connection; two at most.
  void keep(std::shared_ptr<void> what) { kept_[kept_[0] ? 1 : 0] = std::move(what); }

  // Sends request() and the gathered arrays.
  transport::Transfer send(Deadline deadline) {
    if (gather_.count != 0) [[unlikely]] return send_gathered(deadline);
    if (request_.size() > whole_bytes_) [[unlikely]] return send_cut(deadline);
    if (held_) [[unlikely]] return send_after_held(deadline);
    return stream_->send(request_.view(), deadline);
  }
  // The same, or takes the request over to be sent with others.
  transport::Transfer send_oneway(Deadline deadline) {
    if (held_ && gather_.count == 0 && request_.size() <= std::min(whole_bytes_, HeldOneways::kMostBytes))
      return held_->hold(request_.view(), deadline, *flusher_, held_);
    return send(deadline);
  }

  // From now on send_oneway() takes requests over if this pays, also on a connection made without a flusher.
  void hold_oneways(OnewayFlusher* flusher);

  // Receives the reply to the request with that id, if this comes next and is plain: whole, of GIOP 1.2 in our byte
  // order, with NoException and no contexts. body is the part behind the header, aligned to 8, and valid until
  // finish(). now: as for Stream::receive(). If false, receive() gives the message that came instead.
  bool receive_plain(std::uint32_t request_id, Deadline deadline, TimePoint now, ByteView& body) {
    if (consumed_ != in_.size() || in_.capacity() < kFirstReceiveBytes) [[unlikely]] return false;
    consumed_ = 0;
    failed_ = stream_->receive({in_.data(), in_.capacity()}, deadline, now);
    in_.set_size(failed_.bytes);
    return failed_.ok() && take_plain(request_id, body);
  }

  // The message that came, or the reason why none did. Views are valid until finish().
  struct Arrival {
    // ConnectionClosed: the peer sent CloseConnection, and has processed no outstanding request. A protocol fault
    // with message_error: the peer sent MessageError.
    Fault fault = Fault::None;
    int os_error = 0;
    bool message_error = false;
    // The reply is plain, as receive_plain() says, and in body; everything else is in message.
    bool plain = false;
    ByteView body;
    giop::Message message;
  };
  // Receives the reply or locate reply with that id. Messages with other ids are dropped. Once the deadline has
  // passed only one receive is made, even if the peer sends more.
  void receive(std::uint32_t request_id, Deadline deadline, Arrival& a) { receive(request_id, deadline, true, a); }
  // The same without waiting: DeadlinePassed if not all of the message has come.
  void receive_now(std::uint32_t request_id, Arrival& a) { receive(request_id, Deadline(), false, a); }
  // The descriptor for callers that wait for many connections at once; -1 if there is none.
  int descriptor() const { return stream_->descriptor(); }
  // Tells the server that nobody waits for the reply to that request any more, if this can be sent at once.
  void cancel(std::uint32_t id, giop::Version version);
  // The fault of an arrival, for people.
  Error error_of(const Arrival& a) const;
  // Called when the last received message has been read. Returns false if more has come behind it, which answers no
  // call under way: CloseConnection, or a late reply.
  bool finish() {
    if (consumed_ != in_.size()) [[unlikely]] return false;
    in_.clear();
    consumed_ = 0;
    if (in_.capacity() > kKeptBytes) [[unlikely]] give_back();
    return true;
  }

  // Returns false if the peer has closed the connection or has sent bytes unasked for.
  bool alive() { return engine_.state() == giop::State::Open && stream_->quiet(); }

  bool code_sets_sent = false;
  std::uint32_t reserved_for = 0;  // a thread_number(), 0 for none
  TimePoint last_used{};

 private:
  friend class ConnectionPlace;

  static constexpr std::size_t kFirstReceiveBytes = 16u << 10;
  static constexpr std::size_t kKeptBytes = 128u << 10;  // of in_, even if others need memory

  // Recognises the reply that nearly every call gets by a few comparisons.
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
  transport::Transfer failed_;  // the fault of receive_plain(), for receive()
  std::uint32_t next_id_;
  const MessageSource::From from_;
  const transport::Reach reach_;
  giop::FragmentedMessage pieces_;
  Lane* lane_ = nullptr;  // stream_, if it is one
  ConnectionPlace* place_ = nullptr;  // may have any value while the connection is in a place
  std::shared_ptr<void> kept_[2];
};

inline ClientConnection* ConnectionPlace::take() noexcept {
  std::uintptr_t held = held_.load(std::memory_order_relaxed);
  if (held <= kKept || !held_.compare_exchange_strong(held, kKept, std::memory_order_acquire)) [[unlikely]]
    return nullptr;
  ClientConnection* const c = reinterpret_cast<ClientConnection*>(held);
  c->place_ = this;
  return c;
}

}  // namespace callis::orb
