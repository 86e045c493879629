// SPDX-License-Identifier: Apache-2.0
// UnusualCall: what call() does when something is not as it nearly always is: opens connections, follows forwards,
// sends again what was not processed, reads replies that are not plain results, and throws what went wrong. Lives
// on the stack of one call.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/giop.h>
#include <callis/orb/call.h>
#include <callis/orb/call_terms.h>
#include <callis/orb/client_connection.h>
#include <callis/orb/errors.h>
#include <callis/orb/interception.h>
#include <callis/orb/locate.h>

namespace callis::orb {

class UnusualCall final {
 public:
  using Connection = std::unique_ptr<ClientConnection>;

  // now: the time the call began. The references must outlive it.
  UnusualCall(Reference& target, const CallOperation& operation, CallBody& body, TimePoint now, Deadline deadline)
      : core_(target.core()), first_(target), operation_(operation), body_(body), target_(target.forward()),
        now_(now), terms_(CallTerms::of(target, now, deadline)) {}

  // From the start. c: a connection checked out for that path of the target's, to be used first; or nullptr.
  void run(Connection c, const Path* path);
  // On that connection, which the request with that id was built for: the outcome of sending it, which was not
  // what it should be, or not followed by the usual reply.
  void go_on(Connection c, const Path& path, std::uint32_t id, const transport::Transfer& sent);
  // Instead of a call: asks where the object is.
  Located locate();

  // --- for an Interception ---

  const CallOperation& operation() const { return operation_; }
  CallBody& body() { return body_; }
  const CallTerms& terms() const { return terms_; }
  Reference& first() { return first_; }
  // Where the call would go next.
  Reference& target() { return target_ ? *target_ : first_; }
  // One request to one server; fails as call() does. True when the call is over; false: another attempt is to be made.
  bool attempt(Attempt& watched) {
    watched_ = &watched;
    if (attempts_++ != 0) now_ = Clock::steady().now();
    return attempt(Connection());
  }
  // The next attempt goes there. TRANSIENT, REBIND.
  void send_elsewhere(ReferencePtr to) {
    count_forward();
    check_rebind(*to);
    target_ = std::move(to);
    path_ = 0;
    fresh_ = false;
  }
  bool expects_reply() {
    if (!operation_.oneway) return true;
    const auto paths = target().paths();
    return terms_.sync_scope >= SyncScope::Server && !paths.empty() && paths[target().preferred()].version >= giop::kGiop12;
  }

  // Whether the server answers oneways of that path by the ORB's own SyncScope: SERVER and TARGET.
  static bool is_answered(const Reference& target, const Path& path);
  // Throw what f, the fault of encoding or decoding, means.
  [[noreturn]] static void bad_arguments(const CallOperation& operation, Fault f);
  [[noreturn]] static void bad_results(const CallOperation& operation, Fault f);

 private:
  const Path& path() const { return *path_at_; }
  bool tells_code_sets() const { return (path_at_->char_code_set | path_at_->wchar_code_set) != 0; }

  void use(const Path& path);
  // One request to one server. True when the call is over; false to try again.
  bool attempt(Connection c);
  bool receive(Connection& c);
  bool is_answered() const;
  transport::Transfer send(ClientConnection& c);
  // Throws what the error means. The request is out when it was the reply that was waited for.
  [[noreturn]] void fail(const Error& error, Step step, bool awaiting_reply = false) const;
  void bound() {
    if (terms_.follows) first_.set_bound(true);
  }

  Connection open();
  Connection connect(Reference& to, Error& failure);
  Connection connect(const std::shared_ptr<Endpoint>& endpoint, Error& failure);
  bool must_be_alone();
  BothWays* both_ways() const;
  // For target(), before it is called.
  void reconcile();
  Fault build(ClientConnection& c);
  // These two in locate.cpp, which only programs have that ask servers for objects.
  CALLIS_OPTIONAL Fault build_locate(ClientConnection& c);
  giop::Target address();
  Fault begin(ClientConnection& c, const RequestTemplates::Kind* kind, giop::Started& started);
  bool not_sent(Connection& c, const transport::Transfer& t);
  bool answered(Connection& c, const giop::Message& m);
  CALLIS_OPTIONAL bool located(Connection& c, const giop::Message& m);
  bool may_cancel(const ClientConnection& c);
  bool no_answer(ClientConnection& c, const ClientConnection::Arrival& a);

  void results(Connection& c, cdr::Decoder& d);
  [[noreturn]] void user_exception(Connection& c, cdr::Decoder& d);
  bool system_exception(Connection& c, cdr::Decoder& d);
  void forward(Connection& c, cdr::Decoder& d, bool for_good);
  void check_reach(Reference& to, const Connection& c);
  void other_addressing(Connection& c, cdr::Decoder& d);

  bool again(const Error& why);
  bool back_to_first();
  void count_forward();
  // For a call that is to go to another reference.
  void check_rebind(const Reference& to) {
    if (terms_.follows && first_.bound() && !terms_.follows(target(), to)) refuse_rebind();
  }
  [[noreturn]] static void refuse_rebind();
  void done(Connection& c);

  Core& core_;
  Reference& first_;
  const CallOperation& operation_;
  CallBody& body_;
  ReferencePtr target_;  // where first_ was forwarded to; nullptr: to first_ itself
  const Path* path_at_ = nullptr;  // of target()'s
  std::size_t path_ = 0;           // its index
  TimePoint now_;
  const CallTerms terms_;
  std::uint32_t id_ = 0;
  std::uint32_t forwards_ = 0;
  ior::PolicyValues told_;
  bool reissued_ = false;  // sent again already, so next time it is an error
  bool fresh_ = false;     // on a new connection, please
  bool tells_points_ = false;  // the request built last says where we listen
  bool locates_ = false;   // a LocateRequest is sent
  Attempt* watched_ = nullptr;
  std::uint32_t attempts_ = 0;  // that were watched
  Located located_ = Located::Unknown;
};

}  // namespace callis::orb
