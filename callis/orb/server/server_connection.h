// SPDX-License-Identifier: Apache-2.0
// ServerConnection: a connection that a server serves. The thread that it has for its own waits for it (worker.h); or
// the pool serves it (pool.h), and no thread waits for it. Then the connection keeps what has come of a message until
// the rest comes, and what a slow peer does not take in yet until it does. A connection passes from its thread to the
// pool, once, and never back.
//
// Its input belongs to one at a time, called the reader: its own thread; or the poller, while the connection is
// armed; or the worker that got the event, until it lets go of the connection - arms it again - before an upcall; or
// nobody, while it is parked: when too many of its requests run or too much output waits. In the pool its output
// belongs to whoever holds the lock inside send().
//
// A holder that keeps a count for longer than an upcall gives it back when ReplyReceiver::ended() is called: the
// ORB's shutdown waits for that.
//
// Life: counted. The reader has a count, each upcall whose connection was let go of has one, output that waits has
// one, and so may others. The last one closes the stream.
//
//            armed ──event──→ a worker reads ──message──→ let go: armed again, while the upcall runs
//              ↑                   │  not whole                     │ reply by send()
//              └───────────────────┘                                └─→ the last of its upcalls says
//   idle for long, shutdown ──→ CloseConnection, when nothing is unanswered (9.4.7) ←──────┘ CloseConnection
#pragma once
#include <callis/base/peer_memory.h>
#include <callis/orb/base/counted.h>
#include <callis/orb/base/short_lock.h>
#include <callis/orb/server/session.h>
#include <callis/transport/stream.h>

namespace callis::orb {

class Pool;

// Moments as numbers that threads share.
inline std::int64_t ticks(TimePoint t) { return t.time_since_epoch().count(); }

// A connection as a holder of memory for its peer. give_up() shuts the stream down: a thread that waits for the
// stream wakes, and finds the connection lost.
class StreamHolder final : public MemoryHolder {
 public:
  // The stream outlives the holder, or its leave().
  explicit StreamHolder(transport::Stream& stream) : stream_(stream) {}
  ~StreamHolder() { leave(); }
  using MemoryHolder::leave;

 private:
  void give_up() noexcept override { stream_.shutdown(); }
  const std::string& peer() const noexcept override { return stream_.peer(); }
  std::string host() const noexcept override { return transport::counted_with(stream_.peer_identity()); }

  transport::Stream& stream_;
};

class ServerConnection final {
 public:
  ServerConnection(const ServerConnection&) = delete;
  ServerConnection& operator=(const ServerConnection&) = delete;

  // Its thread's, until a pool takes it. Takes the stream.
  ServerConnection(std::unique_ptr<transport::Stream>& stream, const Limits& limits,
                   giop::Role role = giop::Role::Server)
      : stream_(std::move(stream)), holder_(*stream_), conversation_(limits, role) {}
  // Of a connection that nobody serves: no pool has had it.
  std::unique_ptr<transport::Stream> take_stream() {
    holder_.leave();
    return std::move(stream_);
  }

  // --- For everybody; any thread ---

  void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) end();
  }
  const std::string& peer() const { return stream_->peer(); }
  const transport::Peer& peer_identity() const { return stream_->peer_identity(); }
  const transport::Stream& stream() const { return *stream_; }

  // Sends whole messages, in one piece among those of other threads. Does not wait: what does not go at once is
  // copied and goes later. False when the connection is over; what has been accepted may be lost, too, when it ends.
  CALLIS_OPTIONAL bool send(std::span<const ByteView> messages) noexcept;
  bool send(ByteView message) noexcept { return send(std::span<const ByteView>(&message, 1)); }
  // Waits until the peer has taken in some of the output that waits; false when the deadline passed first.
  bool make_room(Deadline deadline) noexcept;
  // The same for the reply to the request whose upcall is at its end.
  bool send_reply(std::span<const ByteView> message) noexcept { return send(message); }

  // Gets the messages that a server receives only on a bidirectional connection: replies, above all.
  class ReplyReceiver {
   public:
    // From the reader, which goes on only afterwards: must not wait. The message is gone then. False: it may not
    // come here, and the connection ends with MessageError.
    virtual bool take(ServerConnection& connection, const giop::Message& message) noexcept = 0;
    // Nothing comes any more; once, after all calls of take().
    virtual void ended(ServerConnection& connection) noexcept = 0;

   protected:
    ~ReplyReceiver() = default;
  };
  // Bidirectional GIOP is in use from now on. By the reader (inside an upcall of a request of this connection: before
  // the adapter is asked). The receiver outlives its ended(). From now on the connection is idle for longer before it
  // is closed (Limits::bidirectional_idle_timeout; never where this ORB has opened it), and when the ORB is shut down
  // it is not closed before end_reading().
  void go_bidirectional(ReplyReceiver& receiver) noexcept {
    reply_receiver_ = &receiver;
    conversation_.engine.go_bidirectional();
    stays_open_.store(true, std::memory_order_seq_cst);
  }
  ReplyReceiver* reply_receiver() const { return reply_receiver_; }
  // Calls that go out over it are under way, so that it is not idle; or not any more. Any thread.
  void set_calling(bool calling) noexcept;
  // Nothing more is to be received; any thread. Closes the connection in good order when the ORB is being shut down.
  void end_reading() noexcept {
    stays_open_.store(false, std::memory_order_seq_cst);
    stream_->stop_receiving();
  }
  // The server stops.
  void stop_receiving() noexcept { stream_->stop_receiving(); }
  // Why it ended, for ReplyReceiver::ended(): ConnectionClosed where the peer has said CloseConnection.
  Fault end_fault() const {
    const bool by_us = phase_.load(std::memory_order_relaxed) == Phase::Draining;
    return by_us ? Fault::ConnectionLost : conversation_.engine.end_fault();
  }

  // Unique among the connections of an ORB, for as long as 2^31 of them.
  std::uint32_t serial() const { return serial_; }
  // Upcalls running that the connection was let go of for.
  std::uint32_t in_progress() const { return in_progress_.load(std::memory_order_relaxed) & ~kDraining; }
  // Output that waits to be taken in by the peer.
  std::size_t queued_bytes() const { return queued_.load(std::memory_order_relaxed); }

  // The upcall that the connection was let go of for, or handed over in, is over. reply: empty where there is none.
  // Gives the upcall's count back.
  CALLIS_OPTIONAL void answer(std::span<const ByteView> reply) noexcept;
  // Ends the connection at once; the peer is not told.
  void break_off() noexcept;

 private:
  friend class Pool;
  friend class PoolTimekeeper;
  friend class Worker;

  static constexpr std::uint32_t kDraining = 1u << 31;
  static constexpr std::int64_t kBusy = INT64_MAX;
  enum class Ending : std::uint8_t { None, Idle, Stop };  // CloseConnection is to be sent
  enum class Phase : std::uint8_t { Serving, Draining, Lingering };

  ~ServerConnection() = default;
  void end() noexcept {
    if (pool_) end_in_pool();
    else delete this;
  }
  CALLIS_OPTIONAL void end_in_pool() noexcept;
  bool try_add_ref() noexcept;

  // --- Time, in ticks ---

  // What has begun to come, or waits to be taken in by the peer, has had its time.
  bool is_late(std::int64_t now) const;
  bool is_idle(std::int64_t now) const;
  Duration idle_time_of_bidirectional(const Limits& limits) const;
  // Ends it in good order for being idle, or breaks it off for being late; nothing when it is neither any more.
  void end_in_time(std::int64_t now);

  // --- The reader ---

  // Gives the input away; by the reader, who is not it any more. again: bytes have been kept. served: about so
  // many messages.
  CALLIS_OPTIONAL void arm(bool again = false, int served = 1) noexcept;
  // An upcall begins; gives the input away, or parks it.
  void let_go(ByteView rest) noexcept;
  // Adds to rest_, by the reader, and says what closing the connection would return.
  void keep(ByteView rest) noexcept;
  // Gives the input away until must_park() says that it may be read on.
  void park() noexcept;
  // The upcall is over, its reply sent.
  void upcall_ended() noexcept;
  // Arms a connection that is parked, if it need not be any more.
  void unpark() noexcept;
  bool must_park() const noexcept;
  // Says CloseConnection once nothing is unanswered. Gives the input away.
  CALLIS_OPTIONAL void close_in_order() noexcept;
  void say_close() noexcept;
  // Sends nothing more; waits for the peer to close, for a while. Gives the input away.
  CALLIS_OPTIONAL void linger() noexcept;
  // The receiver gets no more messages.
  void end_receiving_replies() noexcept {
    if (ReplyReceiver* const receiver = std::exchange(reply_receiver_, nullptr)) receiver->ended(*this);
  }
  // Is the end of reading.
  CALLIS_OPTIONAL void drop() noexcept;

  // --- Output ---

  bool queue(std::span<const ByteView> messages, std::size_t from) noexcept;
  void forget_sent() noexcept;
  // The peer can take in more.
  void send_queued() noexcept;
  void fail() noexcept;
  // Sends nothing more once what waits has been sent.
  void finish_sending() noexcept;

  Pool* pool_ = nullptr;  // that serves it
  std::atomic<std::uint32_t> refs_{1};
  std::uint32_t serial_ = 0;  // given by the pool
  std::unique_ptr<transport::Stream> stream_;
  StreamHolder holder_;  // of input while it is armed with some, and of output that waits

  // The reader's.
  Conversation conversation_;
  Buffer rest_{Buffer::kForPeer};  // bytes that have come and are not used up
  ReplyReceiver* reply_receiver_ = nullptr;
  TimePoint began_{};  // when the message began that has come in part; zero between messages
  TimePoint parked_at_{};  // this and the next: written before parked_
  std::int64_t deadline_when_parked_ = 0;
  std::uint32_t lingered_bytes_ = 0;
  // Messages that were served with more to be read; half as many each time there is no more.
  std::uint8_t floods_ = 0;
  bool in_poller_ = false;
  bool more_ = false;        // the last receive has brought as much as it could
  std::atomic<Phase> phase_{Phase::Serving};

  std::atomic<std::uint32_t> in_progress_{0};  // with kDraining: who ends the last is the reader
  std::atomic<bool> parked_{false};
  std::atomic<Ending> ending_{Ending::None};
  std::atomic<bool> broken_{false};
  std::atomic<bool> stays_open_{false};
  std::atomic<bool> calling_{false};
  std::atomic<bool> is_shared_{false};  // requests come behind one that is being served: no thread stays with it
  std::atomic<std::size_t> queued_{0};
  // Ticks of the steady clock, for who looks after time. 0: none.
  std::atomic<std::int64_t> used_{kBusy};         // last; kBusy while a thread has it
  std::atomic<std::int64_t> deadline_{0};       // of the message that has begun to come, or of lingering
  std::atomic<std::int64_t> send_deadline_{0};  // for what was queued first to be taken in

  ShortLock send_lock_;  // over what follows, and over sending
  Buffer output_{Buffer::kForPeer};
  std::size_t sent_ = 0;        // of output_
  std::size_t in_time_ = 0;     // so much of output_ is to be sent by the deadline
  bool finish_ = false;
  bool owns_output_ref_ = false;
  bool handed_over_ = false;  // by a thread of its own

  ServerConnection* next_ = nullptr;  // in the pool's list
  ServerConnection* previous_ = nullptr;
};

}  // namespace callis::orb
