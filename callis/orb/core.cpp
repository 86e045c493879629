// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/peer_memory.h>
#include <callis/base/text.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/both_ways.h>
#include <callis/orb/code_sets.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/errors.h>
#include <callis/orb/interception.h>
#include <callis/orb/main_thread.h>
#include <callis/orb/object_of.h>
#include <callis/orb/pool.h>
#include <callis/orb/profile.h>
#include <callis/orb/references_on_wire.h>
#include <callis/orb/server.h>
#include <callis/orb/unix_addresses.h>

namespace callis::orb {
namespace {

// Endpoints are kept with their connections after the last reference to them is gone, up to this many.
constexpr std::size_t kMaxEndpoints = 1024;
constexpr Duration kCloseOldEvery{10'000};
constexpr std::string_view kThisOrb = "this ORB";

CALLIS_INSTALLER void install() { install_reference_handlers(); }

}  // namespace

constinit thread_local Core::Entered* Core::Entered::innermost __attribute__((tls_model("initial-exec"))) = nullptr;

bool Core::Entered::inside(const Core& core) noexcept {
  for (const Entered* u = innermost; u; u = u->outer_)
    if (&u->core_ == &core) return true;
  return false;
}

Core* Core::in_upcall() noexcept { return Entered::innermost ? &Entered::innermost->core_ : nullptr; }

Core::Core(Options options)
    : options_(std::move(options)), upcalls_(limits().max_dispatches),
      main_thread_(std::make_unique<MainThread>(*this)), server_(std::make_unique<Server>(*this)),
      flusher_(CALLIS_HAS(oneways) ? OnewayFlusher::make() : nullptr) {
  if (limits().max_memory_bytes != 0) PeerMemory::set_limit(limits().max_memory_bytes);
}

Core::~Core() {
  const std::unique_ptr<BothWays> both(both_ways());
  if (!both) return;
  server_->stop();
  both->stop();
  server_->wait();
}

void Core::set_interception(std::unique_ptr<Interception> interception) { interception_ = std::move(interception); }

void Core::set_handler(RequestHandler* handler) {
  doorway_.set_handler(interception_ && handler ? interception_->wrap(handler) : handler);
}

Counted<Core> Core::create(Options options) {
  auto made = Counted<Core>::adopt(new Core(std::move(options)));
  if (made->options().bidirectional != Bidirectional::Both) return made;
  if (CALLIS_HAS(both_ways) && made->make_both_ways()) made->go_both_ways();
  else log(LogLevel::Warning, "-ORBBidirectional is for programs that include callis/messaging.h");
  return made;
}

void Core::release() noexcept {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

// --- Serving ---

void Core::listen() {
  if (server_->started()) return;
  check_running();
  const Result<void> r = server_->start();
  if (!r) raise<CORBA::INITIALIZE>(kCannotListen, CORBA::COMPLETED_NO, r.error().text());
}

void Core::add(std::unique_ptr<Resident> resident) {
  std::lock_guard lock(phase_mutex_);
  resident->next_ = std::move(residents_);
  residents_ = std::move(resident);
}

ReferencePtr Core::make_reference(std::string_view type_id, ByteView object_key) {
  listen();
  ior::Ior ior;
  ior.type_id = type_id;
  std::vector<ior::TaggedComponent> components;
  ior::add(components, ior::orb_type_component(ior::kCallisOrbType));
  if (CALLIS_HAS(code_sets)) offer_code_sets(options_, components);
  const ior::Version version = options_.version;
  std::string host;
  const std::list<std::string>& sockets = server_->unix_paths();
  if (!sockets.empty()) host = offer_sockets(sockets, components);
  // One profile with all addresses is half as long as one for each; only IIOP 1.2 has it (9.7.3).
  std::span<const ior::Address> addresses = server_->published();
  if (version >= ior::Version{1, 2} && addresses.size() > 1) {
    const std::size_t own = components.size();
    for (const ior::Address& a : addresses.subspan(1)) ior::add(components, ior::alternate_address_component(a));
    ior::add(ior.profiles, ior::to_profile(version, addresses[0], object_key, components));
    while (components.size() != own) components.pop_back();
    addresses = {};
  } else if (addresses.empty() && !host.empty() && version >= ior::Version{1, 1}) {
    ior::add(ior.profiles, ior::to_profile(version, {host, 0}, object_key, components));  // omniORB reads it in this form
  }
  for (const ior::Address& a : addresses)
    ior::add(ior.profiles, ior::to_profile(version, a, object_key, components));
  if (!sockets.empty()) add_socket_profiles(sockets, version, object_key, components, ior.profiles);
  for (const std::string& name : server_->memory_names())
    ior::add(ior.profiles, ior::memory_profile(name, object_key));
  return ReferencePtr::adopt(new Reference(*this, std::move(ior)));
}

ByteView Core::own_key(CORBA::Object_ptr object) {
  Reference* r = object ? object->_callis_reference() : nullptr;
  if (!r || &r->core() != this) return {};
  for (const Path& p : r->paths())
    if (p.endpoint->name().starts_with(kThisOrb)) return p.object_key;
  return {};
}

// --- Endpoints ---

// How the streams of one endpoint are opened.
struct Core::Opener {
  enum class Kind { Own, Tcp, Unix, Memory } kind;
  Core* core;
  std::string host;  // or the endpoint's name, or path
  std::uint16_t port;

  Result<std::unique_ptr<transport::Stream>> operator()(Deadline deadline) const {
    switch (kind) {
      case Kind::Tcp:
      case Kind::Unix: {
        if (kind == Kind::Unix && !CALLIS_HAS(unix)) return without_feature("unix");
        auto stream = kind == Kind::Tcp ? transport::connect_tcp(host, port, deadline) : transport::connect_unix(host, deadline);
        if (stream) stream.value()->set_spin(core->options().spin);
        return stream;
      }
      case Kind::Memory: return transport::connect_memory(host);
      case Kind::Own: break;
    }
    return transport::make_memory_stream(core->server_->make_memory_connection("this ORB"), "this ORB");
  }
};

std::shared_ptr<Endpoint> Core::endpoint(const std::string& name, Opener open) {
  StringMap<std::shared_ptr<Endpoint>> dropped;  // their connections are closed outside the lock
  std::lock_guard lock(endpoints_mutex_);
  if (const auto* known = endpoints_.find(name)) return *known;
  Sharing sharing;  // where sending is not the call itself
  if (open.kind != Opener::Kind::Own && open.kind != Opener::Kind::Memory)
    sharing = {options_.share_connections, options_.max_connections_per_server, options_.spin};
  const bool own = open.kind == Opener::Kind::Own;
  const auto made = endpoints_.insert(name, std::make_shared<Endpoint>(
      name, std::move(open), limits(), options_.fragment_bytes,
      options_.sync_scope == SyncScope::None ? flusher() : nullptr, sharing));
  if (own) made->set_own();
  if (endpoints_.size() <= kMaxEndpoints) return made;
  endpoints_.for_each([&](const std::string& other, std::shared_ptr<Endpoint>& endpoint) {
    if (endpoint.use_count() == 1) dropped.take(endpoints_, other);
  });
  return made;
}

void Core::close_old_connections(TimePoint now) {
  TimePoint last = closed_old_.load(std::memory_order_relaxed);
  if (now - last < kCloseOldEvery || !closed_old_.compare_exchange_strong(last, now)) return;
  for (const auto& e : all_endpoints()) e->close_old(now);
}

bool Core::close_idle_connections(TimePoint now) {
  const auto endpoints = all_endpoints();
  for (const bool dead_only : {true, false}) {
    std::size_t closed = 0;
    for (const auto& e : endpoints) closed += e->close_unneeded(dead_only, now);
    if (closed != 0) return true;
  }
  return false;
}

std::vector<std::shared_ptr<Endpoint>> Core::all_endpoints() {
  std::lock_guard lock(endpoints_mutex_);
  std::vector<std::shared_ptr<Endpoint>> all(endpoints_.size());
  auto to = all.begin();
  endpoints_.for_each([&to](const std::string&, const std::shared_ptr<Endpoint>& e) { *to++ = e; });
  return all;
}

std::shared_ptr<Endpoint> Core::own_endpoint(std::string_view suffix) {
  return endpoint(concat({kThisOrb, suffix}), {Opener::Kind::Own, this, {}, 0});
}

bool Core::is_own(const ior::Address& address) {
  if (!server_->started()) return false;
  for (const ior::Address& own : server_->published())
    if (own.port == address.port && own.host == address.host) return true;
  return false;
}

std::shared_ptr<Endpoint> Core::tcp_endpoint(const ior::Address& a, std::string_view suffix) {
  if (is_own(a)) return own_endpoint(suffix);
  return endpoint(concat({"tcp:", transport::address_text(a.host, a.port), suffix}), {Opener::Kind::Tcp, this, a.host, a.port});
}

std::shared_ptr<Endpoint> Core::memory_endpoint(const std::string& name, std::string_view suffix) {
  if (server_->started())
    for (const std::string& own : server_->memory_names())
      if (own == name) return own_endpoint(suffix);
  return endpoint(concat({"memory:", name, suffix}), {Opener::Kind::Memory, this, name, 0});
}

std::shared_ptr<Endpoint> Core::unix_endpoint(const std::string& path, std::string_view suffix) {
  if (server_->started())
    for (const std::string& own : server_->unix_paths())
      if (own == path) return own_endpoint(suffix);
  return endpoint(concat({"unix:", path, suffix}), {Opener::Kind::Unix, this, path, 0});
}

// --- Life cycle ---

void Core::check_stopping() const {
  const Phase p = phase_.load(std::memory_order_acquire);
  if (p == Phase::Running || (p == Phase::Stopping && Entered::innermost)) return;
  raise<CORBA::BAD_INV_ORDER>(omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
}

void Core::run() {
  // While stopping it goes on: another thread may have called shutdown() before this one came here.
  if (phase_.load(std::memory_order_acquire) != Phase::Stopping) check_running();
  if (Entered::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "run() inside an upcall would wait for itself");
  {
    const MainThread::Inside inside(*main_thread_);
    if (Pool* const pool = served_by_us())
      while (!main_thread_->stopped())
        if (!main_thread_->run_one()) pool->serve_once(-1);
    main_thread_->serve();
  }
  finish_shutdown();
}

CORBA::Boolean Core::work_pending() {
  check_running();
  Pool* const pool = served_by_us();
  return main_thread_->waiting() || (pool && pool->pending());
}

void Core::perform_work() {
  check_running();
  const MainThread::Inside inside(*main_thread_);
  Pool* const pool = served_by_us();
  if (!main_thread_->run_one() && pool) pool->serve_once(0);
}

void Core::wake_main_thread() {
  if (options_.server_threads != ServerThreads::Single || !CALLIS_HAS(pool)) return;
  if (Pool* const pool = server_->pool()) pool->nudge();
}

// The pool, when the application's threads are to serve.
Pool* Core::served_by_us() {
  if (options_.server_threads != ServerThreads::Single || !CALLIS_HAS(pool)) return nullptr;
  Pool* const pool = server_->pool();
  if (!pool && !server_->stopping()) raise<CORBA::NO_RESOURCES>(kNoPool, CORBA::COMPLETED_NO, "no descriptors to serve with");
  return pool;
}

void Core::shutdown(CORBA::Boolean wait) {
  if (wait && Entered::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "shutdown(true) inside an upcall would wait for itself");
  {
    std::lock_guard lock(phase_mutex_);
    if (phase_ == Phase::Destroyed || phase_ == Phase::Stopped)
      raise<CORBA::BAD_INV_ORDER>(omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
    phase_ = Phase::Stopping;
    unusual_ |= kStopping;
  }
  begin_shutdown();
  if (wait) finish_shutdown();
}

void Core::begin_shutdown() {
  // Whoever comes here while another thread still tells the residents must not go on to end them.
  static constinit std::mutex telling;
  const std::lock_guard one_at_a_time(telling);
  main_thread_->stop();
  server_->stop();
  Resident *from, *to;
  {
    std::lock_guard lock(phase_mutex_);
    from = residents_.get();
    to = std::exchange(stopped_, from);
  }
  for (; from != to; from = from->next_.get()) from->stop();
  phase_changed_.notify_all();
}

// Waits for the upcalls, tells the adapters, and marks the end; by whoever comes first, others wait for him.
void Core::finish_shutdown() {
  std::unique_lock lock(phase_mutex_);
  if (finishing_) {
    phase_changed_.wait(lock, [this] { return phase_ == Phase::Stopped || phase_ == Phase::Destroyed; });
    return;
  }
  finishing_ = true;
  lock.unlock();
  begin_shutdown();
  server_->wait();
  lock.lock();
  std::unique_ptr<Resident> residents = std::move(residents_);
  stopped_ = nullptr;
  lock.unlock();
  for (Resident* r = residents.get(); r; r = r->next_.get()) r->end();
  residents.reset();
  if (profiling) write_profile();
  lock.lock();
  phase_ = Phase::Stopped;
  phase_changed_.notify_all();
}

void Core::destroy() {
  if (Entered::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "destroy() inside an upcall would wait for itself");
  const Counted<Core> self(this);
  {
    std::lock_guard lock(phase_mutex_);
    if (phase_ == Phase::Destroyed) raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "the ORB is destroyed");
    if (phase_ == Phase::Running) phase_ = Phase::Stopping;
    unusual_ |= kStopping;
  }
  finish_shutdown();
  {
    std::lock_guard lock(phase_mutex_);
    if (phase_.exchange(Phase::Destroyed) == Phase::Destroyed) return;  // by another thread
  }
  decltype(registered_) registered;  // what these hold is let go outside the locks
  decltype(made_) made;
  {
    std::lock_guard lock(initial_mutex_);
    registered.swap(registered_);
    made.swap(made_);
    unusual_ &= static_cast<std::uint8_t>(~kNamed);
  }
  if (interception_) interception_->end();
  for (const auto& e : all_endpoints()) e->close_idle(true);
  forget_orb(*this);
}

}  // namespace callis::orb
