// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB (docs/guide/demultiplexing.md, Collocation):
//
//   direct           stub ─→ adapter ─→ thunk: arguments cross from frame to frame (marshal/crossing.h); for
//                    operations whose types allow it and objects with a servant of their own, otherwise
//   through adapter  stub ─→ arguments in a buffer ─→ RequestHandler, as for any request, but no message
//   marshaled        a GIOP message through a session of the ORB, on the caller's thread
//
// The adapter chooses the way. All run on the caller's thread. The first two leave forwards, and objects that are
// known by a name alone, to the third. A program may be linked without the first two: no reference has a
// collocated_path() then.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/client/collocated_call.h>
#include <callis/orb/context/server_request.h>

namespace callis::marshal {
struct Unit;
class OperationPlans;
class Crossing;
}  // namespace callis::marshal

namespace callis::orb {

// If built for size, direct calls have no short cuts: neither DirectCall::again nor small frames.
#ifdef __OPTIMIZE_SIZE__
inline constexpr bool kShortCuts = false;
#else
inline constexpr bool kShortCuts = true;
#endif

// The adapter's own way to repeat a call whose memo the adapter has filled. Calls the servant, or invoke_own_noted()
// if the servant cannot be called at once. Throws as call() does.
using DirectAgain = void (*)(Reference& target, const Path& path, const marshal::OperationPlans& plans, void* frame,
                             const ServerRequest::Memo& memo);

// The data of a direct call. The adapter may keep its findings in memo, for the next call of the same operation
// through the same reference by the same thread. It may also set `again`.
struct DirectCall {
  ByteView object_key;
  const marshal::OperationPlans& plans;
  const marshal::Crossing& crossing;
  void* frame;  // the client's
  ServerRequest::Memo& memo;
  DirectAgain& again;
  const RequestHandler& called;  // the ORB's handler, which may stand in front of the adapter
};

// Makes a call of an interpreted stub: directly if possible, else by invoke_by_message(). Both throw as call() does.
CALLIS_OPTIONAL void invoke_own(Reference& target, const Path& path, const marshal::Unit& unit, std::uint32_t op,
                                const marshal::OperationPlans& plans, void* frame);
// The same without DirectCall::again, for the first call.
CALLIS_OPTIONAL void invoke_own_noted(Reference& target, const Path& path, const marshal::OperationPlans& plans,
                                      void* frame);
void invoke_by_message(Reference& target, const marshal::OperationPlans& plans, void* frame);  // in invoke.cpp
}  // namespace callis::orb
