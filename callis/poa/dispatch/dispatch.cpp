// SPDX-License-Identifier: Apache-2.0
// The way of a request through the adapter: object, operation, upcall. Skeleton::run leads to arguments and results.
#include <callis/orb/base/errors.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/profile.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/dispatch/pseudo.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>
#include <mutex>

namespace callis::poa {

void answer_standard(orb::ServerRequest& request, classic::Standard which, CORBA::ULong minor,
                     CORBA::CompletionStatus completed) {
  request.system_exception(classic::LocalStandard(which, minor, completed));
}

void refuse(orb::ServerRequest& request, Refusal why) {
  using namespace CORBA;
  switch (why) {
    case Refusal::None: break;
    case Refusal::NoAdapter: return answer<OBJECT_NOT_EXIST>(request, orb::omg(2), COMPLETED_NO);
    case Refusal::NoObject: return answer<OBJECT_NOT_EXIST>(request, kObjectNotActive, COMPLETED_NO);
    case Refusal::Discarding:
    case Refusal::HeldTooLong: return answer<TRANSIENT>(request, orb::omg(1), COMPLETED_NO);
    case Refusal::Inactive: return answer<OBJ_ADAPTER>(request, orb::omg(1), COMPLETED_NO);
    case Refusal::Destroying: return answer<TRANSIENT>(request, orb::omg(4), COMPLETED_NO);
    case Refusal::NoDefaultServant: return answer<OBJ_ADAPTER>(request, orb::omg(3), COMPLETED_NO);
    case Refusal::NotBidirectional: return answer<NO_PERMISSION>(request, orb::kNotBidirectional, COMPLETED_NO);
    case Refusal::NoServantManager: return answer<OBJ_ADAPTER>(request, orb::omg(4), COMPLETED_NO);
  }
}

// Turns the exception being handled into the reply. send_user is false when the operation does not raise e.
void answer_thrown(orb::ServerRequest& request, CORBA::CompletionStatus completed,
                   bool (*send_user)(void* context, const CORBA::UserException& e), void* context) {
  try {
    throw;
  } catch (const CORBA::UserException& e) {
    if (!send_user(context, e)) answer<CORBA::UNKNOWN>(request, orb::omg(1), completed);
  } catch (const CORBA::SystemException& e) {
    if (CALLIS_HAS(explained_exceptions)) answer_with_warning(request, e);
    else request.system_exception(e);
  } catch (const std::bad_alloc&) {
    answer<CORBA::NO_MEMORY>(request, kServantNoMemory, completed);
  } catch (...) {
    if (CALLIS_HAS(explained_exceptions)) answer_foreign_exception(request, completed);
    else answer<CORBA::UNKNOWN>(request, kServantThrew, completed);
  }
}

constinit std::atomic<const TargetWatch*> target_watch{nullptr};

namespace {

[[gnu::hot]] void run(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request) {
  object.skeleton->run(object, op, request);
}

[[gnu::cold]] void run_profiled(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request) {
  orb::ProfiledRequest counted(request, *object.skeleton->unit, op.op, object.skeleton->repository_ids);
  run(object, op, counted);
}

[[gnu::cold]] void run_pseudo_operation(const Target& object, orb::ServerRequest& request) {
  bool known = true;
  const bool served = call_up(
      request, CORBA::COMPLETED_MAYBE, [&] { known = serve_unknown_operation(object, request); },
      [](const CORBA::UserException&) { return false; });
  if (served && !known) answer<CORBA::BAD_OPERATION>(request, orb::omg(2), CORBA::COMPLETED_NO);
}

// op: nullptr when it has to be looked for.
[[gnu::always_inline]] inline void run_found(const Target& object, const Adapter& adapter,
                                             const SkeletonOperation* op, orb::ServerRequest& request) {
  if (!op) op = find_operation(*object.skeleton, request.operation(), adapter.operation_lookup());
  if (!op) [[unlikely]] return run_pseudo_operation(object, request);
  if (orb::profiling) [[unlikely]] return run_profiled(object, *op, request);
  run(object, *op, request);
}

}  // namespace

void report(orb::ServerRequest& request, Fault fault, orb::Step step) {
  request.system_exception(*orb::exception_of({fault, 0, std::string(request.operation())}, step));
}

void run_watched(const TargetWatch* watch, const Target& object, Adapter& adapter, const SkeletonOperation* op,
                 orb::ServerRequest& request) {
  if (!watch) return run_found(object, adapter, op, request);
  Target target = object;
  if (!watch->found(request, target, adapter, op)) return;
  run_watched(watch->next, target, adapter, op, request);
  watch->left(request);
}

namespace {

[[gnu::always_inline]] inline void run(const Target& object, Adapter& adapter, const SkeletonOperation* op,
                                       orb::ServerRequest& request) {
  if (const TargetWatch* const watch = target_watch.load(std::memory_order_acquire))
    return run_watched(watch, object, adapter, op, request);
  run_found(object, adapter, op, request);
}

// op: nullptr when it has to be looked for.
[[gnu::always_inline]] inline void serve_activation(Slot* slot, const SkeletonOperation* op,
                                                    orb::ServerRequest& request) {
  orb::Upcall& upcall = *orb::Upcall::innermost();
  upcall.enter(*slot->adapter, slot->servant, request);
  if (slot->servant) [[likely]] run({slot->servant, slot->self, slot->skeleton}, *slot->adapter, op, request);
  else serve_by_locator(*slot->adapter, upcall, request);
}

}  // namespace

void serve_found(Slot* slot, const SkeletonOperation* op, orb::ServerRequest& request) {
  serve_activation(slot, op, request);
}

namespace {

// op: nullptr when it has to be looked for.
[[gnu::always_inline]] inline void serve_pinned(Registry& registry, Slot* slot, const SkeletonOperation* op,
                                                orb::ServerRequest& request) {
  const Pin pin{registry, slot};
  if (slot->adapter->serves_one_at_a_time()) [[unlikely]] serve_in_turn(slot, op, request);
  else serve_activation(slot, op, request);
}

}  // namespace

void add_target_watch(TargetWatch& watch) {
  static constinit std::mutex mutex;
  const std::lock_guard lock(mutex);
  const TargetWatch* const first = target_watch.load(std::memory_order_relaxed);
  for (const TargetWatch* w = first; w; w = w->next)
    if (w == &watch) return;
  watch.next = first;
  target_watch.store(&watch, std::memory_order_release);
}

// A memo holds an activation and an operation of its skeleton. It is good for as long as the activation lasts: as
// the same bytes of key led to it, they still do.
[[gnu::always_inline]] inline void Dispatcher::handle_or_throw(orb::ServerRequest& request) {
  orb::ServerRequest::Memo* const memo = request.memo();
  if (memo && memo->owner == this) [[likely]] {
    if (Slot* slot = registry_->enter_again(*static_cast<Slot*>(memo->object), memo->generation)) [[likely]]
      return serve_pinned(*registry_, slot, static_cast<const SkeletonOperation*>(memo->operation), request);
  }
  handle_first(request, memo);
}

[[gnu::noinline]] void Dispatcher::handle_first(orb::ServerRequest& request, orb::ServerRequest::Memo* memo) {
  if (memo) memo->owner = nullptr;
  Registry::Entry entry{nullptr, Refusal::None};
  if (!call_up(
          request, CORBA::COMPLETED_NO,
          [&] {
            const ByteView key = request.object_key();
            entry = request.comes_back() ? registry_->enter_back(key) : registry_->enter(key);
          },
          [&](const CORBA::UserException& e) { return CALLIS_HAS(adapters) && send_forward(request, e); }))
      [[unlikely]]
    return;
  Slot* const slot = entry.slot;
  if (!slot) [[unlikely]] return refuse(request, entry.refusal);
  const SkeletonOperation* op = nullptr;
  // A hidden slot is noted if no object can become active in its place.
  if (memo && slot->skeleton && !(slot->hidden() && slot->adapter->retains()))
    op = find_operation(*slot->skeleton, request.operation(), slot->adapter->operation_lookup());
  if (op) *memo = {this, slot, op, slot->generation(), CALLIS_HAS(flat_requests) ? flat_plans(*slot, *op) : nullptr};
  serve_pinned(*registry_, slot, op, request);
}

[[gnu::hot]] void Dispatcher::handle(orb::ServerRequest& request) noexcept {
  try {
    handle_or_throw(request);
  } catch (...) {  // no memory to describe the failure
    answer<CORBA::NO_MEMORY>(request, kServantNoMemory, CORBA::COMPLETED_MAYBE);
  }
}

bool Dispatcher::handle_flat(orb::FlatRequest& request) noexcept {
  return request.memo.owner == this && serve_flat(*registry_, request);
}

orb::Locate Dispatcher::locate(ByteView object_key, ior::Ior&) noexcept {
  return registry_->locate(object_key);
}

// Feature adapters: without it nobody is asked.
orb::Locate Dispatcher::ask(ByteView object_key, bool comes_back, ior::Ior& forward,
                            giop::SystemExceptionBody& failure) noexcept {
  return CALLIS_HAS(adapters) ? ask_application(*this, object_key, comes_back, forward, failure)
                              : orb::Locate::Unknown;
}

bool Dispatcher::call_directly(const orb::DirectCall& call) {
  return CALLIS_HAS(direct) && poa::call_directly(*this, call);
}

orb::Collocation Dispatcher::collocation(ByteView object_key) noexcept { return registry_->collocation(object_key); }

}  // namespace callis::poa
