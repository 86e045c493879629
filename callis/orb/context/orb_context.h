// SPDX-License-Identifier: Apache-2.0
// OrbContext: the ORB as calls, requests and connections see it. It has the options and limits, the ORB's phase, the
// policies of calls, and the parts of the ORB. Core (core.h) is the ORB itself: it makes the parts, and owns them.
//
//   OrbContext ←── calls: endpoints(), policies(), client_interception()
//              ←── requests: handler(), Upcall, server()
//
// Parts are known by name only here, so that a client can do without the server. Counted; any thread.
//
// The decoders of a call carry a MessageSource of the OrbContext as context().
#pragma once
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/ior/ior.h>
#include <callis/orb/base/counted.h>
#include <callis/orb/base/upcall_gate.h>
#include <callis/orb/context/adapter_access.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/call_policies.h>
#include <callis/orb/options/message_source.h>
#include <callis/orb/options/options.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace callis::orb {

class ClientInterception;
class EndpointDirectory;
class MainThread;
class Server;

// Objects that are known by a name alone, which stands for their key (ORB::register_initial_reference()). Any thread
// may call.
class NamedObjects {
 public:
  virtual ~NamedObjects() = default;
  // Finds the reference of that name. Returns false if there is none.
  virtual bool find(ByteView name, ior::Ior& out) = 0;
};

// A part of the ORB that is added by a library above, and lives until the ORB's shutdown.
class OrbPart {
 public:
  virtual ~OrbPart() = default;
  // Called once when shutdown begins, before anybody waits for upcalls. Wakes upcalls that wait (for an adapter that
  // holds requests, say). Must not wait.
  virtual void stop() = 0;
  // Called once, when no upcall is running any more and none will start. The part is destroyed afterwards.
  virtual void end() = 0;

 private:
  friend class OrbContext;
  std::unique_ptr<OrbPart> next_;
};

class OrbContext {
 public:
  OrbContext(const OrbContext&) = delete;
  OrbContext& operator=(const OrbContext&) = delete;

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  const Options& options() const { return options_; }
  const Limits& limits() const { return options_.limits; }

  // The source of messages that have come from there. Lives as long as the ORB.
  MessageSource* source(MessageSource::From from) { return &sources_[static_cast<std::size_t>(from)]; }
  MessageSource* own_source() { return source(MessageSource::From::Self); }

  // --- Phase ---

  // Throws BAD_INV_ORDER, OMG minor 4, after shutdown.
  void check_running() const {
    if (phase_.load(std::memory_order_acquire) != Phase::Running) [[unlikely]] check_stopping();
  }
  // Waits on the calling thread until then; TimePoint::max() means without an end. Returns false as soon as shutdown
  // begins.
  bool wait_until(TimePoint when);
  // From now on the part is told of the shutdown.
  void add(std::unique_ptr<OrbPart> part);

  // --- Calls ---

  // Whether calls are plain as far as the ORB goes: the ORB is running, and has no policies. Such calls need not ask
  // further.
  bool calls_are_plain() const { return (special_.load(std::memory_order_acquire) & ~kNamed) == 0; }
  // Whether a call to one of the ORB's own objects is plain: such a call needs no connection.
  bool own_calls_are_plain() const {
    return (special_.load(std::memory_order_acquire) & ~(kBidirectional | kNamed)) == 0;
  }
  // Like own_calls_are_plain(), and also no object is known by a name alone, so that the key makes no difference.
  bool own_calls_are_alike() const { return (special_.load(std::memory_order_acquire) & ~kBidirectional) == 0; }
  bool has_policies() const { return (special_.load(std::memory_order_acquire) & kPolicies) != 0; }
  // The policies of this ORB, for all its calls. One thread at a time may call set_policies().
  CallPolicies policies() const { return policies_.read(); }
  void set_policies(const CallPolicies& p) {
    policies_.write(p);
    if (p.given != 0) special_.fetch_or(kPolicies, std::memory_order_acq_rel);
    else special_.fetch_and(static_cast<std::uint8_t>(~kPolicies), std::memory_order_acq_rel);
  }
  EndpointDirectory& endpoints() const { return *endpoints_; }

  // Bidirectional GIOP; nullptr until make_bidirectional() (bidirectional_giop.h) has made it.
  BidirectionalGiop* bidirectional() const { return bidirectional_.load(std::memory_order_acquire); }
  // Called once; the ORB owns the argument.
  void set_bidirectional(std::unique_ptr<BidirectionalGiop> bidirectional) {
    bidirectional_.store(bidirectional.release(), std::memory_order_release);
  }
  // From now on calls use bidirectional GIOP if no policy says otherwise.
  void go_bidirectional() { special_.fetch_or(kBidirectional, std::memory_order_acq_rel); }
  bool goes_bidirectional() const { return (special_.load(std::memory_order_acquire) & kBidirectional) != 0; }

  // From now on, and for good, client_interception() makes the calls.
  void intercept_calls() { special_.fetch_or(kIntercepted, std::memory_order_acq_rel); }
  bool intercepts_calls() const { return (special_.load(std::memory_order_acquire) & kIntercepted) != 0; }
  ClientInterception* client_interception() const { return client_interception_; }

  // --- Requests ---

  AdapterAccess& adapter_access() { return adapter_access_; }
  // The object adapter, or the handler in front of it; nullptr if there is none.
  RequestHandler* handler() const { return adapter_access_.handler(); }
  // Whether there are objects known by a name alone.
  bool has_named() const { return (special_.load(std::memory_order_acquire) & kNamed) != 0; }
  // Whether named_object() has an answer.
  bool is_named(ByteView key) { return has_named() && find_named(key); }
  // Finds the reference registered as initial reference under a name that equals the key. Returns false if there is
  // none.
  bool named_object(ByteView key, ior::Ior& out) {
    return has_named() && named_.load(std::memory_order_acquire)->find(key, out);
  }
  // Bounds the number of upcalls that run at once.
  UpcallGate& upcalls() { return upcalls_; }
  Server& server() const { return *server_; }
  // For upcalls of adapters with MAIN_THREAD_MODEL: runs a MainThread::Task (main_thread.h) there.
  MainThread& main_thread() const { return *main_thread_; }

 protected:
  // Running ──shutdown()──→ Stopping ──all upcalls done──→ Stopped ──destroy()──→ Destroyed
  enum class Phase : std::uint8_t { Running, Stopping, Stopped, Destroyed };

  explicit OrbContext(Options&& options);
  virtual ~OrbContext();

  // Called before anybody else has the ORB. The parts live as long as the ORB. server and main_thread are nullptr if
  // nothing is served.
  void set_parts(EndpointDirectory& endpoints, Server* server, MainThread* main_thread) {
    endpoints_ = &endpoints;
    server_ = server;
    main_thread_ = main_thread;
  }
  void set_client_interception(ClientInterception* interception) { client_interception_ = interception; }
  // nullptr takes the named objects away.
  void set_named(NamedObjects* named) {
    if (named) {
      named_.store(named, std::memory_order_release);
      special_.fetch_or(kNamed, std::memory_order_acq_rel);
    } else {
      special_.fetch_and(static_cast<std::uint8_t>(~kNamed), std::memory_order_acq_rel);
    }
  }
  // Calls are not plain any more: shutdown has begun.
  void note_stopping() { special_.fetch_or(kStopping, std::memory_order_acq_rel); }
  // Tells the parts that have been added and not been told yet.
  void stop_parts();
  void end_parts();

  mutable std::mutex phase_mutex_;
  std::condition_variable phase_changed_;
  std::atomic<Phase> phase_{Phase::Running};  // changed under phase_mutex_

 private:
  // The reasons why calls are not plain, but Invocations.
  static constexpr std::uint8_t kStopping = 1, kPolicies = 2, kBidirectional = 4, kIntercepted = 8, kNamed = 16;

  void check_stopping() const;
  bool find_named(ByteView key);

  std::atomic<std::uint32_t> count_{1};
  std::atomic<std::uint8_t> special_{0};
  MessageSource sources_[MessageSource::kKinds];
  const Options options_;
  AdapterAccess adapter_access_;
  UpcallGate upcalls_;
  EndpointDirectory* endpoints_ = nullptr;
  Server* server_ = nullptr;
  MainThread* main_thread_ = nullptr;
  ClientInterception* client_interception_ = nullptr;
  std::atomic<BidirectionalGiop*> bidirectional_{nullptr};  // ours
  std::atomic<NamedObjects*> named_{nullptr};
  SharedCallPolicies policies_;
  std::unique_ptr<OrbPart> parts_;  // the newest first; under phase_mutex_
  OrbPart* stopped_ = nullptr;      // the newest part that has been told
};

}  // namespace callis::orb
