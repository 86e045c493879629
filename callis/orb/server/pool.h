// SPDX-License-Identifier: Apache-2.0
// Pool: serves many connections by few threads, as leader and followers. The worker that gets an event from the
// poller reads the message, makes the upcall and sends the reply itself, while the next worker waits for events. The
// kernel keeps the queue of the workers that wait. Only whole connections pass from thread to thread.
//
//   Poller ──event──→ Worker (a thread; or the application's, inside run() and perform_work())
//                        └─ ServerConnection: read, let go, upcall, reply
//   timekeeper ("callis-time"): deadlines of messages, of output, of idleness; one more worker ("callis-pool") when
//                        all are in upcalls and something waits
//
// Threads: as many as are wanted, up to `most`. A thread that has had nothing to do for 10 s ends, except the last
// two. A thread whose upcall waits (for the reply to a call, or for its turn) does not count, up to
// Limits::max_dispatches threads in all. When such threads come back, workers without an event sleep while more
// threads serve than allowed. Each connection that was handed over during an upcall allows one thread more, up to
// Limits::max_connection_threads. With `most` 0 only threads of the application make upcalls; the pool's own threads
// keep time and, at the end, close connections.
//
// A pool made by PoolTerms has the number of threads that they say, from the beginning to the end: a waiting thread
// counts like any other. The threads keep their buffers, up to 128 KiB, so that a usual request needs no memory
// (callis/rt). While there are more threads than connections a thread stays with its connection: it serves a request,
// and waits for the next, as the thread of a connection does. An upcall that lasts lets go of the connection. Threads
// that are added later serve any connection.
#pragma once
#include <callis/base/blocking_scope.h>
#include <callis/base/limits.h>
#include <callis/base/thread.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/server/pool_timekeeper.h>
#include <callis/orb/server/server_connection.h>
#include <callis/transport/reactor/poller.h>
#include <condition_variable>
#include <list>
#include <mutex>
#include <vector>

namespace callis::orb {

class OrbContext;

// The terms of a pool that is not the ORB's usual pool.
struct PoolTerms {
  std::uint32_t threads = 0;
  const pthread_attr_t* attributes = nullptr;  // of all its threads; valid until create() has returned
  const char* name = "callis-pool";            // of its workers; a literal
  // Set for threads of a real-time policy: a worker yields before it looks for the next request. So a thread of the
  // same priority on the same processor, which waits for the answer, gets it first.
  bool yields = false;
};

class Pool final : private WorkerGroup {
 public:
  // Makes the pool that the ORB's options ask for. Returns nullptr, and logs this, if descriptors are used up. In the
  // model connection the pool only keeps time, and has neither descriptors nor further threads, until it gets a
  // connection.
  CALLIS_OPTIONAL static std::unique_ptr<Pool> create(OrbContext& orb);
  // Makes a pool by the terms, with all threads started. Fails with TransportFailed, and errno's text, if descriptors
  // or threads are used up, or if the process may not have threads of that kind.
  CALLIS_OPTIONAL static Result<std::unique_ptr<Pool>> create(OrbContext& orb, const PoolTerms& terms);
  // Adds a thread to such a pool, until its end; threads() does not count this thread. terms are the terms of
  // create(); their number of threads does not matter. Returns 0 or an errno; ECANCELED if the pool is stopping. Any
  // thread may call. Throws std::bad_alloc.
  CALLIS_OPTIONAL int add_thread(const PoolTerms& terms);
  CALLIS_OPTIONAL ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Serves a new connection from now on. Returns false, and takes nothing, if the pool is stopping, or if it has no
  // thread and gets none.
  CALLIS_OPTIONAL bool take(std::unique_ptr<transport::Stream>& stream);
  // Serves a connection that this ORB has opened, and over which the peer may call the ORB. Returns an empty pointer
  // in the cases in which take() returns false. The receiver may be called before take_opened() returns.
  Counted<ServerConnection> take_opened(std::unique_ptr<transport::Stream>& stream,
                                        ServerConnection::ReplyReceiver& receiver) {
    return add(stream, giop::Role::Client, &receiver);
  }
  using WorkerGroup::has_this_thread;
  std::size_t connections() const { return count_.load(std::memory_order_relaxed); }
  // The number of the pool's own threads, without threads that sleep because more serve than allowed.
  std::uint32_t threads() const { return running_.load(std::memory_order_relaxed); }

  // --- For the application's threads ---

  // Serves until something has been done. Waits at most ms milliseconds; -1 means without limit. Returns also when
  // nudge() was called.
  CALLIS_OPTIONAL void serve_once(int ms);
  // Whether serve_once() would have something to do at once.
  CALLIS_OPTIONAL bool pending();
  // Makes a thread inside serve_once(), or the next to call it, return; all of them if the pool is stopping.
  CALLIS_OPTIONAL void nudge();

  // From now on connections end in good order. Does not wait.
  CALLIS_OPTIONAL void stop();
  // Called after stop(). Waits until all connections have ended, then until all threads have.
  CALLIS_OPTIONAL void wait();

  // --- For connections and workers ---

  const Limits& limits() const;
  transport::Poller& poller() { return *poller_; }
  bool stopping() const { return stopping_.load(std::memory_order_seq_cst); }
  const std::atomic<bool>& stopping_flag() const { return stopping_; }
  // Whether a fixed pool has more threads than connections, so that a thread may stay with one.
  bool has_thread_for_each() const { return is_fixed() && count_.load(std::memory_order_relaxed) < most_; }
  bool yields() const { return yields_; }  // PoolTerms::yields
  // Called if watching_flag() is false when an upcall begins that keeps its connection.
  const std::atomic<bool>& watching_flag() const { return timekeeper_.watching_flag(); }
  void begin_watching() { timekeeper_.begin_watching(); }
  std::int64_t now() { return timekeeper_.now(); }  // see there
  std::int64_t timekeeper_sleeps_until() const { return timekeeper_.sleeps_until(); }  // see there
  std::int64_t send_deadline() const;
  // Called by the thread of a connection that has been idle for a while. Sleeps until there is input, the time is up
  // (Duration::max(): never), or the server gets short of threads. Unable: did not sleep, since there is no
  // descriptor, or the server is short of threads already.
  enum class Woken : std::uint8_t { ByInput, Otherwise, Unable };
  CALLIS_OPTIONAL Woken sleep_idle(int descriptor, Duration most) noexcept;
  std::uint32_t sleepers() const { return sleepers_.load(std::memory_order_relaxed); }
  // Wakes these threads. Called whenever Server::short_of_threads() may have changed, by one thread at a time.
  CALLIS_OPTIONAL void tell_shortage() noexcept;
  void remove(ServerConnection& connection) noexcept;
  // Suppresses the reply to the request if its upcall is running.
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
  // Called with the mutex. Takes over the connection of a thread that is inside an upcall or between two. owned is
  // the server's pointer to the connection. Returns false, and changes nothing, in the cases in which take() returns
  // false, and if the server stops. The thread is still the reader.
  bool adopt(ServerConnection& connection, ServerConnection*& owned, bool in_upcall) noexcept;
  void enter(ServerConnection& connection);
  void enlist(Worker& worker);
  void delist(Worker& worker) noexcept;
  Pool(OrbContext& orb, std::uint32_t most, std::uint32_t kept, std::unique_ptr<transport::Poller> poller,
       bool yields = false);
  // error: the errno for a thread that could not be started.
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

  // The number of threads that do not end: one serves while one waits. A fixed pool has another number.
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
  std::atomic<std::uint32_t> handed_over_{0};  // number of these adopted during an upcall
  std::atomic<std::uint32_t> sleepers_{0};  // threads in sleep_idle()
  std::atomic<int> shortage_{-1};  // an eventfd, readable while the server is short of threads; made when needed

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::condition_variable room_;  // fewer threads serve than allowed
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
