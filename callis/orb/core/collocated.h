// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB (docs/guide/demultiplexing.md, Collocation):
//
//   direct           stub ─→ adapter ─→ thunk: arguments cross from frame to frame (marshal/crossing.h); for
//                    operations whose types allow it and objects with a servant of their own, otherwise
//   through adapter  stub ─→ arguments in a buffer ─→ RequestHandler, as for any request, but no message
//   marshaled        a GIOP message through a session of the ORB, on the caller's thread
//
// Which of them is the adapter's choice. All run on the caller's thread. What the first two cannot do themselves -
// forwards, objects that are known by a name alone - they leave to the third. A program may be linked without them:
// no reference has a collocated_path() then.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/client/own_call.h>
#include <callis/orb/context/server_request.h>

namespace callis::marshal {
struct Unit;
class OperationPlans;
class Crossing;
}  // namespace callis::marshal

namespace callis::orb {

// Built for size, direct calls have none of the short cuts: that is what DirectCall::again and small frames are.
#ifdef __OPTIMIZE_SIZE__
inline constexpr bool kShortCuts = false;
#else
inline constexpr bool kShortCuts = true;
#endif

// The adapter's own way of making a call again whose memo it has filled. Calls the servant or, where that cannot be
// done at once, invoke_own_noted(). Throws what call() throws.
using DirectAgain = void (*)(Reference& target, const Path& path, const marshal::OperationPlans& plans, void* frame,
                             const ServerRequest::Memo& memo);

// What a direct call brings. The adapter may keep in memo what it found, for the next call of the same operation
// through the same reference by the same thread; and may set `again`.
struct DirectCall {
  ByteView object_key;
  const marshal::OperationPlans& plans;
  const marshal::Crossing& crossing;
  void* frame;  // the client's
  ServerRequest::Memo& memo;
  DirectAgain& again;
  const RequestHandler& called;  // the ORB's, who may stand in front of the adapter
};

// A call by an interpreted stub, directly if that can be, else by invoke_by_message(). Both throw what call() throws.
CALLIS_OPTIONAL void invoke_own(Reference& target, const Path& path, const marshal::Unit& unit, std::uint32_t op,
                                const marshal::OperationPlans& plans, void* frame);
// The same but for the first call, without DirectCall::again.
CALLIS_OPTIONAL void invoke_own_noted(Reference& target, const Path& path, const marshal::OperationPlans& plans,
                                      void* frame);
void invoke_by_message(Reference& target, const marshal::OperationPlans& plans, void* frame);  // in invoke.cpp
}  // namespace callis::orb
