// SPDX-License-Identifier: Apache-2.0
// PoolWorker: what a thread of the pool needs to serve connections in turn: buffers, which it lends to the connection
// whose messages it reads, and the session. An idle connection has neither.
#pragma once
#include <callis/orb/server/connection_driver.h>
#include <callis/orb/server/server_connection.h>
#include <callis/orb/server/session.h>
#include <callis/transport/reactor/poller.h>

namespace callis::orb {

class PoolWorker final : private Session::Owner, private ConnectionDriver<PoolWorker> {
 public:
  PoolWorker(OrbContext& orb, Pool& pool);

  void handle(const transport::Poller::Event& event) noexcept;

  // Whether the worker keeps larger buffers than these for its next event. Called, like release_buffers(), between
  // events, by the thread that serves with the worker.
  bool has_buffers(std::size_t above = 0) const { return in_.capacity() > above || out_.capacity() > above; }
  void release_buffers(std::size_t above = 0) noexcept {
    in_.shrink(above);
    out_.shrink(above);
  }

  // Called when a thread of the pool is about to wait for others inside an upcall. A worker that keeps a
  // bidirectional connection during a one-way upcall lets go of it then, since what the thread waits for may come
  // over it.
  static void waits() noexcept;

  // --- Any thread ---

  // The thread that serves with it from now on; 0: none of the pool's.
  void served_by(pid_t thread) { thread_.store(thread, std::memory_order_relaxed); }
  // Whether the worker has got an event or begun an upcall since the last call. Called by the timekeeper alone.
  bool gets_on(TimePoint now);
  // Whether the worker's thread runs, or waits for a processor, though gets_on(now) has returned false. Returns false
  // once that has lasted for 100 ms: an upcall computes. Called by the timekeeper alone.
  bool wants_to_get_on(TimePoint now) const;
  // Lets go of the connection that is kept during an upcall, if that upcall was running at the last call already.
  // Called by the timekeeper alone.
  void let_go_of_slow();
  // Suppresses the reply to that request if the worker is inside its upcall.
  void cancel(std::uint32_t serial, std::uint32_t request_id);

 private:
  friend class ConnectionDriver<PoolWorker>;

  // --- What the session asks for ---

  bool let_go(const giop::RequestHeader& request, ByteView rest) override;
  bool has_let_go() override;
  void cancel(std::uint32_t request_id) override;
  bool other_message(const giop::Message& message) override;
  void listen_points(ByteView context) override;

  // --- What the driver asks for ---

  bool must_close();
  void close_in_order() { connection_->close_in_order(); }
  bool receive(bool idle);
  bool send(std::span<const ByteView> messages);
  bool go_on(const Session::StepResult& did);
  void let_go(std::span<const ByteView> reply) { answer(*connection_, reply); }
  void leave() {}  // the pool has it
  void farewell() { connection_->linger(); }
  void lost() { connection_->drop(); }

  bool may_stay(const ServerConnection& c) const;
  bool stays(ServerConnection& c, ByteView rest);
  bool wait_for_next(ServerConnection& c);
  bool not_received(ServerConnection& c, const transport::Transfer& t);
  bool turn_is_over() const;
  void serve(ServerConnection& c);
  bool must_close_now();
  bool take_up(ServerConnection& c);
  transport::Transfer receive_now(ServerConnection& c);
  void give_back(ServerConnection& c, bool again = false);
  void time_message(ServerConnection& c, bool part);
  void park(ServerConnection& c);
  bool keep(ServerConnection& c);
  void answer(ServerConnection& c, std::span<const ByteView> reply);
  void discard(ServerConnection& c);
  void shrink();

  // That the thread serves with.
  static constinit thread_local PoolWorker* mine_ __attribute__((tls_model("initial-exec")));

  OrbContext& orb_;
  Pool& pool_;
  bool keeps_ = false;          // kept_ has been set and not been asked for
  bool keeps_two_way_ = false;  // if so: for a request that is answered
  bool message_ended_ = false;  // since the connection was taken up
  ServerConnection* connection_ = nullptr;
  // Of this turn of the connection.
  unsigned receives_ = 0;
  int messages_ = 0;    // since the last receive
  TimePoint began_{};   // when the first of them was served

  std::atomic<std::uint64_t> turns_{0};
  std::uint64_t turns_seen_ = 0;  // by gets_on()
  TimePoint got_on_{};            // as far as it has seen
  std::atomic<pid_t> thread_{0};
  std::uint64_t slow_turns_seen_ = 0;  // by let_go_of_slow()
  // The request whose upcall runs: its connection's serial, its id, and a bit that says cancelled. 0: none.
  std::atomic<std::uint64_t> running_{0};
  // The connection that is kept during an upcall, of a one-way request for the sake of order, or by a thread that
  // stays; and what has come behind.
  std::atomic<ServerConnection*> kept_{nullptr};
  ByteView behind_;
  ShortLock letting_go_;
};

}  // namespace callis::orb
