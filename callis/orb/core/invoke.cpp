// SPDX-License-Identifier: Apache-2.0
// The functions that stubs call (stub.h): interpreted and compiled bodies over one way of calling.
#include <callis/classic/explanations.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/client/call.h>
#include <callis/orb/client/flat_call.h>
#include <callis/orb/core/collocated.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/core/profile.h>

namespace callis::orb {
namespace {

// Marshals by plan.
class InterpretedBody final : public CallBody {
 public:
  InterpretedBody(const marshal::OperationPlans& plans, void* frame) : plans_(plans), frame_(frame) {}

  [[gnu::hot]] void encode(cdr::Encoder& to) override { (void)marshal::encode(*plans_.client_request, frame_, to); }
  [[gnu::hot]] void decode(cdr::Decoder& from) override {
    if (!marshal::decode(*plans_.client_reply, frame_, from)) marshal::destroy(*plans_.client_reply, frame_);
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override {
    for (marshal::Word i = 0; i < plans_.exception_count; ++i) {
      const auto* link = static_cast<const ExceptionLink*>(plans_.exceptions[i].link);
      if (id != link->repository_id) continue;
      std::unique_ptr<CORBA::UserException> e(link->create());
      if (CALLIS_HAS(exception_members)) note_members(*e, i);
      (void)marshal::decode(*plans_.exceptions[i].body, e.get(), from);
      return e;
    }
    return nullptr;
  }
  const marshal::OperationPlans* plans() const override { return &plans_; }

 private:
  // Notes the exception's members for its what().
  void note_members(const CORBA::UserException& e, marshal::Word i) const {
    classic::note_members(e, *plans_.unit, marshal::OperationView(*plans_.unit, plans_.op).exception(i));
  }

  const marshal::OperationPlans& plans_;
  void* const frame_;
};

// Marshals by the stub's own functions.
class CompiledBody final : public CallBody {
 public:
  CompiledBody(const CompiledOperation& operation, void* frame) : operation_(operation), frame_(frame) {}

  void encode(cdr::Encoder& to) override { operation_.encode(to, frame_); }
  void decode(cdr::Decoder& from) override { operation_.decode(from, frame_); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override {
    for (auto* const* x = operation_.raises; x && *x; ++x) {
      if (id != (*x)->repository_id) continue;
      std::unique_ptr<CORBA::UserException> e((*x)->create());
      (*x)->decode(from, *e);
      return e;
    }
    return nullptr;
  }

 private:
  const CompiledOperation& operation_;
  void* const frame_;
};

}  // namespace

[[noreturn, gnu::cold, gnu::noinline]] static void no_target(CORBA::Object_ptr object) {
  if (!object) raise<CORBA::INV_OBJREF>(kNilReference, CORBA::COMPLETED_NO, "operation on a nil reference");
  raise<CORBA::NO_IMPLEMENT>(kLocalObject, CORBA::COMPLETED_NO, "operation on a local object");
}

static inline Reference& target_of(CORBA::Object_ptr object) {
  Reference* const r = object ? object->_callis_reference() : nullptr;
  if (!r) [[unlikely]] no_target(object);
  return *r;
}

Reference& reference_of(CORBA::Object_ptr object) { return target_of(object); }

namespace {

CallOperation named(const marshal::OperationPlans& plans) {
  return {{plans.name, plans.name_length}, plans.oneway, &plans};
}

[[gnu::cold, gnu::noinline]] void invoke_first(CORBA::Object* target, const marshal::Unit& unit, marshal::Word op,
                                               void* frame) {
  if (!marshal::operation_plans(unit, op))
    throw_fault(CALLIS_HAS(run_time_plans) ? Fault::OutOfMemory : Fault::Unsupported, "plans", Step::Encode);
  invoke(target, unit, op, frame);
}

[[gnu::cold, gnu::noinline]] void invoke_profiled(Reference& target, const marshal::Unit& unit, marshal::Word op,
                                                  const marshal::OperationPlans& plans, void* frame) {
  InterpretedBody body(plans, frame);
  profiled_call(target, named(plans), body, unit, op);
}

}  // namespace

// Not inlined, for invoke() below.
[[gnu::hot, gnu::noinline]] void invoke_by_message(Reference& target, const marshal::OperationPlans& plans,
                                                   void* frame) {
  InterpretedBody body(plans, frame);
  const CallOperation operation = named(plans);
  if (CALLIS_HAS(flat_calls) && plans.client_is_flat) return call_flat(target, operation, body, plans, frame);
  call(target, operation, body);
}

// Nothing is kept over a call here, so that no register has to be saved.
[[gnu::hot]] void invoke(CORBA::Object* target, const marshal::Unit& unit, marshal::Word op, void* frame) {
  Reference& reference = target_of(target);
  const marshal::OperationPlans* const plans = marshal::known_operation_plans(unit, op);
  if (!plans) [[unlikely]] return invoke_first(target, unit, op, frame);
  if (profiling) [[unlikely]] return invoke_profiled(reference, unit, op, *plans, frame);
  if (const Path* const own = reference.collocated_path())
    return invoke_own(reference, *own, unit, op, *plans, frame);
  invoke_by_message(reference, *plans, frame);
}

[[gnu::hot]] void invoke(CORBA::Object* target, const CompiledOperation& operation, void* frame) {
  const marshal::OperationView view(*operation.unit, operation.op);
  CompiledBody body(operation, frame);
  const CallOperation named{{view.name(), view.name_length()}, view.oneway(), view.entry};
  if (profiling) [[unlikely]] return profiled_call(target_of(target), named, body, *operation.unit, operation.op);
  call(target_of(target), named, body);
}

void* narrow(CORBA::Object* object, const InterfaceLink& link) {
  if (!object || !object->_callis_reference() || !object->_is_a(link.repository_id)) return nullptr;
  return link.create(object->_callis_reference());
}

void* unchecked_narrow(CORBA::Object* object, const InterfaceLink& link) {
  if (!object || !object->_callis_reference()) return nullptr;
  return link.create(object->_callis_reference());
}

}  // namespace callis::orb
