// SPDX-License-Identifier: Apache-2.0
// The ORB from its making to its end: parts, listening, references, shutdown.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/marshal/handlers.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call_log.h>
#include <callis/orb/client/code_sets.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/forks.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/core/own_transport.h>
#include <callis/orb/core/profile.h>
#include <callis/orb/core/registered_references.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/server/main_thread.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/request_log.h>
#include <callis/orb/server/server.h>

namespace callis::orb {
namespace {

CALLIS_INSTALLER void install() { install_reference_handlers(); }

}  // namespace

Result<std::unique_ptr<transport::Stream>> OwnTransport::connect(const EndpointAddress&, Deadline) const {
  return transport::make_memory_stream(orb_.server().make_memory_connection(kText), kText);
}

// The parts of the ORB. The endpoints' connections end first.
struct Core::Parts {
  explicit Parts(OrbContext& orb) : main_thread(orb), server(orb), to_itself(orb), endpoints(orb.options()) {}

  MainThread main_thread;
  Server server;
  OwnTransport to_itself;
  EndpointDirectory endpoints;
};

Core::Core(Options&& options) : OrbContext(std::move(options)), parts_(std::make_unique<Parts>(*this)) {
  set_parts(parts_->endpoints, &parts_->server, &parts_->main_thread);
}

Core::~Core() {
  if (CALLIS_HAS(fork_handlers)) forget_forks(*this);
  const std::unique_ptr<BidirectionalGiop> both(bidirectional());
  if (!both) return;
  server().stop();
  both->stop();
  server().wait();
}

void Core::set_interception(std::unique_ptr<Interception> interception) {
  interception_ = std::move(interception);
  set_client_interception(interception_.get());
  if (intercepts_calls()) set_client_interception(log_calls(interception_.get()));
}

void Core::set_handler(RequestHandler* handler) {
  if (interception_ && handler) handler = interception_->wrap(handler);
  if (CALLIS_HAS(request_log) && handler) handler = log_requests(*this, handler);
  adapter_access().set_handler(handler);
}

Counted<Core> Core::create(Options&& options) {
  auto made = Counted<Core>::adopt(new Core(std::move(options)));
  if (CALLIS_HAS(fork_handlers)) follow_forks(*made);
  if (CALLIS_HAS(call_log) && logging(LogLevel::Debug)) {
    made->set_client_interception(log_calls(nullptr));
    made->intercept_calls();
  }
  if (made->options().bidirectional != Bidirectional::Both) return made;
  if (CALLIS_HAS(bidirectional) && make_bidirectional(*made)) made->go_bidirectional();
  else log(LogLevel::Warning, "-ORBBidirectional is for programs that include callis/messaging.h");
  return made;
}

// --- Serving ---

void Core::listen() {
  if (listening_.load(std::memory_order_acquire)) return;
  check_running();
  if (CALLIS_HAS(fork_handlers)) check_serves_here();
  const std::lock_guard one_at_a_time(listening_mutex_);
  const Result<void> r = server().start();
  if (!r) {
    const std::string why = r.error().text();
    log(LogLevel::Error, why);  // many programs print the exception's name alone
    raise<CORBA::INITIALIZE>(kCannotListen, CORBA::COMPLETED_NO, why);
  }
  endpoints().set_own(server().published(), parts_->to_itself);
  listening_.store(true, std::memory_order_release);
}

ReferencePtr Core::make_reference(std::string_view type_id, ByteView object_key) {
  listen();
  ReferenceParts parts{options().version, object_key, server().published(), {}, {}};
  ior::add(parts.components, ior::orb_type_component(ior::kCallisOrbType));
  if (CALLIS_HAS(code_sets)) offer_code_sets(options(), parts.components);
  for (const Transport* const t : transports()) t->offer_components(parts);
  for (const Transport* const t : transports()) t->offer(parts);
  ior::Ior ior;
  ior.type_id = type_id;
  ior.profiles = std::move(parts.profiles);
  return ReferencePtr::adopt(new Reference(*this, std::move(ior)));
}

ByteView Core::own_key(CORBA::Object_ptr object) {
  Reference* r = object ? object->_callis_reference() : nullptr;
  if (!r || &r->orb() != this) return {};
  for (const Path& p : r->paths())
    if (p.endpoint->is_own()) return p.object_key;
  return {};
}

// --- Life cycle ---

void Core::check_exists() const {
  if (phase_.load(std::memory_order_acquire) == Phase::Destroyed)
    raise<CORBA::OBJECT_NOT_EXIST>(0, CORBA::COMPLETED_NO, "the ORB is destroyed");
}

void Core::check_usable() const {
  check_exists();
  check_running();
}

void Core::check_may_serve() const {
  check_usable();
  if (CALLIS_HAS(fork_handlers)) check_serves_here();
}

void Core::run() {
  // While stopping it goes on: another thread may have called shutdown() before this one came here.
  if (phase_.load(std::memory_order_acquire) != Phase::Stopping) check_usable();
  if (CALLIS_HAS(fork_handlers)) check_serves_here();
  if (Upcall::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "run() inside an upcall would wait for itself");
  {
    const MainThread::Inside inside(main_thread());
    if (Pool* const pool = served_by_us())
      while (!main_thread().stopped())
        if (!main_thread().run_one()) pool->serve_once(-1);
    main_thread().serve();
  }
  finish_shutdown();
}

CORBA::Boolean Core::work_pending() {
  check_may_serve();
  Pool* const pool = served_by_us();
  return main_thread().waiting() || (pool && pool->pending());
}

void Core::perform_work() {
  check_may_serve();
  const MainThread::Inside inside(main_thread());
  Pool* const pool = served_by_us();
  if (!main_thread().run_one() && pool) pool->serve_once(0);
}

// The pool, when the application's threads are to serve.
Pool* Core::served_by_us() {
  if (options().server_threads != ServerThreads::Single || !CALLIS_HAS(pool)) return nullptr;
  Pool* const pool = server().pool();
  if (!pool && !server().stopping())
    raise<CORBA::NO_RESOURCES>(kNoPool, CORBA::COMPLETED_NO, "no descriptors to serve with");
  return pool;
}

void Core::shutdown(CORBA::Boolean wait) {
  if (wait && Upcall::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "shutdown(true) inside an upcall would wait for itself");
  {
    std::lock_guard lock(phase_mutex_);
    check_exists();
    if (phase_ == Phase::Stopped)
      raise<CORBA::BAD_INV_ORDER>(omg(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
    phase_ = Phase::Stopping;
    note_stopping();
  }
  begin_shutdown();
  if (wait) finish_shutdown();
}

void Core::begin_shutdown() {
  // A thread that comes here while another thread still tells the parts must not go on to end them.
  const std::lock_guard one_at_a_time(telling_mutex_);
  if (OnewayFlusher* const flusher = endpoints().flusher()) flusher->send_all(Deadline::in(HeldOneways::kLastWords));
  main_thread().stop();
  if (server().left_to_parent()) return;  // and so are the adapters' upcalls, which their end would wait for
  server().stop();
  stop_parts();
  phase_changed_.notify_all();
}

// Waits for the upcalls, tells the adapters, and marks the end. The first thread that comes here does this, and
// others wait for its end. Returns false if this very thread is already doing so, and has called code of the
// application (the destructor of a servant): it would wait for itself.
bool Core::finish_shutdown() {
  std::unique_lock lock(phase_mutex_);
  const auto ended = [this] { return phase_ == Phase::Stopped || phase_ == Phase::Destroyed; };
  if (finisher_ != std::thread::id()) {
    const bool waits = ended() || finisher_ != std::this_thread::get_id();
    if (waits) phase_changed_.wait(lock, ended);
    return waits;
  }
  finisher_ = std::this_thread::get_id();
  lock.unlock();
  begin_shutdown();
  if (!server().left_to_parent()) {
    server().wait();
    end_parts();
  }
  if (profiling) write_profile();
  lock.lock();
  phase_ = Phase::Stopped;
  phase_changed_.notify_all();
  lock.unlock();
  if (destroy_wanted_) destroy();
  return true;
}

void Core::destroy() {
  if (Upcall::inside(*this))
    raise<CORBA::BAD_INV_ORDER>(omg(3), CORBA::COMPLETED_NO, "destroy() inside an upcall would wait for itself");
  const Counted<Core> self(this);
  {
    std::lock_guard lock(phase_mutex_);
    check_exists();
    if (phase_ == Phase::Running) phase_ = Phase::Stopping;
    note_stopping();
  }
  if (!finish_shutdown()) {  // to be destroyed once it has been shut down
    destroy_wanted_ = true;
    return;
  }
  {
    std::lock_guard lock(phase_mutex_);
    if (phase_.exchange(Phase::Destroyed) == Phase::Destroyed) return;  // by another thread
  }
  decltype(made_) made;  // its objects are let go outside the lock
  RegisteredReferences* registered;
  {
    std::lock_guard lock(initial_mutex_);
    made.swap(made_);
    registered = registered_.get();
    set_named(nullptr);
  }
  if (registered) registered->clear();
  if (interception_) interception_->end();
  endpoints().close_for_good();
  forget_orb(*this);
}

}  // namespace callis::orb
