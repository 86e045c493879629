// SPDX-License-Identifier: Apache-2.0
// The pool: its connections, its threads, and the end of both.
#include <callis/base/descriptors.h>
#include <callis/base/log.h>
#include <callis/orb/base/pins.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/server/worker.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

CALLIS_PROVIDE(pool);

namespace callis::orb {
namespace {

using Kind = transport::Poller::Kind;

constexpr int kIdleThreadMs = 10'000, kIdleBuffersMs = 250;
constexpr std::size_t kKeptBufferBytes =
    128u << 10;  // are kept by a thread of a fixed pool, and by one that looks now and then whether there is work

}  // namespace

Pool* Server::make_pool() {
  const std::lock_guard lock(pool_mutex_);
  if (stopping() || pool_) return pool_.get();
  pool_ = Pool::create(orb_);
  made_pool_.store(pool_.get(), std::memory_order_release);
  return pool_.get();
}

std::unique_ptr<Pool> Pool::create(OrbContext& orb) {
  const Options& o = orb.options();
  const std::uint32_t most = std::min(o.limits.max_pool_threads, o.limits.max_dispatches);
  const std::uint32_t own = o.server_threads == ServerThreads::Single ? 0 : most;
  std::unique_ptr<Pool> made(new Pool(orb, own, kUsuallyKept, nullptr));
  return o.server_threads == ServerThreads::Connection || made->make_poller() ? std::move(made) : nullptr;
}

// With the mutex, or while nobody else knows the pool. Once.
bool Pool::make_poller() {
  auto poller = transport::Poller::create();
  if (poller) poller_ = std::move(poller).value();
  else log(LogLevel::Error, poller.error().text());
  return poller_ != nullptr;
}

Result<std::unique_ptr<Pool>> Pool::create(OrbContext& orb, const PoolTerms& terms) {
  auto poller = transport::Poller::create();
  if (!poller) return poller.error();
  std::unique_ptr<Pool> made(new Pool(orb, terms.threads, kFixed, std::move(poller).value(), terms.yields));
  int error = 0;
  bool all;
  {
    const std::lock_guard lock(made->mutex_);
    all = made->start_threads(terms, &error);
    if (!all) made->stopping_.store(true, std::memory_order_seq_cst);
  }
  if (!all) return Error{Fault::TransportFailed, error, "threads cannot be started"};
  return Result<std::unique_ptr<Pool>>(std::move(made));
}

Pool::Pool(OrbContext& orb, std::uint32_t most, std::uint32_t kept, std::unique_ptr<transport::Poller> poller,
           bool yields)
    : orb_(orb), most_(most), kept_(kept), yields_(yields), poller_(std::move(poller)), timekeeper_(*this) {}

Pool::~Pool() {
  stop();
  wait();
  if (const int fd = shortage_.load(); fd >= 0) ::close(fd);
}

[[gnu::hot]] const Limits& Pool::limits() const { return orb_.limits(); }

std::int64_t Pool::send_deadline() const {
  const Duration d = limits().send_timeout;
  return d.count() > 0 ? ticks(Clock::steady().now() + d) : 0;
}

void Pool::nudge() {
  if (poller_) poller_->nudge();
}
bool Pool::pending() { return poller_->ready(); }

// --- Connections ---

bool Pool::take(std::unique_ptr<transport::Stream>& stream) {
  return add(stream, giop::Role::Server, nullptr).get() != nullptr;
}

Counted<ServerConnection> Pool::add(std::unique_ptr<transport::Stream>& stream, giop::Role role,
                                    ServerConnection::ReplyReceiver* receiver) {
  Counted<ServerConnection> c;
  {
    const std::lock_guard lock(mutex_);
    if (stream->descriptor() < 0 || stopping() || !start_threads()) return {};
    c = Counted(new ServerConnection(stream, limits(), role));
    if (receiver) c->go_bidirectional(*receiver);
    enter(*c);
  }
  c->arm();
  return c;
}

bool Pool::adopt(ServerConnection& c, ServerConnection*& owned, bool in_upcall) noexcept {
  if (in_upcall && limits().max_dispatches_per_connection <= 1) return false;
  try {
    if (c.stream_->descriptor() < 0 || stopping() || !start_threads()) return false;
  } catch (const std::bad_alloc&) {
    log(LogLevel::Warning, "no memory to serve a connection during an upcall");
    return false;
  }
  if (!orb_.server().give_up(owned)) return false;
  c.handed_over_ = in_upcall;
  if (in_upcall) handed_over_.fetch_add(1, std::memory_order_relaxed);
  enter(c);
  if (c.conversation_.engine.reassemblies() == 0 || limits().message_timeout.count() <= 0) return true;
  const TimePoint began = c.conversation_.engine.oldest_reassembly(Clock::steady().now());
  c.deadline_.store(ticks(began + limits().message_timeout), std::memory_order_relaxed);
  return true;
}

// Called with the mutex.
void Pool::enter(ServerConnection& c) {
  timekeeper_.set_now(Clock::steady().now());
  c.pool_ = this;
  c.serial_ = ++next_serial_ & 0x7fffffff;
  c.next_ = connections_;
  if (connections_) connections_->previous_ = &c;
  connections_ = &c;
  if (count_.fetch_add(1, std::memory_order_relaxed) == 0) changed_.notify_all();
}

void Pool::remove(ServerConnection& c) noexcept {
  c.holder_.leave();
  {
    const std::lock_guard lock(mutex_);
    (c.previous_ ? c.previous_->next_ : connections_) = c.next_;
    if (c.next_) c.next_->previous_ = c.previous_;
  }
  std::unique_ptr<transport::Stream> stream = std::move(c.stream_);
  const bool accepted = !c.conversation_.comes_back();
  if (c.handed_over_) handed_over_.fetch_sub(1, std::memory_order_relaxed);
  delete &c;
  if (accepted) orb_.server().gone(stream->peer_identity());
  stream.reset();
  const std::lock_guard lock(mutex_);
  if (PeerMemory::wants_look()) timekeeper_.look_soon();
  if (count_.fetch_sub(1, std::memory_order_relaxed) == 1 || timekeeper_.looks_soon()) changed_.notify_all();
}

void Pool::cancel(const ServerConnection& connection, std::uint32_t request_id) {
  const std::lock_guard lock(mutex_);
  for (Worker* w = workers_; w; w = w->next_) w->cancel(connection.serial(), request_id);
}

// --- Threads ---

// Called with the mutex. Returns false if there is no thread to serve.
bool Pool::start_threads(const PoolTerms& terms, int* error) {
  if (const int failed = timekeeper_.start(terms.attributes)) {
    log_failed("no thread to keep time", failed);
    if (error) *error = failed;
    return false;
  }
  if (!poller_ && !make_poller()) return false;
  while (running_ < std::min(most_, kept_))
    if (!start_worker(terms, error)) break;
  return is_fixed() ? running_ == most_ : most_ == 0 || running_ != 0;
}

// Called with the mutex.
bool Pool::start_worker(const PoolTerms& terms, int* error) {
  PoolThread& own = threads_.emplace_back();
  const ThreadOptions options{terms.name, false, terms.attributes};
  if (const int failed = own.thread.start(options, [this, &own] { work(own); })) {  // waits for the mutex
    threads_.pop_back();
    log_failed("no thread for the pool", failed);
    if (error) *error = failed;
    return false;
  }
  ++running_;
  return true;
}

void Pool::work(PoolThread& own) {
  WorkerGroup::enlist(this);
  std::unique_ptr<Worker> worker = borrow();
  const bool has_place = orb_.upcalls().take_place();
  worker->served_by(::gettid(), has_place);
  while ((running_.load(std::memory_order_relaxed) <= most() || rest()) && serve_next(*worker)) {}
  worker->served_by(0, false);
  if (has_place) orb_.upcalls().give_place_back();
  worker->release_buffers();
  give_back(std::move(worker));
  const std::lock_guard lock(mutex_);
  own.ended = true;
}

int Pool::add_thread(const PoolTerms& terms) {
  const std::lock_guard lock(mutex_);
  if (stopping()) return ECANCELED;
  PoolThread& own = threads_.emplace_back();
  const int failed = own.thread.start({terms.name, false, terms.attributes}, [this, &own] { work_beside(own); });
  if (failed) threads_.pop_back();
  return failed;
}

// As work() of a fixed pool, whose number of threads this one is not in.
void Pool::work_beside(PoolThread& own) {
  WorkerGroup::enlist(this);
  std::unique_ptr<Worker> worker = borrow();
  const bool has_place = orb_.upcalls().take_place();
  worker->served_by(::gettid(), has_place);
  const auto next = [&] {
    return poller_->wait(worker->has_buffers(kKeptBufferBytes) ? kIdleBuffersMs : -1);
  };
  for (transport::Poller::Event event = next(); event.kind != Kind::Stop; event = next()) {
    if (event.kind == Kind::None) worker->release_buffers(kKeptBufferBytes);
    else worker->handle(event);
  }
  worker->served_by(0, false);
  if (has_place) orb_.upcalls().give_place_back();
  worker->release_buffers();
  give_back(std::move(worker));
  const std::lock_guard lock(mutex_);
  own.ended = true;
}

// False when the thread is to end.
bool Pool::serve_next(Worker& worker) {
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  const std::size_t kept = is_fixed() ? kKeptBufferBytes : 0;
  const bool keeps_buffers = !worker.has_buffers(kept);
  // A thread that stays in any case sleeps until there is something to do.
  const bool stays = running_.load(std::memory_order_relaxed) <= std::min(most_, kept_);
  const transport::Poller::Event event =
      poller_->wait(!keeps_buffers ? kIdleBuffersMs : stays ? -1 : kIdleThreadMs);
  const std::uint32_t left = waiting_.fetch_sub(1, std::memory_order_seq_cst) - 1;
  switch (event.kind) {
    case Kind::None:
      if (keeps_buffers) return !retire();
      worker.release_buffers(kept);
      return true;
    case Kind::Stop: {
      const std::lock_guard lock(mutex_);
      --running_;
      return false;
    }
    case Kind::Taken: return true;
    case Kind::Nudge:  // was for one of the application's threads
      if (guests_.load(std::memory_order_seq_cst) != 0) nudge();
      std::this_thread::yield();
      return true;
    case Kind::Input:
    case Kind::Output: break;
  }
  if (left == 0 && !is_fixed()) timekeeper_.press();
  worker.handle(event);
  return true;
}

// Time has passed without events, or a signal came.
bool Pool::retire() {
  const std::lock_guard lock(mutex_);
  if (running_ <= kept_) return false;
  --running_;
  return true;
}

// --- Threads of idle connections ---

// The descriptor and the server's count are in the sequentially consistent order, so no shortage is missed.
Pool::Woken Pool::sleep_idle(int descriptor, Duration most) noexcept {
  int fd = shortage_.load(std::memory_order_seq_cst);
  if (fd < 0) {
    const std::lock_guard lock(mutex_);
    fd = shortage_.load(std::memory_order_relaxed);
    if (fd < 0) fd = above_standard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    shortage_.store(fd, std::memory_order_seq_cst);
  }
  if (fd < 0 || descriptor < 0) return Woken::Unable;
  full_fence();
  if (orb_.server().short_of_threads()) return Woken::Unable;  // perhaps before there was the descriptor
  pollfd both[] = {{descriptor, POLLIN | POLLRDHUP, 0}, {fd, POLLIN, 0}};
  const int ms = static_cast<int>(std::min<Duration::rep>(most.count(), INT_MAX));
  sleepers_.fetch_add(1, std::memory_order_relaxed);
  (void)::poll(both, 2, most == Duration::max() ? -1 : ms);
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
  return both[0].revents != 0 ? Woken::ByInput : Woken::Otherwise;
}

void Pool::tell_shortage() noexcept {
  full_fence();
  const int fd = shortage_.load(std::memory_order_seq_cst);
  if (fd < 0) return;
  std::uint64_t n = 1;
  if (orb_.server().short_of_threads()) (void)!::write(fd, &n, sizeof n);
  else (void)!::read(fd, &n, sizeof n);
}

// --- Threads that wait for others ---

std::uint32_t Pool::most() const {
  if (is_fixed()) return most_;
  const std::uint32_t more =
      std::min(handed_over_.load(std::memory_order_relaxed), limits().max_connection_threads);
  const std::uint32_t present = std::max(most_, 1u) + more;  // 1: at the end it closes
  return std::min(present + blocked_.load(std::memory_order_seq_cst), std::max(present, limits().max_dispatches));
}

// More serve than may. Waits until that has changed; false when the thread is to end.
bool Pool::rest() {
  std::unique_lock lock(mutex_);
  if (running_ <= most()) return true;
  --running_;
  resting_.fetch_add(1, std::memory_order_seq_cst);  // before the next look at most(), for leaves()
  const bool wanted = room_.wait_for(lock, Duration(kIdleThreadMs), [this] { return ending_ || running_ < most(); });
  resting_.fetch_sub(1, std::memory_order_relaxed);
  if (!wanted || ending_) return false;
  ++running_;
  return true;
}

void Pool::leaves(Wait) noexcept {
  Worker::waits();
  blocked_.fetch_add(1, std::memory_order_seq_cst);
  if (resting_.load(std::memory_order_seq_cst) == 0) return;
  const std::lock_guard lock(mutex_);
  room_.notify_one();
}

void Pool::returns() noexcept { blocked_.fetch_sub(1, std::memory_order_seq_cst); }

std::unique_ptr<Worker> Pool::borrow() {
  {
    const std::lock_guard lock(mutex_);
    free_.reserve(++lent_ + free_.size());
    if (!free_.empty()) {
      auto worker = std::move(free_.back());
      free_.pop_back();
      return worker;
    }
  }
  return std::make_unique<Worker>(orb_, this, false);
}

void Pool::give_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  --lent_;
  free_.push_back(std::move(worker));
}

void Pool::enlist(Worker& worker) {
  const std::lock_guard lock(mutex_);
  worker.next_ = workers_;
  if (workers_) workers_->previous_ = &worker;
  workers_ = &worker;
  // A worker with its own connection must be watched even before the pool has a connection.
  if (const int failed = worker.is_own() ? timekeeper_.start() : 0) log_failed("no thread to watch upcalls", failed);
}

void Pool::delist(Worker& worker) noexcept {
  const std::lock_guard lock(mutex_);
  (worker.previous_ ? worker.previous_->next_ : workers_) = worker.next_;
  if (worker.next_) worker.next_->previous_ = worker.previous_;
}

// Called with the mutex.
void Pool::join_ended() {
  for (auto t = threads_.begin(); t != threads_.end();) {
    if (t->ended) {
      t->thread.join();
      t = threads_.erase(t);
    } else {
      ++t;
    }
  }
}

// --- The application's threads ---

void Pool::serve_once(int ms) {
  std::unique_ptr<Worker> worker = borrow();
  guests_.fetch_add(1, std::memory_order_seq_cst);
  if (stopping()) ms = 0;  // the nudge of stop() may have been another thread's, which did not see this one yet
  const bool waits = ms < 0 || ms > kIdleBuffersMs;
  transport::Poller::Event event = poller_->wait(waits && worker->has_buffers() ? kIdleBuffersMs : ms);
  if (event.kind == Kind::None && worker->has_buffers()) {
    worker->release_buffers(waits ? 0 : kKeptBufferBytes);
    if (waits) event = poller_->wait(ms < 0 ? ms : ms - kIdleBuffersMs);
  }
  const std::uint32_t others = guests_.fetch_sub(1, std::memory_order_seq_cst) - 1;
  if (event.kind == Kind::Nudge && stopping() && others != 0) nudge();
  worker->handle(event);
  give_back(std::move(worker));
}

// --- The end ---

void Pool::stop() {
  if (stopping_.exchange(true, std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  for (ServerConnection* c = connections_; c; c = c->next_) {
    c->ending_.store(ServerConnection::Ending::Stop, std::memory_order_relaxed);
    if (!c->stays_open_.load(std::memory_order_seq_cst)) c->stream_->stop_receiving();
  }
  if (most_ == 0 && connections_) (void)start_worker();  // nothing is served any more: it only closes
  nudge();
}

void Pool::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return count_.load(std::memory_order_relaxed) == 0; });
  ending_ = true;
  changed_.notify_all();
  room_.notify_all();
  if (poller_) poller_->stop();
  Threads threads;
  threads.swap(threads_);
  Thread timekeeper = timekeeper_.take_thread();
  lock.unlock();
  for (PoolThread& t : threads) t.thread.join();
  if (timekeeper.joinable()) timekeeper.join();
}

}  // namespace callis::orb
