// SPDX-License-Identifier: Apache-2.0
// The functions that stubs call (orb/base/stub.h). Interpreted and compiled stubs each have their own, so that a
// program is linked with one of them.
#include <callis/marshal/plan.h>
#include <callis/micro/call.h>
#include <callis/micro/orb.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/stub.h>

namespace callis::orb {
namespace {

class InterpretedBody final : public micro::Body {
 public:
  InterpretedBody(const marshal::OperationPlans& plans, void* frame) : plans_(plans), frame_(frame) {}

  void encode(cdr::Encoder& to) override { (void)marshal::encode(*plans_.client_request, frame_, to); }
  void decode(cdr::Decoder& from) override {
    if (!marshal::decode(*plans_.client_reply, frame_, from)) marshal::destroy(*plans_.client_reply, frame_);
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override {
    for (marshal::Word i = 0; i < plans_.exception_count; ++i) {
      const auto* const link = static_cast<const ExceptionLink*>(plans_.exceptions[i].link);
      if (id != link->repository_id) continue;
      std::unique_ptr<CORBA::UserException> e(link->create());
      (void)marshal::decode(*plans_.exceptions[i].body, e.get(), from);
      return e;
    }
    return nullptr;
  }

 private:
  const marshal::OperationPlans& plans_;
  void* const frame_;
};

class CompiledBody final : public micro::Body {
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

void invoke(CORBA::Object* target, const marshal::Unit& unit, marshal::Word op, void* frame) {
  Reference& reference = reference_of(target);
  const marshal::OperationPlans* const plans = marshal::operation_plans(unit, op);
  if (!plans)
    throw_fault(CALLIS_HAS(run_time_plans) ? Fault::OutOfMemory : Fault::Unsupported, "plans", Step::Encode);
  InterpretedBody body(*plans, frame);
  micro::call(reference, {plans->name, plans->name_length}, plans->oneway, body);
}

void invoke(CORBA::Object* target, const CompiledOperation& operation, void* frame) {
  const marshal::OperationView view(*operation.unit, operation.op);
  CompiledBody body(operation, frame);
  micro::call(reference_of(target), {view.name(), view.name_length()}, view.oneway(), body);
}

void* narrow(CORBA::Object* object, const InterfaceLink& link) {
  micro::asker = &micro::ask;
  Reference* const r = micro::reference_or_null(object);
  return r && object->_is_a(link.repository_id) ? link.create(r) : nullptr;
}

}  // namespace callis::orb
