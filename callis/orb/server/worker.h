// SPDX-License-Identifier: Apache-2.0
// Worker: serves connections on its thread, with its session and its buffers. It has two ways:
//
//   stay_with()  the thread has one connection, and waits for bytes, and for the peer to take in replies. The
//                thread that reads makes the upcall and sends the reply. (model connection)
//   handle()     the thread serves what has come on a connection, in turn with other connections. It never waits:
//                the connection goes back to the poller. (models pool and single)
//
// Both ways are one loop, drive_own() and drive_in_turns():
//
//   must it close? ──→ receive, if bytes are wanted ──→ Session::step() ──→ send what the step has to send ──┐
//         ↑                                                                                                  │
//         └──────────────────────────────────────────────────────────────────────────────────────────────────┘
//
// A client may send further requests before it has been answered. So a long upcall must not keep its connection
// (docs/design/connections.md, Upcalls that last). Before the upcall of a two-way request a worker that serves in
// turns lets go of the connection: the poller has it. A worker that stays keeps the connection, and so does every
// worker in the upcall of a one-way request, to keep the order of requests. keeps_ shows that the worker keeps a
// connection. If the upcall lasts, another thread takes the connection by one exchange of keeps_: then the pool reads
// on, and the worker only sends its reply. An upcall that is about to wait for a reply lets go itself. Keeping costs
// one locked operation for each request.
#pragma once
#include <callis/base/blocking_scope.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/server/server_connection.h>
#include <callis/orb/server/session.h>
#include <callis/transport/reactor/poller.h>

namespace callis::orb {

class Worker final : private WorkerGroup {
 public:
  // pool outlives the worker; nullptr if no other thread could go on with a connection. own: the worker is made for
  // stay_with().
  Worker(OrbContext& orb, Pool* pool, bool own);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Returns when the connection is over: the peer is gone, broke the protocol, or was idle or slow for too long; or
  // the server stops. Returns also when the pool serves the connection from now on; `owned`, the server's pointer to
  // it, is nullptr then (Server::give_up()).
  void stay_with(ServerConnection*& owned) noexcept;
  CALLIS_OPTIONAL void handle(const transport::Poller::Event& event) noexcept;

  // Whether the worker keeps a buffer of more than `above` bytes for its next event. Called, like release_buffers(),
  // between events, by the worker's thread.
  bool has_buffers(std::size_t above = 0) const { return in_.capacity() > above || out_.capacity() > above; }
  void release_buffers(std::size_t above = 0) noexcept {
    in_.shrink(above);
    out_.shrink(above);
  }

  // Called when the calling thread is about to wait for others inside an upcall. Lets go of the thread's connection,
  // if kept, since the others may need it.
  CALLIS_OPTIONAL static void waits() noexcept;
  // Takes a place for the calling thread (UpcallGate::take_place()), and gives it back. Part of the feature pool.
  CALLIS_OPTIONAL static bool take_place(OrbContext& orb) noexcept;
  CALLIS_OPTIONAL static void give_place_back(OrbContext& orb) noexcept;

  // --- Called by the session, inside a step ---

  // Called before each upcall, also of one-way requests. behind: the bytes behind the request's message. Returns true
  // if the connection belongs to another thread from now on. The session no longer touches its engine and bytes then.
  [[gnu::always_inline]] bool begins(const giop::RequestHeader& request, ByteView behind) {
    turn();
    two_way_.store(request.response == giop::ResponseFlags::WithTarget, std::memory_order_relaxed);
    if (!owned_) [[unlikely]] return begins_in_turn(request, behind);
    keep(behind);
    watch();
    return false;
  }
  // Called after an upcall for which begins() returned false. Returns whether the connection has been let go
  // meanwhile.
  bool ends() noexcept { return !keeps_.exchange(false, std::memory_order_acquire) && has_let_go(); }
  // Handles a CancelRequest for a request whose upcall may still be running (9.4.4).
  void cancel(std::uint32_t request_id) {
    if (!owned_) cancel_in_pool(request_id);  // else the upcall was over before the message could be read
  }
  // Handles a message that is not for the server and does not end the connection. Returns false if the message may
  // not come here.
  bool other_message(const giop::Message& message) {
    ServerConnection::ReplyReceiver* const receiver = connection_->reply_receiver();
    return receiver && receiver->take(*connection_, message);
  }
  // Called before begins() if a request has its client's listen points (9.8.1). context: the data of BI_DIR_IIOP. The
  // pool serves the connection from now on, as it reads replies while upcalls run.
  CALLIS_OPTIONAL void listen_points(ByteView context);

  // --- Any thread ---

  // Sets the worker's thread from now on, for wants_to_get_on(); 0 if this is no thread of the pool. has_place:
  // whether the thread has a place (UpcallGate::take_place()).
  void served_by(pid_t thread, bool has_place) {
    thread_.store(thread, std::memory_order_relaxed);
    session_.set_place(has_place);
  }
  // Whether the worker has got an event or begun an upcall since the last call. Only the timekeeper calls it, and the
  // following functions except cancel().
  bool gets_on(TimePoint now);
  // Whether the worker's thread runs, or waits for a processor, though gets_on(now) has returned false. Returns false
  // once this has lasted for 100 ms: an upcall computes. Never true for a thread with a connection of its own.
  bool wants_to_get_on(TimePoint now) const;
  bool is_own() const { return is_own_; }
  // Lets go of the connection that is kept during an upcall, if the same upcall was running at the last call. On a
  // thread with a connection of its own, the upcall of a one-way request must have run for a second. Returns whether
  // a kept connection must be looked at again. Called with the pool's mutex.
  bool let_go_of_slow(TimePoint now) noexcept;
  // Whether an upcall keeps its connection.
  bool keeps() const { return keeps_.load(std::memory_order_relaxed); }
  // Suppresses the reply to that request if the worker is inside its upcall.
  void cancel(std::uint32_t serial, std::uint32_t request_id);

 private:
  friend class Pool;
  friend class PoolTimekeeper;

  static constexpr std::size_t kLargeMessage = 16u << 10;  // is read alone: bytes behind it would have to be moved

  // Counts an event or an upcall. Only the worker's thread calls it.
  void turn() { turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  Session::StepResult step() {
    ByteView unread = in_.view(consumed_);
    const Session::StepResult did = session_.step(unread, out_);
    consumed_ = in_.size() - unread.size();
    return did;
  }
  void drop_consumed() {
    in_.drop_front(consumed_);
    consumed_ = 0;
  }
  // The bytes of the message at the front of in_, if only the rest of this message is to be received; 0 if all bytes
  // that come are.
  std::size_t large_message() const;
  // The time by which messages that have come in part must be whole. began: the beginning of the message at the front
  // of in_. Called only if limits.message_timeout is set.
  TimePoint whole_by(TimePoint began, TimePoint now);

  // --- Staying (worker.cpp) ---

  void drive_own();
  bool receive_own(bool idle);
  bool send_own(std::span<const ByteView> messages);
  void close_own_in_order();
  bool wait_for_message();
  bool wait_with_other_buffers();
  bool wait_longer();
  CALLIS_OPTIONAL bool wait_beside_pool();
  bool read_rest();
  transport::Transfer receive_first(Deadline deadline);
  transport::Transfer receive_into(Deadline deadline, TimePoint now, std::size_t most);
  std::size_t next_receive();
  void received(std::size_t n, std::size_t room);
  bool send_much(std::span<const ByteView> messages);
  bool sent(const transport::Transfer& t);
  void farewell();
  void note(const char* what) const;
  void leaves(Wait what) noexcept override;
  void returns() noexcept override {}

  // --- Keeping a connection during an upcall ---

  void keep(ByteView behind) {
    behind_ = behind;
    keeps_.store(true, std::memory_order_release);
  }
  // Has the timekeeper look at the upcall that begins.
  void watch() {
    if (!watching_->load(std::memory_order_seq_cst)) [[unlikely]] begin_watching();
  }
  CALLIS_OPTIONAL void begin_watching();
  CALLIS_OPTIONAL bool has_let_go() noexcept;
  CALLIS_OPTIONAL void let_go_of_kept() noexcept;

  // --- In turns (worker_turns.cpp) ---

  CALLIS_OPTIONAL void enlist();
  CALLIS_OPTIONAL void delist() noexcept;
  CALLIS_OPTIONAL bool leave_to_pool() noexcept;
  CALLIS_OPTIONAL bool begins_in_turn(const giop::RequestHeader& request, ByteView behind);
  CALLIS_OPTIONAL void cancel_in_pool(std::uint32_t request_id);
  CALLIS_OPTIONAL void go_on_in_turns(const Session::StepResult& did);
  CALLIS_OPTIONAL void fail() noexcept;
  void drive_in_turns(bool idle, bool wanted);
  bool wants_bytes(const Session::StepResult& did) const {
    return did.next == Session::Next::NeedBytes || (consumed_ == in_.size() && !did.postponed);
  }
  bool receive_in_turn(bool idle);
  bool end_step(const Session::StepResult& did);
  bool has_turn(const Session::StepResult& did);
  void answer(std::span<const ByteView> reply);
  bool may_stay(const ServerConnection& c) const;
  bool stays(ServerConnection& c, ByteView rest);
  bool wait_for_next(ServerConnection& c);
  bool not_received(ServerConnection& c, const transport::Transfer& t);
  bool turn_is_over() const;
  void serve(ServerConnection& c);
  bool must_close();
  bool must_close_now();
  bool take_up(ServerConnection& c);
  transport::Transfer receive_now(ServerConnection& c);
  void give_back(ServerConnection& c, bool again = false);
  void time_message(ServerConnection& c, bool part);
  void park(ServerConnection& c);
  bool keep_rest(ServerConnection& c);
  void discard(ServerConnection& c);
  void shrink();

  // The worker of the calling thread.
  static constinit thread_local Worker* mine_ __attribute__((tls_model("initial-exec")));

  OrbContext& orb_;
  Pool* const pool_;
  const std::atomic<bool>& stopping_;  // the pool's; for a thread with its own connection the server's
  const std::atomic<bool>* watching_;  // the timekeeper's; true if there is none
  const bool is_own_;                  // made for stay_with()
  // The server's pointer to the connection that the thread stays with. nullptr if the thread serves in turns, or the
  // pool has gone on with the connection.
  ServerConnection** owned_ = nullptr;
  ServerConnection* connection_ = nullptr;

  // --- The upcall that runs ---

  std::atomic<bool> keeps_{false};      // keeps the connection, and nobody has taken it
  std::atomic<bool> two_way_{false};    // its client waits for a reply
  std::atomic<std::uint64_t> turns_{0};  // events and upcalls
  ByteView behind_;  // the bytes behind the message
  ShortLock letting_go_;
  bool refused_ = false;  // under the lock: the pool could not take the connection, and is not asked again
  // The request for whose upcall the connection was let go: the connection's serial, the request id, and a bit that
  // says cancelled. 0: none.
  std::atomic<std::uint64_t> running_{0};
  std::atomic<pid_t> thread_{0};
  // These belong to the timekeeper.
  std::uint64_t turns_seen_ = 0;       // by gets_on()
  TimePoint got_on_{};                 // as far as it has seen
  std::uint64_t slow_turns_seen_ = 0;  // by let_go_of_slow()
  TimePoint slow_since_{};
  Worker *next_ = nullptr, *previous_ = nullptr;  // in the pool's list

  // --- What has come, and what goes ---

  Session session_;
  Buffer in_{Buffer::kForPeer}, out_{Buffer::kForPeer};
  std::size_t consumed_ = 0;  // of in_
  // Used in turns, for this turn of the connection.
  bool message_ended_ = false;
  unsigned receives_ = 0;
  int messages_ = 0;          // since the last receive
  TimePoint turn_began_{};    // when the turn's first message was served
  // Used when staying.
  const Duration patience_;
  TimePoint began_{};         // when the message at the front of in_ began; zero between messages
  bool late_ = false;         // its time, or an older fragmented message's, was up when read_rest() looked last
  std::size_t large_ = 0;     // bytes of the last message read alone; 0 when others came since
  bool was_large_ = false;    // while large_ is not 0: the last read brought a message of that size, or its end
  bool crowded_ = false;      // a receive has filled the buffer with small messages
};

}  // namespace callis::orb
