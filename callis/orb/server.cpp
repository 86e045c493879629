// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/orb/connection_loop.h>
#include <callis/orb/core.h>
#include <callis/orb/server.h>
#include <callis/orb/session.h>
#include <pthread.h>
#include <system_error>

namespace callis::orb {
namespace {

// What a client is told that is turned away: nothing sent on this connection will be processed, so it may go
// elsewhere or come again.
const auto kFarewell = giop::close_connection(giop::kGiop10);

void name_thread(const char* name) { (void)::pthread_setname_np(::pthread_self(), name); }

// A connection over the memory transport, or from this ORB to itself.
class MemorySession final : public transport::MemoryConnection {
 public:
  MemorySession(Core& core, std::string peer) : core_(&core), session_(core, std::move(peer)) {}

  bool bytes_in(ByteView bytes, Buffer& answer) override {
    if (!core_->server().enter()) {
      session_.close_in_order(answer);
      return false;
    }
    bool open = false;
    try {
      open = in_.empty() ? work(bytes, answer) : in_.append(bytes) && work_on_kept(answer);
    } catch (...) {  // memory is exhausted; the transport below is built without exceptions
      log(LogLevel::Error, "a connection ends for want of memory");
    }
    core_->server().leave();
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
      const Session::Next next = session_.step(unread, answer);
      if (next == Session::Next::NeedBytes) return true;
      if (session_.output().size() > 1) put_pieces(answer, before);
      if (next == Session::Next::Close) return false;
    }
  }
  // Fragments: the headers in between are not in the answer yet.
  void put_pieces(Buffer& answer, std::size_t from) {
    Buffer all;
    for (ByteView v : session_.output()) (void)all.append(v);
    answer.set_size(from);
    (void)answer.append(all.view());
  }

  const Counted<Core> core_;
  Session session_;
  Buffer in_;  // an incomplete message
};

class MemoryAcceptor final : public transport::MemoryAcceptor {
 public:
  MemoryAcceptor(Core& core, const std::string& name) : core_(&core), peer_("memory:" + name) {}
  std::unique_ptr<transport::MemoryConnection> accept() override {
    return core_->server().stopping() ? nullptr : core_->server().make_memory_connection(peer_);
  }

 private:
  const Counted<Core> core_;  // until stop() takes the endpoint back
  const std::string peer_;
};

}  // namespace

Server::Server(Core& core) : core_(core) {}

Server::~Server() {
  stop();
  wait();
}

Result<void> Server::start() {
  std::lock_guard lock(start_mutex_);
  if (started() || stopping()) return {};
  std::vector<EndpointOption> wanted = core_.options().endpoints;
  if (wanted.empty()) wanted.emplace_back();
  for (const EndpointOption& e : wanted) {
    const Result<void> opened = open(e);
    if (opened) continue;
    listeners_.clear();
    memory_endpoints_.clear();
    published_.clear();
    memory_names_.clear();
    unix_paths_.clear();
    return opened;
  }
  try {
    for (auto& l : listeners_) acceptors_.emplace_back([this, &l] { accept_loop(*l); });
  } catch (const std::system_error& e) {
    for (auto& l : listeners_) l->close();
    return Error{Fault::TransportFailed, e.code().value(), "no thread to accept connections"};
  }
  started_.store(true, std::memory_order_release);
  return {};
}

Result<void> Server::open(const EndpointOption& e) {
  switch (e.kind) {
    case EndpointOption::Kind::Tcp: return open_tcp(e);
    case EndpointOption::Kind::Unix: return open_unix(e);
    case EndpointOption::Kind::Memory: break;
  }
  return open_memory(e);
}

Result<void> Server::open_unix(const EndpointOption& e) {
  auto listener = transport::listen_unix(e.host, core_.options().unix_permissions);
  if (!listener) return listener.error();
  listener.value()->set_farewell(kFarewell);
  unix_paths_.push_back(e.host);
  listeners_.push_back(std::move(listener).value());
  return {};
}

Result<void> Server::open_tcp(const EndpointOption& e) {
  auto listener = transport::listen_tcp(e.host, e.port);
  if (!listener) return listener.error();
  listener.value()->set_farewell(kFarewell);
  // A name given by the user is published as given: it may mean more to clients than the address behind it.
  std::vector<ior::Address> publish = e.publish;
  if (publish.empty())
    publish.push_back({listener.value()->wildcard() ? transport::primary_address()
                       : !e.host.empty()            ? e.host
                                                    : listener.value()->host(), 0});
  for (ior::Address& a : publish) {
    if (a.port == 0) a.port = listener.value()->port();
    published_.push_back(std::move(a));
  }
  listeners_.push_back(std::move(listener).value());
  return {};
}

Result<void> Server::open_memory(const EndpointOption& e) {
  auto endpoint = transport::listen_memory(e.host, std::make_shared<MemoryAcceptor>(core_, e.host));
  if (!endpoint) return endpoint.error();
  memory_names_.push_back(e.host);
  memory_endpoints_.push_back(std::move(endpoint).value());
  return {};
}

void Server::accept_loop(transport::Listener& listener) {
  name_thread("callis-accept");
  while (!stopping()) {
    try {
      auto stream = listener.accept();
      if (stream) admit(std::move(stream).value());
      else if (stream.fault() == Fault::ConnectionClosed) return;
      else log(LogLevel::Warning, stream.error().text());
      join_finished();
    } catch (const std::bad_alloc&) {
      log(LogLevel::Error, "no memory for a connection");
    }
  }
}

bool Server::count_in(const std::string& host) {
  const Limits& limits = core_.limits();
  if (serving_.size() >= limits.max_connections) return false;
  std::uint32_t& n = per_host_[host];
  if (n >= limits.max_connections_per_peer) return false;
  ++n;
  return true;
}

void Server::admit(std::unique_ptr<transport::Stream> stream) {
  std::unique_lock lock(mutex_);
  if (stopping()) return;
  if (!count_in(stream->peer_host())) {
    lock.unlock();
    (void)stream->send(ByteView(kFarewell), Deadline::in(Duration(1)));
    if (logging(LogLevel::Info)) log(LogLevel::Info, stream->peer() + ": too many connections");
    return;
  }
  const std::string host = stream->peer_host();
  stream->set_spin(core_.options().spin);
  serving_.push_back({std::move(stream), {}});
  const auto c = std::prev(serving_.end());
  try {
    c->thread = std::thread([this, c] { serve(c); });  // waits for mutex_ where it touches the list
  } catch (const std::system_error& e) {
    log(LogLevel::Warning, std::string("no thread for a connection: ") + e.what());
    (void)c->stream->send(ByteView(kFarewell), Deadline::in(Duration(1)));
    if (--per_host_[host] == 0) per_host_.erase(host);
    serving_.erase(c);
  }
}

void Server::serve(Connections::iterator c) {
  name_thread("callis-conn");
  serve_stream(core_, *c->stream);
  std::lock_guard lock(mutex_);
  const auto host = per_host_.find(c->stream->peer_host());
  if (host != per_host_.end() && --host->second == 0) per_host_.erase(host);
  c->stream.reset();
  finished_.splice(finished_.end(), serving_, c);
  changed_.notify_all();
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
  memory_endpoints_.clear();
  std::lock_guard lock(mutex_);
  for (Connection& c : serving_) c.stream->stop_receiving();
}

void Server::wait() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return serving_.empty() && in_flight_.load() == 0; });
  }
  std::lock_guard start_lock(start_mutex_);
  for (std::thread& t : acceptors_) t.join();
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
  return std::make_unique<MemorySession>(core_, std::move(peer));
}

std::size_t Server::connections() const {
  std::lock_guard lock(mutex_);
  return serving_.size();
}

}  // namespace callis::orb
