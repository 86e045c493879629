// SPDX-License-Identifier: Apache-2.0
// What the exceptions of calls say in words. Feature explanations: programs without it give faults and addresses
// alone.
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
// Gives e its text: the operation, the limit, whose limit it is, the time that has passed, and what was being done.
// To be called by the thread that made the call, as its policies are looked at.
CALLIS_OPTIONAL void explain_timeout(CORBA::SystemException& e, const LateCall& call, const Error& why);

// For an exception that a server has sent: text is "PEER" or "PEER: WHAT THE SERVANT SAYS", and peer_end stands
// behind PEER. Puts in between what the minor code means, and the object's key or the operation where these are what
// is wrong.
CALLIS_OPTIONAL void explain_received(std::string& text, std::size_t peer_end, const CORBA::SystemException& e,
                                      std::string_view operation, ByteView object_key);

}  // namespace callis::orb
