// SPDX-License-Identifier: Apache-2.0
// Core: the ORB itself, as the libraries above it see it. CORBA::ORB is its face to applications.
//
//   references  ──→ Endpoint ──→ ClientConnection ──→ Stream        calls out
//   Server: acceptors, a thread a connection ──→ Session ──→ RequestHandler (object adapter)   calls in
//
// The decoders and encoders of a call carry the Core as context().
#pragma once
#include <callis/base/feature.h>
#include <callis/base/string_map.h>
#include <callis/orb/call_policies.h>
#include <callis/orb/counted.h>
#include <callis/orb/doorway.h>
#include <callis/orb/held_oneways.h>
#include <callis/orb/orb.h>
#include <callis/orb/options.h>
#include <callis/orb/reference.h>
#include <callis/orb/server_request.h>
#include <callis/orb/upcall_gate.h>
#include <callis/transport/stream.h>
#include <condition_variable>

namespace callis::orb {

class BothWays;
class Server;
class Interception;
class MainThread;
class Pool;

class Core final : public CORBA::ORB {
 public:
  // A new ORB that ORB_init does not know.
  static Counted<Core> create(Options options);

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;

  const Options& options() const { return options_; }
  const Limits& limits() const { return options_.limits; }

  // --- For object adapters ---

  // Requests go there from now on. Before the first make_reference(); the handler must live until the function
  // Resident::end() is called.
  void set_handler(RequestHandler* handler);
  RequestHandler* handler() const { return doorway_.handler(); }
  Doorway& doorway() { return doorway_; }
  // Something that lives with the ORB until its shutdown.
  class Resident {
   public:
    virtual ~Resident() = default;
    // Called once when shutdown begins, before anybody waits for upcalls: to wake those that wait for
    // something (an adapter that holds requests). Must not wait.
    virtual void stop() = 0;
    // Called once, when no upcall is running any more and none will start. It is destroyed afterwards.
    virtual void end() = 0;

   private:
    friend class Core;
    std::unique_ptr<Resident> next_;
  };
  void add(std::unique_ptr<Resident> resident);
  // Opens the endpoints and starts to serve, if that has not been done. INITIALIZE when an address cannot be
  // listened on.
  void listen();
  // A reference to an object of this ORB, with a profile for every endpoint; listens first.
  ReferencePtr make_reference(std::string_view type_id, ByteView object_key);
  // The key of an object of this ORB in a reference; empty for the objects of others and local ones. Valid
  // as long as the object.
  ByteView own_key(CORBA::Object_ptr object);
  // BAD_INV_ORDER, OMG minor 4, after shutdown.
  void check_running() const {
    if (phase_.load(std::memory_order_acquire) != Phase::Running) [[unlikely]] check_stopping();
  }

  // Whether a call need not ask about the ORB: it is running, and has no policies.
  bool calls_are_usual() const { return (unusual_.load(std::memory_order_acquire) & ~kNamed) == 0; }
  // The same for calls to its own objects, which need no connection.
  bool own_calls_are_usual() const { return (unusual_.load(std::memory_order_acquire) & ~(kBothWays | kNamed)) == 0; }
  // And whatever their keys: there are no named objects.
  bool own_calls_are_alike() const { return (unusual_.load(std::memory_order_acquire) & ~kBothWays) == 0; }
  bool has_policies() const { return (unusual_.load(std::memory_order_acquire) & kPolicies) != 0; }
  // Of this ORB, for all its calls. set_policies() by one thread at a time.
  CallPolicies policies() const { return policies_.read(); }
  void set_policies(const CallPolicies& p) {
    policies_.write(p);
    if (p.given != 0) unusual_.fetch_or(kPolicies, std::memory_order_acq_rel);
    else unusual_.fetch_and(static_cast<std::uint8_t>(~kPolicies), std::memory_order_acq_rel);
  }

  // Bidirectional GIOP; nullptr as long as nothing has asked for it.
  BothWays* both_ways() const { return both_ways_.load(std::memory_order_acquire); }
  // Asks for it. Only where the program has bidirectional.cpp.
  CALLIS_OPTIONAL BothWays* make_both_ways();
  // From now on calls go both ways where no policy says otherwise.
  void go_both_ways() { unusual_.fetch_or(kBothWays, std::memory_order_acq_rel); }
  bool goes_both_ways() const { return (unusual_.load(std::memory_order_acquire) & kBothWays) != 0; }

  // nullptr: the ORB was made without. Given at most once, before anybody else has the ORB.
  Interception* interception() const { return interception_.get(); }
  void set_interception(std::unique_ptr<Interception> interception);
  // From now on calls are made by interception(). For good.
  void intercept_calls() { unusual_.fetch_or(kIntercepted, std::memory_order_acq_rel); }
  bool intercepts_calls() const { return (unusual_.load(std::memory_order_acquire) & kIntercepted) != 0; }

  // The ORB whose upcall the calling thread is in, the innermost; nullptr outside.
  static Core* in_upcall() noexcept;

  // Around a call of a servant, on its thread. Upcall: waits while Limits::max_dispatches are running, but not inside
  // another one: it would wait for itself. Nobody reads from the connection meanwhile. DirectUpcall: see below.
  class Entered {
   public:
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
    static bool inside(const Core& core) noexcept;

   protected:
    explicit Entered(Core& core) noexcept : core_(core), outer_(innermost) {}
    ~Entered() = default;
    friend class Core;
    static constinit thread_local Entered* innermost __attribute__((tls_model("initial-exec")));  // of the thread
    Core& core_;
    Entered* const outer_;
  };
  class Upcall final : public Entered {
   public:
    struct Counted {};  // by another Upcall, which waits for this one to end
    Upcall(Core& core, Counted) noexcept : Entered(core), counted_(!outer_) {
      if (counted_) core_.upcalls_.begin_another();
      innermost = this;
    }
    explicit Upcall(Core& core) noexcept : Entered(core), counted_(!outer_) {
      if (counted_) [[likely]] core_.upcalls_.begin();
      innermost = this;
    }
    ~Upcall() {
      innermost = outer_;
      if (counted_) [[likely]] core_.upcalls_.end();
    }

   private:
    const bool counted_;
  };
  // A direct call, which the limit is not for.
  class DirectUpcall final : public Entered {
   public:
    explicit DirectUpcall(Core& core) noexcept : Entered(core) { innermost = this; }
    ~DirectUpcall() { innermost = outer_; }
  };

  // For upcalls of adapters with MAIN_THREAD_MODEL: runs a MainThread::Task (main_thread.h) there.
  MainThread& main_thread() { return *main_thread_; }
  // The main thread is wanted.
  void wake_main_thread();

  // --- For the other parts of this library ---

  // suffix: connections with another one are not shared.
  std::shared_ptr<Endpoint> tcp_endpoint(const ior::Address& address, std::string_view suffix = {});
  std::shared_ptr<Endpoint> memory_endpoint(const std::string& name, std::string_view suffix = {});
  std::shared_ptr<Endpoint> unix_endpoint(const std::string& path, std::string_view suffix = {});
  // Before a connection is opened: closes those that have been idle for long, at every endpoint. Does
  // nothing when it was called a short while ago.
  void close_old_connections(TimePoint now);
  // Where descriptors are short: closes the idle connections that servers have closed; all that are idle where there are
  // none of those. False when nothing was closed.
  bool close_idle_connections(TimePoint now);
  Server& server() { return *server_; }
  // nullptr in a program that cannot hold one-ways.
  OnewayFlusher* flusher() { return flusher_.get(); }
  // Whether there are objects known by a name alone.
  bool has_named() const { return (unusual_.load(std::memory_order_acquire) & kNamed) != 0; }
  // Whether named_object() has an answer.
  bool is_named(ByteView key) { return has_named() && has_named_object(key); }
  // The reference registered as initial reference under a name that equals the key. False for none.
  bool named_object(ByteView key, ior::Ior& out) {
    return has_named() && find_named_object(key, out);
  }

  // --- CORBA::ORB ---

  char* id() override;
  CORBA::Object_ptr string_to_object(const char* text) override;
  char* object_to_string(CORBA::Object_ptr object) override;
  ObjectIdList* list_initial_services() override;
  CORBA::Object_ptr resolve_initial_references(const char* id) override;
  void register_initial_reference(const char* id, CORBA::Object_ptr object) override;
  void run() override;
  CORBA::Boolean work_pending() override;
  void perform_work() override;
  void shutdown(CORBA::Boolean wait) override;
  void destroy() override;
  void _add_ref() noexcept override { add_ref(); }
  void _remove_ref() noexcept override { release(); }

 private:
  // Running ──shutdown()──→ Stopping ──all upcalls done──→ Stopped ──destroy()──→ Destroyed
  enum class Phase { Running, Stopping, Stopped, Destroyed };
  // Why calls are not usual.
  static constexpr std::uint8_t kStopping = 1, kPolicies = 2, kBothWays = 4, kIntercepted = 8, kNamed = 16;

  explicit Core(Options options);
  ~Core() override;
  struct Opener;
  std::shared_ptr<Endpoint> endpoint(const std::string& name, Opener open);
  std::shared_ptr<Endpoint> own_endpoint(std::string_view suffix);
  std::vector<std::shared_ptr<Endpoint>> all_endpoints();
  bool is_own(const ior::Address& address);
  void check_stopping() const;
  CALLIS_OPTIONAL bool has_named_object(ByteView key);
  CALLIS_OPTIONAL bool find_named_object(ByteView key, ior::Ior& out);
  CORBA::Object_ptr from_factory(std::string_view id);
  // depth: how many initial references have led here.
  CORBA::Object_ptr text_to_object(std::string_view text, unsigned depth);
  CORBA::Object_ptr initial_reference(std::string_view id, unsigned depth);
  CORBA::Object_ptr initial_reference_of_text(std::string_view id, unsigned depth);
  Pool* served_by_us();
  void begin_shutdown();
  void finish_shutdown();

  std::atomic<std::uint32_t> count_{1};
  const Options options_;
  std::unique_ptr<Interception> interception_;
  Doorway doorway_;
  UpcallGate upcalls_;
  const std::unique_ptr<MainThread> main_thread_;
  std::unique_ptr<Server> server_;
  std::atomic<BothWays*> both_ways_{nullptr};  // ours

  const std::unique_ptr<OnewayFlusher> flusher_;  // outlives the connections
  std::atomic<TimePoint> closed_old_{};
  std::mutex endpoints_mutex_;
  StringMap<std::shared_ptr<Endpoint>> endpoints_;

  std::mutex initial_mutex_;
  StringMap<CORBA::Object_var> registered_;  // by the application
  StringMap<CORBA::Object_var> made_;        // by factories

  mutable std::mutex phase_mutex_;
  std::condition_variable phase_changed_;
  std::atomic<Phase> phase_{Phase::Running};
  std::atomic<std::uint8_t> unusual_{0};
  SharedCallPolicies policies_;
  bool finishing_ = false;
  std::unique_ptr<Resident> residents_;  // the newest first
  Resident* stopped_ = nullptr;          // the newest of those that have been told
};

// Takes the ORB out of what ORB_init finds.
void forget_orb(const Core& core);

}  // namespace callis::orb
