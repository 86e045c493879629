// SPDX-License-Identifier: Apache-2.0
// ServerConnection: a connection that a server serves. Either its own thread waits for bytes (worker.h), or the pool
// serves the connection (pool.h), and no thread waits. In the pool the connection keeps a message that has come in
// part until the rest comes, and keeps output for a slow peer. A connection passes from its thread to the pool, once,
// and never back.
//
// Its input belongs to one thread or object at a time, called the reader. This is its own thread, or the poller while
// the connection is armed. A worker with an event is the reader until it lets go of the connection (arms the
// connection again) before an upcall. Nobody is the reader while the connection is parked, because too many of its
// requests run or too much output waits. If the pool serves, the output belongs to the holder of the lock inside
// send().
//
// A holder that keeps a count for longer than an upcall gives it back when ReplyReceiver::ended() is called, since
// the ORB's shutdown waits for this.
//
// The connection is counted. The reader has a count, and so has each upcall that let go of the connection; waiting
// output has a count, and so may other holders. The last count closes the stream.
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

  // Takes the stream. The connection belongs to its thread, until a pool takes it.
  ServerConnection(std::unique_ptr<transport::Stream>& stream, const Limits& limits,
                   giop::Role role = giop::Role::Server)
      : stream_(std::move(stream)), holder_(*stream_), conversation_(limits, role) {}
  // For a connection that nobody serves and that no pool has had.
  std::unique_ptr<transport::Stream> take_stream() {
    holder_.leave();
    return std::move(stream_);
  }

  // --- Any thread may call these ---

  void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) end();
  }
  const std::string& peer() const { return stream_->peer(); }
  const transport::Peer& peer_identity() const { return stream_->peer_identity(); }
  const transport::Stream& stream() const { return *stream_; }

  // Sends whole messages, in one piece among those of other threads. Does not wait: bytes that cannot be sent at once
  // are copied and sent later. Returns false if the connection is over. Accepted messages may also be lost if the
  // connection ends.
  CALLIS_OPTIONAL bool send(std::span<const ByteView> messages) noexcept;
  bool send(ByteView message) noexcept { return send(std::span<const ByteView>(&message, 1)); }
  // Waits until the peer has taken in some of the waiting output. Returns false if the deadline passed first.
  bool make_room(Deadline deadline) noexcept;
  // Sends the reply to the request whose upcall is at its end.
  bool send_reply(std::span<const ByteView> message) noexcept { return send(message); }

  // Gets the messages that a server receives only on a bidirectional connection: replies, above all.
  class ReplyReceiver {
   public:
    // Called by the reader, which goes on only afterwards: must not wait. The message is valid only during the call.
    // Returns false if the message may not come here: the connection then ends with MessageError.
    virtual bool take(ServerConnection& connection, const giop::Message& message) noexcept = 0;
    // Called once, after all calls of take(): nothing comes any more.
    virtual void ended(ServerConnection& connection) noexcept = 0;

   protected:
    ~ReplyReceiver() = default;
  };
  // Starts the use of bidirectional GIOP. Called by the reader (for a request of this connection: before the adapter
  // is asked). The receiver lives until after its ended(). From now on the connection may be idle for longer before
  // it is closed (Limits::bidirectional_idle_timeout; for ever if this ORB has opened it). When the ORB is shut down,
  // the connection is not closed before end_reading().
  void go_bidirectional(ReplyReceiver& receiver) noexcept {
    reply_receiver_ = &receiver;
    conversation_.engine.go_bidirectional();
    stays_open_.store(true, std::memory_order_seq_cst);
  }
  ReplyReceiver* reply_receiver() const { return reply_receiver_; }
  // Says whether outgoing calls are under way, so that the connection is not idle. Any thread may call.
  void set_calling(bool calling) noexcept;
  // Says that nothing more is to be received. Any thread may call. Closes the connection in good order if the ORB is
  // being shut down.
  void end_reading() noexcept {
    stays_open_.store(false, std::memory_order_seq_cst);
    stream_->stop_receiving();
  }
  // Called when the server stops.
  void stop_receiving() noexcept { stream_->stop_receiving(); }
  // The reason for the end, for ReplyReceiver::ended(): ConnectionClosed if the peer has sent CloseConnection.
  Fault end_fault() const {
    const bool by_us = phase_.load(std::memory_order_relaxed) == Phase::Draining;
    return by_us ? Fault::ConnectionLost : conversation_.engine.end_fault();
  }

  // Unique among the connections of an ORB, for as long as 2^31 of them.
  std::uint32_t serial() const { return serial_; }
  // The number of running upcalls that have let go of the connection.
  std::uint32_t in_progress() const { return in_progress_.load(std::memory_order_relaxed) & ~kDraining; }
  // The bytes of output that the peer has not taken in yet.
  std::size_t queued_bytes() const { return queued_.load(std::memory_order_relaxed); }

  // Called when an upcall that has let go of the connection, or handed it over, is over. reply is empty if there is
  // none. Gives the upcall's count back.
  CALLIS_OPTIONAL void answer(std::span<const ByteView> reply) noexcept;
  // Ends the connection at once; the peer is not told.
  void break_off() noexcept;

 private:
  friend class Pool;
  friend class PoolTimekeeper;
  friend class Worker;

  static constexpr std::uint32_t kDraining = 1u << 31;
  static constexpr std::int64_t kBusy = INT64_MAX, kNever = INT64_MAX;
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

  // Whether the time has passed for a message that has begun to come, or for output that the peer has not taken in.
  bool is_late(std::int64_t now) const;
  bool is_idle(std::int64_t now) const { return now >= idle_at(); }
  // When it will have been idle for too long; kNever as things are.
  std::int64_t idle_at() const;
  // The first moment at which is_late() or is_idle() will hold, as things are.
  std::int64_t due() const;
  // Whether nothing has happened since the timekeeper's clock moved on to `now`.
  bool rests(std::int64_t now) const {
    const std::int64_t used = used_.load(std::memory_order_relaxed);
    return used != kBusy && used < now;
  }
  Duration idle_time_of_bidirectional(const Limits& limits) const;
  // Ends the connection in good order for being idle, or breaks it off for being late. Does nothing if it is neither
  // any more.
  void end_in_time(std::int64_t now);

  // --- The reader ---

  // Gives the input away. Called by the reader, which is the reader no longer. again: bytes have been kept. served:
  // about this number of messages were served.
  CALLIS_OPTIONAL void arm(bool again = false, int served = 1) noexcept;
  // Called when an upcall begins. Gives the input away, or parks it.
  void let_go(ByteView rest) noexcept;
  // Adds bytes to rest_, and reports the memory that closing the connection would free. Called by the reader.
  void keep(ByteView rest) noexcept;
  // Gives the input away until must_park() allows further reading.
  void park() noexcept;
  // Called when the upcall is over and its reply sent.
  void upcall_ended() noexcept;
  // Arms a parked connection that need not be parked any more.
  void unpark() noexcept;
  bool must_park() const noexcept;
  // Sends CloseConnection once nothing is unanswered. Gives the input away.
  CALLIS_OPTIONAL void close_in_order() noexcept;
  void say_close() noexcept;
  // Sends nothing more; waits for the peer to close, for a while. Gives the input away.
  CALLIS_OPTIONAL void linger() noexcept;
  // The receiver gets no more messages.
  void end_receiving_replies() noexcept {
    if (ReplyReceiver* const receiver = std::exchange(reply_receiver_, nullptr)) receiver->ended(*this);
  }
  // Ends the reading.
  CALLIS_OPTIONAL void drop() noexcept;

  // --- Output ---

  bool queue(std::span<const ByteView> messages, std::size_t from) noexcept;
  void forget_sent() noexcept;
  // Called when the peer can take in more.
  void send_queued() noexcept;
  void fail() noexcept;
  // Sends nothing more once the waiting output has been sent.
  void finish_sending() noexcept;

  Pool* pool_ = nullptr;  // the pool that serves it
  std::atomic<std::uint32_t> refs_{1};
  std::uint32_t serial_ = 0;  // given by the pool
  std::unique_ptr<transport::Stream> stream_;
  StreamHolder holder_;  // holds input while armed with some, and waiting output

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

  std::atomic<std::uint32_t> in_progress_{0};  // with kDraining: the thread that ends the last upcall is the reader
  std::atomic<bool> parked_{false};
  std::atomic<Ending> ending_{Ending::None};
  std::atomic<bool> broken_{false};
  std::atomic<bool> stays_open_{false};
  std::atomic<bool> calling_{false};
  // requests come while another is being served: no thread stays with the connection
  std::atomic<bool> is_shared_{false};
  std::atomic<std::size_t> queued_{0};
  // Ticks of the steady clock, for the timekeeper. 0: none.
  std::atomic<std::int64_t> used_{kBusy};         // last; kBusy while a thread has it
  std::atomic<std::int64_t> deadline_{0};       // of the message that has begun to come, or of lingering
  std::atomic<std::int64_t> send_deadline_{0};  // by which the first queued output is to be taken in

  ShortLock send_lock_;  // guards what follows, and sending
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
