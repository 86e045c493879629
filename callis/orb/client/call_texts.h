// SPDX-License-Identifier: Apache-2.0
// The texts of calls' exceptions. Part of the feature explanations: other programs give faults and addresses alone.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/base/result.h>
#include <callis/orb/client/call_terms.h>
#include <string>

CALLIS_FEATURE(call_texts);

namespace CORBA::inline callis_orb {
class SystemException;
}

namespace callis::orb {

// A call whose deadline has passed.
struct LateCall {
  std::string_view operation;
  const Reference& target;  // the caller's
  const CallTerms& terms;
  TimePoint began;
  bool awaiting_reply;  // the request has been sent
};
// Gives e its text: the operation, the limit and its origin, the time that has passed, and the current step. Called
// by the thread that made the call, as its policies are looked at.
CALLIS_OPTIONAL void explain_timeout(CORBA::SystemException& e, const LateCall& call, const Error& why);

// For an exception that a server has sent. text is "PEER" or "PEER: TEXT OF THE SERVANT", and peer_end is the place
// behind PEER. Inserts there the meaning of the minor code, and the object's key or the operation if this is the
// cause.
CALLIS_OPTIONAL void explain_received(std::string& text, std::size_t peer_end, const CORBA::SystemException& e,
                                      std::string_view operation, ByteView object_key);

}  // namespace callis::orb
