// SPDX-License-Identifier: Apache-2.0
// Invocation: one call, or one LocateRequest, from the choice of an address to the outcome. It opens connections,
// follows forwards, sends unprocessed requests again, reads replies that are not plain results, and reports failures.
// call.cpp makes plain calls, as nearly all calls are, and hands the others over to an Invocation.
//
//   Choosing ──→ Connecting ──→ Sending ──→ Sent ──→ Replied ──→ Completed
//      ↑  ↑          │             │         │          ├──────→ Failed   (from every state)
//      │  └──────────┘  next address         │          │
//      │             ↑ not processed ────────┘          │
//      └── Forwarded ←───────────────────────────────────┘
//
// Its steps do not wait. In the states Connecting, Sending and Sent the driver of the invocation waits in its own
// way, and tells the outcome by connected(), sent() or arrived(). complete() (complete.h) drives an invocation by
// waiting on the calling thread. The lane of a shared connection tells a ReplySink that the reply is there.
//
// Used by one thread at a time, which may change between steps. The caller's arguments outlive the invocation.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/giop.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/call_terms.h>
#include <callis/orb/client/client_interception.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/endpoint/client_connection.h>
#include <callis/orb/endpoint/endpoint.h>
#include <memory>
#include <utility>

namespace callis::orb {

class BidirectionalGiop;

class Invocation final {
 public:
  using Connection = std::unique_ptr<ClientConnection>;

  enum class State : std::uint8_t {
    Choosing,    // an address, and a connection
    Connecting,  // to endpoint(): a new connection is needed
    Sending,     // the request is built and has to be sent on connection()
    Sent,        // the reply has to be received from connection()
    Replied,     // the reply is here, and is read
    Forwarded,   // to target(), by a server; another attempt follows
    Failed,      // exception() says how
    Completed,   // the results are with the caller
  };

  // Makes the invocation of a call, which began at now.
  Invocation(Reference& target, const CallOperation& operation, CallBody& body, TimePoint now, Deadline deadline);
  // Asks for the object's location instead; located() tells the answer.
  struct Locate {};
  Invocation(Locate, Reference& target, const CallOperation& operation, CallBody& body, TimePoint now,
             Deadline deadline);
  ~Invocation();
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  // --- Driving it ---

  State state() const { return state_; }
  // Makes the first attempt use this connection, which was checked out for that path of `to`. `to` is the target, or
  // its forward. Called before any step.
  void use(Reference& to, Connection c, const Path& path);
  // Goes on with a request of that id, which has already been built for the connection. Called before any step;
  // sent() must be called next.
  void resume(Reference& to, Connection c, const Path& path, std::uint32_t id);
  // Goes on until the driver must wait, or the invocation is over: Connecting, Sending, Sent, Failed or Completed.
  State advance();

  // These are for the state Connecting. connect() opens a connection, and waits; connected() takes the outcome, also
  // of others' connections.
  Endpoint& endpoint() const { return *path_at_->endpoint; }
  Result<Connection> connect();
  void connected(Result<Connection> outcome);

  // These are for the state Sending. send() sends the request, and may wait for the peer; sent() takes the outcome.
  ClientConnection& connection() const { return *connection_; }
  transport::Transfer send();
  void sent(const transport::Transfer& outcome);

  // These are for the state Sent. arrived() reads the reply at once, or learns that it has not come in time.
  std::uint32_t request_id() const { return id_; }
  bool is_call() const { return !locates_; }
  // Whether the server has answered the last attempt.
  bool has_reply() const { return has_reply_; }
  Deadline reply_deadline() const { return terms_.reply; }
  void arrived(const ClientConnection::Arrival& a);

  // These are for the state Failed. raise_exception() throws the exception.
  const CORBA::Exception& exception() const { return *exception_; }
  [[noreturn]] void raise_exception() const;
  // This is for the state Completed of a Locate.
  Located located() const { return located_; }

  // --- For an InvocationObserver ---

  const CallOperation& operation() const { return operation_; }
  CallBody& body() { return body_; }
  const CallTerms& terms() const { return terms_; }
  Reference& first() { return first_; }
  // The reference that the invocation goes to next, or has gone to.
  Reference& target() { return target_ ? *target_ : first_; }
  // Asks for another attempt, at that reference. Throws TRANSIENT, REBIND.
  void send_elsewhere(ReferencePtr to);
  bool expects_reply();

  // Whether the server answers oneways of that path by the ORB's own SyncScope: SERVER and TARGET.
  static bool is_answered(const Reference& target, const Path& path);

 private:
  using End = InvocationObserver::End;
  using Exception = std::unique_ptr<CORBA::Exception>;

  const Path& path() const { return *path_at_; }
  bool tells_code_sets() const { return (path_at_->char_code_set | path_at_->wchar_code_set) != 0; }
  bool is_answered() const;
  template <class Step>
  void take(Step step) {
    take([](void* s) { (*static_cast<Step*>(s))(); }, &step);
  }
  void take(void (*step)(void*), void* what);

  // --- Choosing, connecting ---
  void begin_attempt();
  void choose();
  bool find_connection();
  void go();
  void nowhere_to_go();
  void check_reach(Reference& to);
  bool must_be_alone();
  BidirectionalGiop* bidirectional() const;
  void reconcile();
  bool back_to_first();
  void count_forward();
  void check_rebind(const Reference& to);

  // --- The request ---
  Fault build();
  // build_locate() and located_at() are in locate.cpp, which only programs that ask servers for objects' locations
  // have.
  CALLIS_OPTIONAL Fault build_locate();
  giop::Target address();
  Fault begin(const RequestTemplates::Kind* kind, giop::Started& started);
  void not_sent(const transport::Transfer& t);
  void again(Error& why);

  // --- The reply ---
  bool may_cancel();
  void no_answer(const ClientConnection::Arrival& a);
  void answered(const giop::Message& m);
  void begin_reading(cdr::Decoder& reply);
  CALLIS_OPTIONAL void located_at(const giop::Message& m);
  void results(cdr::Decoder& d);
  void user_exception(cdr::Decoder& d);
  // contexts belong to a reply, in which the exception may have a text.
  void system_exception(cdr::Decoder& d, const giop::ServiceContexts* contexts);
  void forward(cdr::Decoder& d, bool for_good);
  void other_addressing(cdr::Decoder& d);
  bool is_left_for_first(CORBA::SystemException& e);

  // --- Ends ---
  void end_attempt(End how);
  void completed();
  void fail(const Error& error, Step step, bool awaiting_reply = false);
  void fail_at(Fault fault, std::string_view what, std::string_view whose, Step step);
  void fail(Exception e);
  void done();
  void bound() {
    if (terms_.follows) first_.set_bound(true);
  }

  OrbContext& orb_;
  Reference& first_;
  const CallOperation& operation_;
  CallBody& body_;
  ReferencePtr target_;  // the forward of first_; nullptr: first_ itself
  State state_ = State::Choosing;
  bool attempting_ = false;    // an attempt has begun
  bool has_reply_ = false;     // the last one has been answered
  bool observing_ = false;     // and the observer has not heard of its end
  bool elsewhere_ = false;     // the observer has sent it elsewhere
  bool reissued_ = false;      // sent again to this place already, so the next time is an error, or the way back
  bool refused_ = false;       // a place that we were forwarded to has said TRANSIENT
  bool fresh_ = false;         // on a new connection, please
  bool tells_points_ = false;  // the request built last has our listen points
  const bool locates_ = false; // a LocateRequest is sent
  Located located_ = Located::Unknown;
  Connection connection_;
  const Path* path_at_ = nullptr;  // of target()'s
  std::size_t path_ = 0;           // its index
  std::size_t tried_ = 0;          // addresses of target()'s in this round
  std::size_t begin_at_ = 0;       // the index of the first of them
  Error failure_;                  // of these addresses
  const TimePoint began_;
  TimePoint now_;
  const CallTerms terms_;
  std::uint32_t id_ = 0;
  std::uint32_t forwards_ = 0;
  ior::PolicyValues told_;
  std::unique_ptr<InvocationObserver> observer_;
  Exception exception_;
};

// Drives the invocation on the calling thread until it is Completed or Failed. Throws the exception of a failed
// invocation.
void complete(Invocation& invocation);

// The kind of a call's requests. operation: CallOperation::identity.
inline RequestTemplates::Kind kind_of(const Reference& to, const Path& path, const void* operation) {
  static_assert(alignof(Path) >= 4);
  if (to.addressing() == 0 && path.version == giop::kGiop12) [[likely]]
    return {0, operation, path.object_key.size(), to.serial(), path.object_key};
  return {to.serial(), operation, reinterpret_cast<std::uintptr_t>(&path) | (to.addressing() & 3u), 0, {}};
}

}  // namespace callis::orb
