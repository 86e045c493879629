// SPDX-License-Identifier: Apache-2.0
// Values of parameters, results and exceptions, read out of messages for interceptors.
#include <callis/interceptors/parameters.h>
#include <callis/orb/core/core.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/of_descriptor.h>
#include <callis/value/wire.h>
#include <atomic>
#include <memory>
#include <optional>

namespace callis::interceptors {

using marshal::Direction;

OperationTypes::OperationTypes(const marshal::OperationView& operation)
    : result_(typecode::type_of_descriptor(operation.unit, operation.result())),
      has_context_(operation.has_context()) {
  const marshal::Word count = operation.parameter_count() - (has_context_ ? 1 : 0);
  parameters_.reserve(count);
  for (marshal::Word i = 0; i < count; ++i)
    parameters_.push_back({typecode::type_of_descriptor(operation.unit, operation.parameter(i)),
                           marshal::direction_of(operation.parameter(i))});
  for (marshal::Word i = 0; i < operation.exception_count(); ++i)
    exceptions_.emplace_back(
        typecode::type_of_descriptor(operation.unit, marshal::type_word(marshal::Kind::Ref, operation.exception(i))));
  for (marshal::Word i = 0; i < operation.pattern_count(); ++i) patterns_.push_back(operation.pattern(i));
}

OperationTypes::OperationTypes(const orb::DynamicOperation& operation)
    : result_(CORBA::TypeCode::_duplicate(operation.result_type())), has_context_(operation.has_context()) {
  for (CORBA::ULong i = 0; i < operation.parameter_count(); ++i)
    parameters_.push_back(
        {CORBA::TypeCode::_duplicate(operation.parameter_type(i)), operation.parameter_direction(i)});
  for (CORBA::ULong i = 0; i < operation.exception_count(); ++i)
    exceptions_.emplace_back(CORBA::TypeCode::_duplicate(operation.exception_type(i)));
  for (CORBA::ULong i = 0; i < operation.pattern_count(); ++i) patterns_.emplace_back(operation.pattern(i));
}

const OperationTypes& OperationTypes::of(const marshal::OperationPlans& plans) {
  const std::atomic_ref<const void*> kept(plans.state->types);
  const void* known = kept.load(std::memory_order_acquire);
  if (!known) {
    std::unique_ptr<const OperationTypes> made(new OperationTypes(marshal::OperationView(*plans.unit, plans.op)));
    if (kept.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
      known = made.release();
  }
  return *static_cast<const OperationTypes*>(known);
}

BodyReader::BodyReader(const cdr::Decoder& at, orb::Step step) : in_(at), budget_(in_.budget()), step_(step) {
  in_.set_arena(nullptr);  // what is read outlives the message
  in_.set_values(nullptr);
}
BodyReader::~BodyReader() { in_.budget() = budget_; }

void BodyReader::check() const {
  if (!in_.ok()) orb::throw_fault(in_.fault(), "for an interceptor", step_);
}

void BodyReader::value(CORBA::TypeCode_ptr type, CORBA::Any& to) {
  typecode::get_any_value(in_, type, to);
  check();
}

void BodyReader::read(const OperationTypes& types, Direction passed_over, Dynamic::ParameterList& list) {
  CORBA::ULong i = 0;
  for (const OperationTypes::Parameter& p : types.parameters()) {
    if (p.direction != passed_over) value(p.type.in(), list[i].argument);
    ++i;
  }
}

void BodyReader::arguments(const OperationTypes& types, Dynamic::ParameterList& list) {
  const value::DecodeScope scope(in_);
  read(types, Direction::Out, list);
}

void BodyReader::context(const OperationTypes& types, Dynamic::RequestContext& to) {
  const value::DecodeScope scope(in_);
  CORBA::Any passed;
  for (const OperationTypes::Parameter& p : types.parameters())
    if (p.direction != Direction::Out) value(p.type.in(), passed);
  const std::uint32_t count = in_.count(5, sizeof(char*));
  check();
  to.length(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    to[i] = std::string(in_.get_string()).c_str();
    check();
  }
}

void BodyReader::result(const OperationTypes& types, CORBA::Any& to) {
  const value::DecodeScope scope(in_);
  value(types.result(), to);
}

void BodyReader::results(const OperationTypes& types, Dynamic::ParameterList& list) {
  const value::DecodeScope scope(in_);
  CORBA::Any result;
  value(types.result(), result);
  read(types, Direction::In, list);
}

cdr::Decoder Encoded::finish(cdr::Encoder& e, orb::Step step) {
  e.finish();
  if (e.fault() != Fault::None) orb::throw_fault(e.fault(), "for an interceptor", step);
  budget_ = cdr::Budget::of(core_.limits(), bytes_.size());
  cdr::Decoder d(bytes_.view(), kNativeOrder, budget_);
  d.set_context(core_.own_source());
  return d;
}

}  // namespace callis::interceptors
