// SPDX-License-Identifier: Apache-2.0
// The functions that dispatch.cpp shares with its parts, which not every program has. Private to the adapters.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/upcall.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/servant/skeleton.h>

CALLIS_FEATURE(direct);
CALLIS_FEATURE(explained_exceptions);
CALLIS_FEATURE(flat_requests);

namespace callis::poa {

class Dispatcher;

// --- in dispatch.cpp ---

template <class E>
[[gnu::cold]] void answer(orb::ServerRequest& request, CORBA::ULong minor, CORBA::CompletionStatus completed) {
  answer_standard(request, E::kWhich, minor, completed);
}

[[gnu::cold]] void refuse(orb::ServerRequest& request, Refusal why);
// Answers with the exception for a fault of decoding arguments or encoding results.
[[gnu::cold]] void report(orb::ServerRequest& request, Fault fault, orb::Step step);

// Turns the exception being handled into the reply. send_user returns false if the operation does not raise e.
[[gnu::cold, gnu::noinline]] void answer_thrown(orb::ServerRequest& request, CORBA::CompletionStatus completed,
                                                bool (*send_user)(void* context, const CORBA::UserException& e),
                                                void* context);

// Calls the application, and turns its exception into the reply. send_user(e) returns false if the operation does not
// raise e. completed is the status for exceptions that are no system exceptions.
template <class Call, class SendUser>
bool call_up(orb::ServerRequest& request, CORBA::CompletionStatus completed, Call call, SendUser send_user) {
  try {
    call();
    return true;
  } catch (...) {
    const auto send = [](void* f, const CORBA::UserException& e) { return (*static_cast<SendUser*>(f))(e); };
    answer_thrown(request, completed, send, &send_user);
    return false;
  }
}

// Tells the watch, if there is one, and runs the operation. Not inline, so that rare callers share one copy. Not
// cold, since adapters with real-time policies have a watch.
[[gnu::hot, gnu::noinline]] void run_watched(const TargetWatch* watch, const Target& object, Adapter& adapter,
                                             const SkeletonOperation* op, orb::ServerRequest& request);
extern constinit std::atomic<const TargetWatch*> target_watch;
inline const TargetWatch* watch_of_targets() { return target_watch.load(std::memory_order_acquire); }
// Serves the request on this thread. op is nullptr if the operation must still be looked up.
[[gnu::cold]] void serve_found(Slot* slot, const SkeletonOperation* op,
                               orb::ServerRequest& request);

// --- in interpreted.cpp ---

// As answer_thrown(), for an operation that has plans.
[[gnu::cold, gnu::noinline]] void answer_thrown_by(const marshal::OperationPlans& plans, orb::ServerRequest& request);

// --- in direct.cpp: direct calls, from a stub's frame to the servant's thunk (orb/core/collocated.h) ---

// Dispatcher::call_directly().
CALLIS_OPTIONAL bool call_directly(Dispatcher& dispatcher, const orb::DirectCall& call);

// --- in flat_requests.cpp: requests whose arguments and results have a fixed size and need no check ---

// Such requests are only moved from the message to the servant's frame, and from the frame to the reply. They need
// neither Decoder nor Encoder, nor a ServerRequest. Programs without the feature serve them like all others.
//
// The plans of the operation, if its requests can be served so: for ServerRequest::Memo::flat.
CALLIS_OPTIONAL const marshal::OperationPlans* flat_plans(const Slot& slot, const SkeletonOperation& op) noexcept;
// Implements RequestHandler::handle_flat(), for a memo of this registry's adapters.
CALLIS_OPTIONAL bool serve_flat(Registry& registry, orb::FlatRequest& request) noexcept;

// --- in explained_exceptions.cpp ---

// Answers with e, which has left the servant. Warns, and adds a text, if e is the TIMEOUT of a nested call.
CALLIS_OPTIONAL [[gnu::cold]] void answer_with_warning(orb::ServerRequest& request, const CORBA::SystemException& e);
// Called while an exception is handled that is not CORBA's. Warns, and answers UNKNOWN with a text.
CALLIS_OPTIONAL [[gnu::cold]] void answer_foreign_exception(orb::ServerRequest& request,
                                                            CORBA::CompletionStatus completed);

// --- in rare_dispatch.cpp ---

// Asks servant managers and adapter activators for a LocateRequest: by the request _non_existent, which handler gets.
CALLIS_OPTIONAL [[gnu::cold]] orb::Locate ask_application(orb::RequestHandler& handler, ByteView object_key,
                                                          bool comes_back, ior::Ior& forward,
                                                          giop::SystemExceptionBody& failure) noexcept;
// Sends the ForwardRequest of a servant manager. Returns false for other exceptions.
CALLIS_OPTIONAL [[gnu::cold]] bool send_forward(orb::ServerRequest& request, const CORBA::UserException& e);
// Serves a request to an adapter whose ServantLocator gives one servant for each request.
CALLIS_OPTIONAL [[gnu::cold]] void serve_by_locator(Adapter& adapter, orb::Upcall& upcall,
                                                    orb::ServerRequest& request);
// Serves a request to an adapter with SINGLE_THREAD_MODEL or MAIN_THREAD_MODEL.
CALLIS_OPTIONAL [[gnu::cold]] void serve_in_turn(Slot* slot, const SkeletonOperation* op,
                                                 orb::ServerRequest& request);

}  // namespace callis::poa
