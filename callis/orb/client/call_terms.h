// SPDX-License-Identifier: Apache-2.0
// CallTerms: what holds for one call by the policies in force and by the ORB's options, worked out when the call
// begins (CORBA 3.0.3, 4.9.1 and 22.2).
//
// A plain call (call.cpp) does without CallTerms: no policy is set anywhere. Programs that never set a policy do not
// have the code that reads policies; that code announces itself by set_reader().
#pragma once
#include <callis/base/clock.h>
#include <callis/ior/policy_values.h>
#include <callis/orb/context/call_policies.h>
#include <callis/orb/options/options.h>
#include <atomic>

namespace callis::orb {

class OrbContext;
class Reference;

struct CallTerms {
  Deadline send;   // by which the request must be on its way; never later than reply
  Deadline reply;  // by which the reply must be here
  Duration connect_timeout;  // to one address; 0: none
  SyncScope sync_scope;      // of a oneway
  // Whether a call that has been bound to an object may be forwarded from one reference to the other; nullptr:
  // always.
  bool (*follows)(const Reference& from, const Reference& to) = nullptr;
  // Writes what the server is to be told of a call to that reference, and what of that the server allows (22.3);
  // nullptr: nothing. INV_POLICY.
  void (*tell)(const CallTerms& terms, const Reference& to, ior::PolicyValues& told) = nullptr;
  CallPolicies told{};  // of these; RequestEnd and ReplyEnd also for what was set as a span
  // When the request may be sent, and the reply given to the caller; zero: at once.
  TimePoint request_start{}, reply_start{};
  // Waits on the calling thread for one of the two, or for the ORB's shutdown: then BAD_INV_ORDER, unless for the
  // reply. nullptr: both are zero.
  void (*hold)(OrbContext& orb, const CallTerms& terms, bool reply) = nullptr;
  bool no_reconnect = false;
  bool stays = false;  // a call that has been bound goes to the address that it was bound at, and to no other
  bool scope_by_policy = false;
  bool bidirectional = false;       // BidirectionalPolicy
  bool reply_by_policy = false;  // reply is no matter of -ORBCallTimeout

  // For a call on target by this thread that begins now, on the steady clock. deadline: where no policy gives one.
  static CallTerms of(const Reference& target, TimePoint now, Deadline deadline);

  using Reader = void (*)(const Reference& target, TimePoint now, CallTerms& terms);
  static void set_reader(Reader reader) { reader_.store(reader, std::memory_order_release); }

 private:
  static constinit std::atomic<Reader> reader_;
};

// The policies of the calling thread; nullptr for none. A call that finds some is an Invocation from the start.
extern constinit thread_local const CallPolicies* t_call_policies __attribute__((tls_model("initial-exec")));

}  // namespace callis::orb
