// SPDX-License-Identifier: Apache-2.0
// Direct calls: collocated ones that go from the stub's frame to the servant's thunk (orb/core/collocated.h).
#include <callis/marshal/crossing.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/adapter_access.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/collocated.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/warnings.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/frame_memory.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>
#include <cstring>

CALLIS_PROVIDE(direct);

namespace callis::poa {
namespace {

std::string_view name_of(const marshal::OperationPlans& plans) { return {plans.name, plans.name_length}; }

[[noreturn, gnu::cold, gnu::noinline]] void fail(const marshal::OperationPlans& plans, Fault f, orb::Step step) {
  orb::throw_fault(f, name_of(plans), step);
}

bool raises(const marshal::OperationPlans& plans, const CORBA::UserException& e) {
  for (marshal::Word i = 0; i < plans.exception_count; ++i)
    if (std::strcmp(static_cast<const orb::ExceptionLink*>(plans.exceptions[i].link)->repository_id, e._rep_id()) ==
        0)
      return true;
  return false;
}

// Throws the exception that a client of another process would get for the exception being handled.
[[noreturn, gnu::cold, gnu::noinline]] void rethrow(const marshal::OperationPlans& plans) {
  try {
    throw;
  } catch (const CORBA::UserException& e) {
    if (!raises(plans, e)) raise<CORBA::UNKNOWN>(orb::omg(1), CORBA::COMPLETED_MAYBE);
    throw;
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (const std::bad_alloc&) {
    raise<CORBA::NO_MEMORY>(kServantNoMemory, CORBA::COMPLETED_MAYBE);
  } catch (...) {
    if (CALLIS_HAS(warnings)) warn_of_foreign_exception(name_of(plans));
    raise<CORBA::UNKNOWN>(kServantThrew, CORBA::COMPLETED_MAYBE, kForeignExceptionText);
  }
}

// The server's frame; destroyed with all values that have not been handed over.
class Frame final {
 public:
  Frame(const marshal::OperationPlans& plans, const marshal::Crossing& crossing)
      : plans_(plans), crossing_(crossing), memory_(plans.server_frame_bytes, plans.server_frame_alignment) {}
  ~Frame() {
    if (full_ && plans_.server_frame_owns) crossing_.destroy(memory_.get());
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  void* get() { return memory_.get(); }
  void set_full(bool full) { full_ = full; }

 private:
  const marshal::OperationPlans& plans_;
  const marshal::Crossing& crossing_;
  FrameMemory memory_;
  bool full_ = false;
};

// Ways of calling the servant. frame: the client's.
struct AnyFrame {
  static void call(const marshal::OperationPlans& plans, const marshal::Crossing& crossing, void* client, void* self,
                   const SkeletonOperation& op) {
    Frame frame(plans, crossing);
    if (!frame.get()) fail(plans, Fault::OutOfMemory, orb::Step::Encode);
    Fault f = crossing.to_server(client, frame.get());
    if (f != Fault::None) [[unlikely]]
      fail(plans, f, orb::Step::Encode);
    frame.set_full(true);
    try {
      op.thunk(self, frame.get());
    } catch (...) {
      if (!plans.oneway) rethrow(plans);
      return;
    }
    f = crossing.to_client(frame.get(), client);
    if (f != Fault::None) [[unlikely]]
      fail(plans, f, orb::Step::EncodeReply);
    frame.set_full(false);
  }
};

// For frames that are small and own nothing.
struct SmallFrame {
  static void call(const marshal::OperationPlans& plans, const marshal::Crossing& crossing, void* client, void* self,
                   const SkeletonOperation& op) {
    marshal::Crossing::SmallFrame frame;
    crossing.move_in(client, &frame);
    try {
      op.thunk(self, &frame);
    } catch (...) {
      if (!plans.oneway) rethrow(plans);
      return;
    }
    crossing.move_out(&frame, client);
  }
};

// The thunk works in the client's frame itself.
struct AsIs {
  static void call(const marshal::OperationPlans& plans, const marshal::Crossing&, void* client, void* self,
                   const SkeletonOperation& op) {
    try {
      op.thunk(self, client);
    } catch (...) {
      if (!plans.oneway) rethrow(plans);
    }
  }
};

// A DirectAgain, without a call between the stub and the servant's thunk. The thread's two notes are taken away in
// the reverse order.
template<class Body>
void call_again(orb::Reference& target, const orb::Path& path, const marshal::OperationPlans& plans, void* frame,
                const orb::ServerRequest::Memo& memo) {
  orb::PinRecord* const pins = orb::pin_record;
  if (pins && pins->takes_two()) [[likely]] {
    orb::OrbContext& orb = target.orb();
    const orb::AdapterAccess::QuickVisit visit(orb.adapter_access(), *pins);
    if (visit.handler() == memo.owner) [[likely]] {
      Registry& registry = static_cast<const Dispatcher*>(visit.handler())->registry();
      Slot& slot = *static_cast<Slot*>(memo.object);
      const ObjectTable::NotedAt note(registry.table(), *pins, visit.next(), slot);
      if (ObjectTable::pins_plainly(slot, memo.generation) && slot.adapter->gate() == Gate::Active) [[likely]] {
        const auto& op = *static_cast<const SkeletonOperation*>(memo.operation);
        const orb::Upcall upcall(&orb, *slot.adapter, slot.servant, path.object_key);
        return Body::call(plans, *marshal::known_crossing(plans), frame, slot.self, op);
      }
    }
  }
  orb::invoke_own_noted(target, path, plans, frame);
}

// The activation, pinned, and its operation, noted for the next call; nullptr when the call must go another way.
[[gnu::noinline]] Slot* find_direct(Dispatcher& dispatcher, const orb::DirectCall& call,
                                    const SkeletonOperation*& op) {
  Registry& registry = dispatcher.registry();
  Slot* const slot = registry.enter_at_once(call.object_key);
  if (!slot) return nullptr;
  const Adapter& adapter = *slot->adapter;
  if (!slot->hidden() && adapter.collocation() == orb::Collocation::Direct && !adapter.serves_one_at_a_time()) {
    op = find_operation(*slot->skeleton, name_of(call.plans), adapter.operation_lookup());
    if (op && !marshal::OperationView(*slot->skeleton->unit, op->op).compiled()) {
      // Stub and skeleton may come from two files: only equal frames count.
      const marshal::OperationPlans* const plans = marshal::operation_plans(*slot->skeleton->unit, op->op);
      const marshal::Crossing* const theirs =
          plans ? marshal::crossing_of(*slot->skeleton->unit, op->op, *plans) : nullptr;
      if (theirs && plans->oneway == call.plans.oneway && theirs->same_as(call.crossing)) {
        call.memo = {&dispatcher, slot, op, slot->generation()};
        if (orb::kShortCuts && &call.called == &dispatcher)
          call.again = theirs->as_is()   ? &call_again<AsIs>
                       : theirs->small() ? &call_again<SmallFrame>
                                         : &call_again<AnyFrame>;
        else
          call.again = nullptr;
        return slot;
      }
    }
  }
  registry.leave(slot);
  return nullptr;
}

}  // namespace

bool call_directly(Dispatcher& dispatcher, const orb::DirectCall& call) {
  Registry& registry = dispatcher.registry();
  Slot* slot = nullptr;
  const auto* op = static_cast<const SkeletonOperation*>(call.memo.operation);
  if (call.memo.owner == &dispatcher)
    slot = registry.enter_again(*static_cast<Slot*>(call.memo.object), call.memo.generation);
  if (!slot) slot = find_direct(dispatcher, call, op);
  if (!slot) return false;
  const Pin pin{registry, slot};
  orb::Upcall::innermost()->enter(*slot->adapter, slot->servant, call.object_key);
  AnyFrame::call(call.plans, call.crossing, call.frame, slot->self, *op);
  return true;
}

}  // namespace callis::poa
