// SPDX-License-Identifier: Apache-2.0
// SharedConnection: one connection that carries the calls of many threads at once; replies come in any order.
//
//   call ─ ClientConnection ─ Lane ─┐
//   call ─ ClientConnection ─ Lane ─┼─ SharedConnection ─ Stream         a lane has one call at a time
//   call ─ ClientConnection ─ Lane ─┘
//
// A lane is the stream of one ClientConnection. Its messages go out whole among the other lanes' messages, and it
// receives only the answers to its own request. The connection has no thread of its own: one of the waiting threads
// reads, and hands out the messages for the others. When that thread has its reply, another takes its place. No
// thread waits for a call whose lane tells a ReplySink: other threads read its reply, or a caller of read().
//
// A call that is given up keeps its request id out of use until its late reply has come (RequestTable); the
// connection goes on. Once the connection is lost, or closed by the server, every call under way ends as if it had
// the connection for itself.
//
// On a bidirectional connection the pool reads, and hands over replies by deliver().
//
// Any thread may call any member; a lane belongs to the thread that has taken it.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/request_table.h>
#include <callis/orb/endpoint/client_connection.h>
#include <callis/orb/endpoint/followers.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace callis::orb {

class Lane;

class SharedConnection final : public std::enable_shared_from_this<SharedConnection> {
 public:
  // limits must outlive the connection. fragment_bytes: see ClientConnection. spin: the time for which a thread that
  // does not read looks for its reply before it sleeps. first_id: the id of the first request.
  SharedConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::size_t fragment_bytes,
                   std::chrono::microseconds spin, std::uint32_t first_id = 1);
  // Used with bidirectional GIOP. watcher outlives the connection. listen_points: the data of a context that requests
  // carry until one request has been sent; empty if there is none.
  class Watcher {
   public:
    // Called when a call begins. The connection's lock is held: must not wait, nor call the connection.
    virtual void used() noexcept = 0;
    // Called when the last call under way is over. The connection's lock is held: must not wait, nor call the
    // connection. Returns true if no call may begin any more.
    virtual bool unused() noexcept = 0;
    // Serves requests until called, or until the deadline, if the application's threads serve and the caller is such
    // a thread. Returns false, and does nothing, for any other thread.
    virtual bool serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept = 0;
    // Called if a thread in serve_until() may have been called. The connection's lock is held.
    virtual void wake() noexcept = 0;

   protected:
    ~Watcher() = default;
  };
  SharedConnection(std::unique_ptr<transport::Stream> stream, const Limits& limits, std::size_t fragment_bytes,
                   std::chrono::microseconds spin, std::uint32_t first_id, Watcher& watcher,
                   std::vector<Byte> listen_points);
  ~SharedConnection();
  SharedConnection(const SharedConnection&) = delete;
  SharedConnection& operator=(const SharedConnection&) = delete;

  // Returns a lane with a request id, for one call. Returns nullptr if no call can begin here: the connection is lost
  // or closed, or alone is wanted and calls are under way. now: the time, which may be behind by a tick.
  std::unique_ptr<ClientConnection> take(bool alone, TimePoint now);
  // Called when the call is over: a reply has come, or none was expected. If a lane is destroyed instead, its call is
  // given up.
  CALLIS_OPTIONAL static void give_back(std::unique_ptr<ClientConnection> c, TimePoint now);
  // Whether the server of this profile bears a CancelRequest among other calls' requests. After a CancelRequest for a
  // running request, omniORB's servers answer nothing more on the connection. This does no harm if the connection is
  // closed then.
  CALLIS_OPTIONAL static bool may_cancel(ByteView iiop_profile, const Limits& limits);

  // Reads once, or until the deadline, and hands out the messages. For calls for which no thread waits.
  enum class Outcome : std::uint8_t {
    Read,            // messages have come, or the connection has ended, and the calls have been told
    Ended,           // before
    ReadByOther,     // another thread is reading
    DeadlinePassed,  // nothing has come
    OutOfMemory,     // nothing could be taken in; the bytes that have come wait
  };
  Outcome read(Deadline deadline);

  // No call can begin here any more.
  bool over() const;
  // Like over(), but first takes in messages that came while nobody waited.
  bool over_by_now();
  // Whether no call has been under way since then.
  bool unused_since(TimePoint then) const;

  // Hands a reply or locate reply, which the pool has read, to its call. One thread at a time. Returns false when its
  // request id cannot be read.
  [[nodiscard]] bool deliver(const giop::Message& message);
  // Calls Watcher::unused(), if no call is under way.
  void look_for_calls();
  // Called when the connection has ended. Ends the calls under way. why is ConnectionClosed if the peer has sent
  // CloseConnection.
  void lost(Fault why);

  struct Counts {
    std::size_t pending = 0;  // calls under way
    std::size_t retired = 0;  // ids given up whose replies have not come
    std::uint64_t late_replies = 0;
    std::uint64_t unknown_replies = 0;
  };
  Counts counts() const;

 private:
  friend class Lane;
  using Lock = std::unique_lock<std::mutex>;

  transport::Transfer send(Lane& lane, std::span<const ByteView> parts, Deadline deadline);
  transport::Transfer send_now(std::span<const ByteView> parts, Deadline deadline);
  void keep_rest(std::span<const ByteView> parts, std::size_t sent);
  transport::Transfer receive(Lane& lane, MutableBytes into, Deadline deadline, TimePoint now);
  Fault lead(Lock& lock, Deadline deadline, TimePoint now);
  bool make_room();
  bool follow(Lane& lane, Lock& lock, Deadline deadline);
  void serve(Lane& lane, Lock& lock, Deadline deadline);
  bool tell(Lane& lane, ReplySink& sink);
  void forget_sink(Lane& lane);
  void pass_on();
  void call(Lane& lane);
  void hand_over(Lane& lane, const giop::Message& message);
  ByteView hand_out();
  bool hand_out(const giop::MessageHeader& h, std::size_t at);
  Lane* addressee(const giop::MessageHeader& h, ByteView message, bool& malformed);
  void give_to(Lane& lane, const giop::MessageHeader& h, std::size_t at);
  void end(Fault why, int os_error, ByteView last_words);
  void look(Lock& lock);
  void leave(Lane& lane);
  void settle(Lane& lane);

  static constexpr Duration kTrust{10};  // unused no longer than this: not looked at before use

  const std::unique_ptr<transport::Stream> stream_;
  const Limits& limits_;
  const std::size_t fragment_bytes_;
  const std::chrono::microseconds spin_;
  Watcher* const watcher_ = nullptr;
  const std::vector<Byte> listen_points_;
  std::atomic<bool> tells_{false};  // listen_points_

  mutable std::mutex mutex_;  // guards what follows
  giop::RequestTable table_;  // of Lanes
  bool sending_ = false;      // somebody sends, alone with carry_
  bool reading_ = false;      // somebody reads, alone with in_; always true if messages are delivered
  bool worn_ = false;         // out of ids or memory: calls under way may end
  bool send_failed_ = false;  // nothing can be sent; earlier requests may still be answered
  bool ended_ = false;        // nothing more will be received
  Fault why_ = Fault::None;   // ended_
  int os_error_ = 0;
  std::uint64_t too_late_ = 0;  // replies that came after their callers had given up, before the lanes went
  std::uint32_t in_pieces_11_ = 0;  // the request that fragments of GIOP 1.1 answer
  TimePoint last_used_{};
  std::uint32_t senders_ = 0;  // that wait for their turn
  std::condition_variable turn_to_send_;
  Followers followers_;  // while another reads
  Buffer carry_;  // the rest of a message whose sender's time was up: goes first
  Buffer in_{Buffer::kForPeer};
  std::size_t consumed_ = 0;  // of in_
  std::vector<std::unique_ptr<ClientConnection>> idle_;  // last: their lanes refer to the members above
};

// One caller's share of the connection, as a stream.
class Lane final : public transport::Stream {
 public:
  explicit Lane(SharedConnection& of) : of_(of), thread_(*this, of.spin_) {}
  ~Lane() override { of_.leave(*this); }

  // The id of the request to be sent.
  std::uint32_t id() const { return id_; }
  // The listen points that the request should carry; empty if none. told() says that a request with them has been
  // sent; afterwards they are empty.
  ByteView listen_points() const {
    return of_.tells_.load(std::memory_order_relaxed) ? ByteView(of_.listen_points_) : ByteView();
  }
  void told() { of_.tells_.store(false, std::memory_order_relaxed); }
  // Called after the request has been sent, instead of waiting in receive(). The sink is told when something has
  // come. Returns false if something is there already: the sink is not told then. The sink outlives the call, or
  // lives until forget_sink().
  bool tell(ReplySink& sink) { return of_.tell(*this, sink); }
  // The sink is not told from now on.
  void forget_sink() { of_.forget_sink(*this); }

  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline deadline) override {
    return of_.send(*this, parts, deadline);
  }
  using Stream::receive;
  transport::Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) override {
    return of_.receive(*this, into, deadline, now);
  }
  bool gathers() const override { return of_.stream_->gathers(); }
  bool quiet() override { return !of_.over(); }
  // The connection is not the lane's to end.
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {}
  const std::string& peer() const override { return of_.stream_->peer(); }
  const transport::Peer& peer_identity() const override { return of_.stream_->peer_identity(); }

 private:
  friend class SharedConnection;

  SharedConnection& of_;
  std::shared_ptr<SharedConnection> held_;  // while a call has the lane
  // Guarded by the connection's mutex.
  std::uint32_t id_ = 0;
  bool sent_ = false;       // some of the request may have been sent
  bool answerable_ = false; // and a reply is waited for, or all of it has not been sent
  bool came_ = false;       // inbox_ has messages for the caller
  Fault fault_ = Fault::None;
  Buffer inbox_{Buffer::kForPeer};
  ReplySink* sink_ = nullptr;
  Follower thread_;      // the sink while a thread waits
  bool serves_ = false;  // meanwhile
  // The caller's alone.
  Buffer mine_{Buffer::kForPeer};
  std::size_t taken_ = 0;  // of mine_
};

}  // namespace callis::orb
