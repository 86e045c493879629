// SPDX-License-Identifier: Apache-2.0
// CallTerms: the terms of one call, worked out from the policies in force and the ORB's options when the call begins
// (CORBA 3.0.3, 4.9.1 and 22.2).
//
// A plain call (call.cpp) does without CallTerms: no policy is set anywhere. Programs that never set a policy do not
// have the code that reads policies. This code announces itself by set_reader().
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
  // Whether a call that has been bound to an object may be forwarded from one reference to the other. nullptr if it
  // always may.
  bool (*follows)(const Reference& from, const Reference& to) = nullptr;
  // Writes the policies that the server is told of for a call to that reference, as far as the server allows them
  // (22.3). Throws INV_POLICY. nullptr if nothing is told.
  void (*tell)(const CallTerms& terms, const Reference& to, ior::PolicyValues& told) = nullptr;
  CallPolicies told{};  // of these; RequestEnd and ReplyEnd also for limits that were set as a span
  // When the request may be sent, and the reply given to the caller; zero: at once.
  TimePoint request_start{}, reply_start{};
  // Waits on the calling thread for request_start or reply_start, or for the ORB's shutdown. At shutdown throws
  // BAD_INV_ORDER, unless it waits for the reply. nullptr if both are zero.
  void (*hold)(OrbContext& orb, const CallTerms& terms, bool reply) = nullptr;
  bool no_reconnect = false;
  bool stays = false;  // a bound call goes to the address of its binding, and to no other
  bool scope_by_policy = false;
  bool bidirectional = false;       // BidirectionalPolicy
  bool reply_by_policy = false;  // reply is no matter of -ORBCallTimeout

  // The terms of a call on target that this thread begins at now, on the steady clock. deadline holds if no policy
  // gives one.
  static CallTerms of(const Reference& target, TimePoint now, Deadline deadline);

  using Reader = void (*)(const Reference& target, TimePoint now, CallTerms& terms);
  static void set_reader(Reader reader) { reader_.store(reader, std::memory_order_release); }

 private:
  static constinit std::atomic<Reader> reader_;
};

// The policies of the calling thread; nullptr for none. A call that finds some is an Invocation from the start.
extern constinit thread_local const CallPolicies* t_call_policies __attribute__((tls_model("initial-exec")));

}  // namespace callis::orb
