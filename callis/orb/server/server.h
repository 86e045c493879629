// SPDX-License-Identifier: Apache-2.0
// Server: listens and accepts within limits, with a thread for each listening socket ("callis-accept"). Connections
// are served by a thread each ("callis-conn", worker.h), by the pool (pool.h) or by threads of the application, as
// Options::server_threads says. In the first case the pool serves connections beyond Limits::max_connection_threads,
// and connections that are idle for long. Memory endpoints are served by their clients' threads.
//
// Between messages a connection's thread waits for bytes no longer than Limits::idle_timeout; then it sends
// CloseConnection. Inside a message it waits no longer than Limits::message_timeout plus a share by size; then the
// connection is dropped. No upcall is ever interrupted.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <callis/base/string_map.h>
#include <callis/base/thread.h>
#include <callis/ior/ior.h>
#include <callis/orb/options/transport.h>
#include <callis/orb/server/session.h>
#include <callis/transport/transport.h>
#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>

namespace callis::orb {

class OrbContext;
class Pool;
class ServerConnection;

class Server final {
 public:
  explicit Server(OrbContext& orb);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // On connections that are accepted from now on, threads no longer look for messages again and again (-ORBSpin).
  void stop_spinning() { spin_.store({}, std::memory_order_relaxed); }

  // Opens all endpoints of the options, or none if it fails. Later calls do nothing.
  Result<void> start();
  bool started() const { return started_.load(std::memory_order_acquire); }

  // The addresses that references to objects here carry. Valid after start().
  const std::list<EndpointAddress>& published() const { return published_; }

  // Called in a child of fork(): the ports and the threads belong to the parent. Then nothing is served here, and
  // stop() and wait() must not be called. A server that does not listen yet may listen in the child: only the pool's
  // threads are gone.
  void go_on_in_child() {
    left_to_parent_ = started();
    made_pool_ = nullptr;
    (void)pool_.release();  // its threads will not leave their waits
  }
  bool left_to_parent() const { return left_to_parent_; }

  // Ends the accepting of connections. Each connection ends after its current message. Does not wait.
  void stop();
  bool stopping() const { return stopping_.load(std::memory_order_seq_cst); }
  const std::atomic<bool>& stopping_flag() const { return stopping_; }
  // Called after stop(). Waits until all threads have ended and all upcalls are over.
  void wait();

  // The server's side of a connection without a socket: memory endpoints, and calls to own objects.
  std::unique_ptr<transport::MemoryConnection> make_memory_connection(std::string peer);

  // The number of served connections that clients have opened, without those of memory endpoints.
  std::uint32_t connections() const {
    const std::lock_guard lock(mutex_);
    return admitted_;
  }

  // The pool, made at the first call. nullptr if the server is stopping, if descriptors are used up, and in programs
  // without the feature pool.
  Pool* pool();
  // Whether some connections have no thread of their own because other connections have all threads.
  bool short_of_threads() const {
    return own_threads_.load(std::memory_order_relaxed) >= most_own_threads_;
  }
  // For Pool::adopt(): gives a connection that has a thread to the pool. owned is the server's pointer to the
  // connection, and nullptr afterwards. Returns false, and changes nothing, if the server is stopping.
  bool give_up(ServerConnection*& owned);
  // The CloseConnection for a client that is turned away: none of its requests on this connection is processed, so
  // the client may go elsewhere or come again.
  static ByteView farewell();
  // Counts the connection in, and gives it to that pool, which is not this server's own. Turns the connection away if
  // there are too many, or if the pool is stopping.
  void admit_to(Pool& pool, std::unique_ptr<transport::Stream> stream);
  // Called when a connection of the pool, from that peer, has ended.
  void gone(const transport::Peer& peer);

  // Keeps wait() waiting while a request is served. Returns false, and does not, if the server is stopping.
  bool enter();
  void leave();

 private:
  struct Connection {
    ServerConnection* connection;  // nullptr once it is over, or the pool's
    Thread thread;
  };
  using Connections = std::list<Connection>;

  CALLIS_OPTIONAL Pool* make_pool();  // in pool.cpp
  Result<void> open(const EndpointOption& e);
  void accept_loop(transport::Listener& listener);
  void admit(std::unique_ptr<transport::Stream> stream);
  // Counts a connection in. Returns nullptr, or the reason for refusing it.
  const char* count_in(const transport::Peer& from);
  void count_out(const transport::Peer& from);
  bool start_thread(std::unique_ptr<transport::Stream>& stream, Pool* pool);
  void turn_away(transport::Stream& stream, const char* why, bool limit = false);
  void serve(Connections::iterator c, Pool* pool);
  void give_to(Pool* pool, std::unique_ptr<transport::Stream> stream);
  void look_after_memory(std::unique_lock<std::mutex>& lock);
  void join_finished();

  OrbContext& orb_;
  std::mutex start_mutex_;
  std::atomic<bool> started_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<std::chrono::microseconds> spin_;
  bool left_to_parent_ = false;  // changes only while there is one thread
  std::list<EndpointAddress> published_;
  std::list<std::unique_ptr<transport::Listener>> listeners_;
  std::list<Thread> acceptors_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Connections serving_;
  Connections finished_;  // threads that only have to end
  StringMap<std::uint32_t> per_host_;
  std::uint32_t admitted_ = 0;  // the sum of per_host_
  bool looks_ = false;          // somebody is in look_after_memory()
  std::atomic<std::uint32_t> own_threads_{0};
  const std::uint32_t most_own_threads_;
  std::mutex pool_mutex_;  // guards making it
  std::unique_ptr<Pool> pool_;
  std::atomic<Pool*> made_pool_{nullptr};
  std::atomic<std::uint32_t> in_flight_{0};
};

}  // namespace callis::orb
