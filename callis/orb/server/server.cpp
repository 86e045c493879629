// SPDX-License-Identifier: Apache-2.0
// Listening, accepting, counting connections, and the end of all that.
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/accepted_stream.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/diagnostics/limit_texts.h>
#include <callis/orb/diagnostics/logged_stream.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/request_log.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/worker.h>

namespace callis::orb {
namespace {

// A connection over the memory transport, or from this ORB to itself.
class MemorySession final : public transport::MemoryConnection {
 public:
  MemorySession(OrbContext& orb, std::string peer)
      : orb_(&orb), peer_(std::move(peer)), conversation_(orb.limits()), session_(orb, nullptr) {
    session_.attach(conversation_, peer_, nullptr);
  }

  bool bytes_in(ByteView bytes, Buffer& answer) override {
    if (!orb_->server().enter()) {
      (void)session_.close_in_order(answer);
      return false;
    }
    bool open = false;
    try {
      open = in_.empty() ? work(bytes, answer) : in_.append(bytes) && work_on_kept(answer);
    } catch (...) {  // memory is exhausted; the transport below is built without exceptions
      log(LogLevel::Error, "a connection ends for want of memory");
    }
    orb_->server().leave();
    return open;
  }

 private:
  bool work_on_kept(Buffer& answer) {
    ByteView unread = in_.view();
    const bool open = steps(unread, answer);
    in_.drop_front(in_.size() - unread.size());
    return open;
  }
  bool work(ByteView bytes, Buffer& answer) {
    return steps(bytes, answer) && in_.append(bytes);
  }
  bool steps(ByteView& unread, Buffer& answer) {
    for (;;) {
      const std::size_t before = answer.size();
      const Session::StepResult did = session_.step(unread, answer);
      if (did.next == Session::Next::NeedBytes) return true;
      if (did.views > 1) put_pieces(answer, before, did.output());
      if (did.next == Session::Next::Close) return false;
    }
  }
  // Fragments: the headers in between are not in the answer yet.
  static void put_pieces(Buffer& answer, std::size_t from, std::span<const ByteView> pieces) {
    Buffer all;
    for (ByteView v : pieces) (void)all.append(v);
    answer.set_size(from);
    (void)answer.append(all.view());
  }

  const Counted<OrbContext> orb_;
  const std::string peer_;
  Conversation conversation_;
  Session session_;
  Buffer in_{Buffer::kForPeer};  // an incomplete message
};

class MemoryAcceptor final : public transport::MemoryAcceptor {
 public:
  // name: of the endpoint, for people.
  MemoryAcceptor(OrbContext& orb, const std::string& name) : orb_(&orb), peer_(name) {}
  std::unique_ptr<transport::MemoryConnection> accept() override {
    return orb_->server().stopping() ? nullptr : orb_->server().make_memory_connection(peer_);
  }

 private:
  const Counted<OrbContext> orb_;  // until stop() takes the endpoint back
  const std::string peer_;
};

std::shared_ptr<transport::MemoryAcceptor> make_acceptor(OrbContext& orb, const std::string& name) {
  return std::make_shared<MemoryAcceptor>(orb, name);
}

const char* too_many(bool of_one_peer) {
  return CALLIS_HAS(limit_texts) ? text_of_full(of_one_peer) : "too many connections";
}

}  // namespace

Server::Server(OrbContext& orb)
    : orb_(orb),
      spin_(orb.options().spin),
      most_own_threads_(
          orb.options().server_threads == ServerThreads::Connection ? orb.limits().max_connection_threads : 0) {}

Server::~Server() {
  stop();
  wait();
}

Result<void> Server::start() {
  std::lock_guard lock(start_mutex_);
  if (started() || stopping()) return {};
  const EndpointOption usual;
  const std::vector<EndpointOption>& given = orb_.options().endpoints;
  for (const EndpointOption& e : given.empty() ? std::span(&usual, 1) : std::span(given)) {
    const Result<void> opened = open(e);
    if (opened) continue;
    listeners_.clear();
    published_.clear();
    return opened;
  }
  for (auto& accepting : listeners_) {
    if (!accepting->accepts()) continue;
    const int error =
        acceptors_.emplace_back().start({"callis-accept"}, [this, &accepting] { accept_loop(*accepting); });
    if (error == 0) continue;
    acceptors_.pop_back();
    for (auto& l : listeners_) l->close();
    return Error{Fault::TransportFailed, error, "no thread to accept connections"};
  }
  started_.store(true, std::memory_order_release);
  if (CALLIS_HAS(request_log)) log_listening(given, published_);
  return {};
}

Result<void> Server::open(const EndpointOption& e) {
  auto listener =
      e.address.transport->listen(e, {orb_.options().unix_permissions, &make_acceptor, &orb_}, published_);
  if (!listener) return listener.error();
  listener.value()->set_farewell(farewell());
  listeners_.push_back(std::move(listener).value());
  return {};
}

constinit std::atomic<AcceptedStream> accepted_stream{nullptr};

void Server::accept_loop(transport::Listener& listener) {
  while (!stopping()) {
    try {
      auto stream = listener.accept();
      if (const AcceptedStream accepted = stream ? accepted_stream.load(std::memory_order_relaxed) : nullptr)
        accepted(orb_, *stream.value());
      if (stream && CALLIS_HAS(logged_stream)) log_stream(stream.value(), Opened::There);
      if (stream) admit(std::move(stream).value());
      else if (stream.fault() == Fault::ConnectionClosed) return;
      else log(LogLevel::Warning, stream.error().text());
      join_finished();
    } catch (const std::bad_alloc&) {
      log(LogLevel::Error, "no memory for a connection");
    }
  }
}

const char* Server::count_in(const transport::Peer& from) {
  const std::string host = transport::counted_with(from);
  const Limits& limits = orb_.limits();
  if (admitted_ >= limits.max_connections) return too_many(false);
  std::uint32_t* const known = per_host_.find(host);
  std::uint32_t& n = known ? *known : per_host_.insert(host, 0);
  if (n >= limits.max_connections_per_peer) return too_many(true);
  ++n;
  ++admitted_;
  return nullptr;
}

void Server::count_out(const transport::Peer& from) {
  const std::string host = transport::counted_with(from);
  std::uint32_t* const n = per_host_.find(host);
  if (!n) return;
  --admitted_;
  if (--*n == 0) per_host_.erase(host);
}

void Server::gone(const transport::Peer& peer) {
  const std::lock_guard lock(mutex_);
  count_out(peer);
}

ByteView Server::farewell() {
  static const auto kFarewell = giop::close_connection(giop::kGiop10);
  return kFarewell;
}

void Server::turn_away(transport::Stream& stream, const char* why, bool limit) {
  (void)stream.send(farewell(), Deadline::in(Duration(1)));
  log(limit && CALLIS_HAS(limit_texts) ? level_of(MetLimit::OfConnections) : LogLevel::Info,
      {stream.peer(), ": ", why});
}

void Server::admit(std::unique_ptr<transport::Stream> stream) {
  Pool* const p = pool();
  std::unique_lock lock(mutex_);
  const char* const why = stopping() ? "shutting down" : count_in(stream->peer_identity());
  if (why) {
    lock.unlock();
    return turn_away(*stream, why, !stopping());
  }
  if (!short_of_threads() && start_thread(stream, p)) return;
  lock.unlock();
  give_to(p, std::move(stream));
}

void Server::admit_to(Pool& pool, std::unique_ptr<transport::Stream> stream) {
  {
    std::unique_lock lock(mutex_);
    const char* const why = stopping() ? "shutting down" : count_in(stream->peer_identity());
    if (why) {
      lock.unlock();
      return turn_away(*stream, why, !stopping());
    }
  }
  give_to(&pool, std::move(stream));
}

// Gives an admitted connection to the pool, or turns the connection away if there is no pool.
void Server::give_to(Pool* pool, std::unique_ptr<transport::Stream> stream) {
  if (pool && pool->take(stream)) return;
  turn_away(*stream, "nobody to serve the connection");
  gone(stream->peer_identity());
}

Pool* Server::pool() {
  if (Pool* const p = made_pool_.load(std::memory_order_acquire)) return p;
  return CALLIS_HAS(pool) ? make_pool() : nullptr;
}

// Called with the mutex. Returns false, and leaves the stream, if there is no thread for it.
bool Server::start_thread(std::unique_ptr<transport::Stream>& stream, Pool* pool) {
  stream->set_spin(spin_.load(std::memory_order_relaxed));
  auto made = Counted<ServerConnection>::adopt(new ServerConnection(stream, orb_.limits()));
  serving_.push_back({made.get(), {}});
  const auto c = std::prev(serving_.end());
  // The thread waits for mutex_ before it touches the list.
  const int error = c->thread.start({"callis-conn"}, [this, c, pool] { serve(c, pool); });
  if (error == 0) {
    (void)made.detach();
    own_threads_.fetch_add(1, std::memory_order_relaxed);
    if (pool) pool->tell_shortage();
    return true;
  }
  log_failed("no thread for a connection", error);
  stream = made->take_stream();
  serving_.erase(c);
  return false;
}

void Server::serve(Connections::iterator c, Pool* pool) {
  const bool has_place = CALLIS_HAS(pool) && Worker::take_place(orb_);
  {
    Worker worker(orb_, pool, true);
    worker.served_by(0, has_place);
    worker.stay_with(c->connection);
  }
  if (has_place) Worker::give_place_back(orb_);
  std::unique_lock lock(mutex_);
  if (ServerConnection* const over = std::exchange(c->connection, nullptr)) {
    count_out(over->peer_identity());
    over->release();
  }
  own_threads_.fetch_sub(1, std::memory_order_relaxed);
  if (pool) pool->tell_shortage();
  if (PeerMemory::wants_look() && !looks_) look_after_memory(lock);
  finished_.splice(finished_.end(), serving_, c);
  changed_.notify_all();
}

bool Server::give_up(ServerConnection*& owned) {
  const std::lock_guard lock(mutex_);
  if (stopping()) return false;
  owned = nullptr;
  return true;
}

// Returns to the system the memory of connections that have ended. The calling thread served one of them, is counted
// no more, and has nothing else to do.
[[gnu::cold, gnu::noinline]] void Server::look_after_memory(std::unique_lock<std::mutex>& lock) {
  looks_ = true;
  while (!stopping() && PeerMemory::wants_look()) {
    changed_.wait_for(lock, PeerMemory::kLookEvery, [this] { return stopping(); });
    lock.unlock();
    PeerMemory::look();
    lock.lock();
  }
  looks_ = false;
}

void Server::join_finished() {
  Connections done;
  {
    std::lock_guard lock(mutex_);
    done.swap(finished_);
  }
  for (Connection& c : done) c.thread.join();
}

void Server::stop() {
  std::lock_guard start_lock(start_mutex_);
  if (stopping_.exchange(true)) return;
  for (auto& l : listeners_) l->close();
  {
    const std::lock_guard lock(mutex_);
    for (Connection& c : serving_)
      if (c.connection) c.connection->stop_receiving();
    changed_.notify_all();
  }
  const std::lock_guard lock(pool_mutex_);
  if (pool_) pool_->stop();
}

void Server::wait() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return serving_.empty() && in_flight_.load() == 0; });
  }
  if (Pool* const p = made_pool_.load(std::memory_order_acquire)) p->wait();
  std::lock_guard start_lock(start_mutex_);
  for (Thread& t : acceptors_) t.join();
  acceptors_.clear();
  join_finished();
}

bool Server::enter() {
  in_flight_.fetch_add(1, std::memory_order_seq_cst);
  if (!stopping()) return true;
  leave();
  return false;
}

void Server::leave() {
  if (in_flight_.fetch_sub(1, std::memory_order_seq_cst) != 1 || !stopping()) return;
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

std::unique_ptr<transport::MemoryConnection> Server::make_memory_connection(std::string peer) {
  return std::make_unique<MemorySession>(orb_, std::move(peer));
}

}  // namespace callis::orb
