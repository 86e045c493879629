// SPDX-License-Identifier: Apache-2.0
// Pool: serves many connections by few threads, as leader and followers: the worker that gets an event from the
// poller reads the message, makes the upcall and sends the reply itself, while the next worker waits for events. The
// kernel keeps the queue of the workers that wait. Only whole connections pass from thread to thread.
//
//   Poller ──event──→ Worker (a thread; or the application's, inside run() and perform_work())
//                        └─ ServerConnection: read, let go, upcall, reply
//   timekeeper ("callis-time"): deadlines of messages, of output, of idleness; one more worker ("callis-pool") when
//                        all are in upcalls and something waits
//
// Threads: as many as are wanted, up to `most`. A thread that has had nothing to do for 10 s ends, except the last
// two. A thread whose upcall waits for others - for the reply to a call, for its turn - does not count, up to
// Limits::max_dispatches threads in all. When such threads come back, workers that have no event sleep while more
// serve than may. Each connection that was handed over during an upcall allows one thread more, up to
// Limits::max_connection_threads. With `most` 0 only threads of the application make upcalls; the pool's own threads
// keep time and, at the end, close connections.
//
// A pool made by PoolTerms has as many threads as these say, from the beginning to the end: one that waits counts
// like any other. They keep their buffers, up to 128 KiB, so that a usual request finds all that it needs
// (callis/rt). While there are more threads than connections a thread stays with its connection: it serves a request,
// and waits for the next, as the thread of a connection does; an upcall that lasts lets go of the connection. Threads
// that are added later serve whatever comes.
#pragma once
#include <callis/base/blocking_scope.h>
#include <callis/base/limits.h>
#include <callis/base/thread.h>
#include <callis/orb/base/features.h>
#include <callis/orb/server/pool_timekeeper.h>
#include <callis/orb/server/server_connection.h>
#include <callis/transport/reactor/poller.h>
#include <condition_variable>
#include <list>
#include <mutex>
#include <vector>

namespace callis::orb {

class OrbContext;

// What a pool is that is not the ORB's usual one.
struct PoolTerms {
  std::uint32_t threads = 0;
  const pthread_attr_t* attributes = nullptr;  // of all its threads; to last until create() has returned
  const char* name = "callis-pool";            // of its workers; a literal
  // They are of a real-time policy. Who waits for an answer with the same priority and on the same processor has it
  // before the worker looks for the next request.
  bool yields = false;
};

class Pool final : private WorkerGroup {
 public:
  // As the options of the ORB ask for. nullptr, and logged, when descriptors are used up. In the model connection it
  // only keeps time, and has neither descriptors nor further threads, until it gets a connection.
  CALLIS_OPTIONAL static std::unique_ptr<Pool> create(OrbContext& orb);
  // As the terms say, with all threads started. TransportFailed, with what errno says, when descriptors or threads
  // are used up, or the process may not have threads of that kind.
  CALLIS_OPTIONAL static Result<std::unique_ptr<Pool>> create(OrbContext& orb, const PoolTerms& terms);
  // Of such a pool: one thread more, to the end, which threads() does not count. terms: those of create(), whose
  // number of threads does not matter. 0, or an errno; ECANCELED when the pool is stopping. Any thread;
  // std::bad_alloc.
  CALLIS_OPTIONAL int add_thread(const PoolTerms& terms);
  CALLIS_OPTIONAL ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Serves a new connection from now on. Returns false, and takes nothing, when the pool is stopping, or when it has
  // no thread and gets none.
  CALLIS_OPTIONAL bool take(std::unique_ptr<transport::Stream>& stream);
  // Serves a connection that this ORB has opened, and over which the peer may call it. Returns an empty pointer where
  // take() returns false. The receiver may be called before this returns.
  Counted<ServerConnection> take_opened(std::unique_ptr<transport::Stream>& stream,
                                        ServerConnection::ReplyReceiver& receiver) {
    return add(stream, giop::Role::Client, &receiver);
  }
  using WorkerGroup::has_this_thread;
  std::size_t connections() const { return count_.load(std::memory_order_relaxed); }
  // The pool's own threads, except those that sleep because more serve than may.
  std::uint32_t threads() const { return running_.load(std::memory_order_relaxed); }

  // --- For the application's threads ---

  // Serves until something has been done; ms: waits so long for it, -1 for as long as it takes. Returns also when
  // nudge() was called.
  CALLIS_OPTIONAL void serve_once(int ms);
  // Whether serve_once() would have something to do at once.
  CALLIS_OPTIONAL bool pending();
  // A thread inside serve_once(), or the next, comes out of it; all of them when stopping.
  CALLIS_OPTIONAL void nudge();

  // Connections end in good order from now on. Does not wait.
  CALLIS_OPTIONAL void stop();
  // After stop(): until all connections have ended, then until all threads have.
  CALLIS_OPTIONAL void wait();

  // --- For connections and workers ---

  const Limits& limits() const;
  transport::Poller& poller() { return *poller_; }
  bool stopping() const { return stopping_.load(std::memory_order_seq_cst); }
  const std::atomic<bool>& stopping_flag() const { return stopping_; }
  // Whether a fixed pool has more threads than connections, so that a thread may stay with one.
  bool has_thread_for_each() const { return is_fixed() && count_.load(std::memory_order_relaxed) < most_; }
  bool yields() const { return yields_; }  // PoolTerms::yields
  // An upcall begins during which its connection is kept, while watching_flag() is false.
  const std::atomic<bool>& watching_flag() const { return timekeeper_.watching_flag(); }
  void begin_watching() { timekeeper_.begin_watching(); }
  std::int64_t now() const { return timekeeper_.now(); }  // see there
  std::int64_t send_deadline() const;
  void remove(ServerConnection& connection) noexcept;
  // Suppresses the reply of the request if its upcall is running.
  void cancel(const ServerConnection& connection, std::uint32_t request_id);

 private:
  friend class PoolTimekeeper;
  friend class Worker;

  struct PoolThread {
    Thread thread;
    bool ended = false;
  };
  using Threads = std::list<PoolThread>;

  CALLIS_OPTIONAL Counted<ServerConnection> add(std::unique_ptr<transport::Stream>& stream, giop::Role role,
                                                ServerConnection::ReplyReceiver* receiver);
  // With the mutex: has the connection of a thread from now on, that is inside an upcall or between two. owned: the
  // server's pointer to it. Returns false, and nothing has changed, where take() returns false, and when the server
  // stops. The thread is the reader still.
  bool adopt(ServerConnection& connection, ServerConnection*& owned, bool in_upcall) noexcept;
  void enter(ServerConnection& connection);
  void enlist(Worker& worker);
  void delist(Worker& worker) noexcept;
  Pool(OrbContext& orb, std::uint32_t most, std::uint32_t kept, std::unique_ptr<transport::Poller> poller,
       bool yields = false);
  // error: what errno would say of the thread that could not be started.
  bool start_threads(const PoolTerms& terms = {}, int* error = nullptr);
  bool start_worker(const PoolTerms& terms = {}, int* error = nullptr);
  bool is_fixed() const { return kept_ >= kFixed; }
  bool make_poller();
  void work(PoolThread& own);
  void work_beside(PoolThread& own);
  bool serve_next(Worker& worker);
  bool retire();
  bool rest();
  std::uint32_t most() const;
  void leaves(Wait what) noexcept override;
  void returns() noexcept override;
  void join_ended();
  std::unique_ptr<Worker> borrow();
  void give_back(std::unique_ptr<Worker> worker);

  // Threads that do not end: one that serves, one that waits meanwhile. A fixed pool has another number.
  static constexpr std::uint32_t kUsuallyKept = 2, kFixed = 0x10000;

  OrbContext& orb_;
  const std::uint32_t most_;
  const std::uint32_t kept_;  // kFixed or more: fixed
  const bool yields_;
  std::unique_ptr<transport::Poller> poller_;  // before the first thread and the first connection
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint32_t> waiting_{0};   // workers that wait for events
  std::atomic<std::uint32_t> running_{0};   // of threads_; changed under mutex_
  std::atomic<std::uint32_t> blocked_{0};    // of running_
  std::atomic<std::uint32_t> resting_{0};   // of threads_, beside running_
  std::atomic<std::uint32_t> guests_{0};    // threads of the application among all workers
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint32_t> handed_over_{0};  // of those, adopted during an upcall

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::condition_variable room_;  // fewer serve than may
  ServerConnection* connections_ = nullptr;
  std::uint32_t next_serial_ = 0;
  Threads threads_;
  Worker* workers_ = nullptr;  // all, also the application's, and those with a connection of their own
  std::vector<std::unique_ptr<Worker>> free_;
  std::size_t lent_ = 0;  // workers that borrow() has given out
  bool ending_ = false;
  PoolTimekeeper timekeeper_;
};

}  // namespace callis::orb
