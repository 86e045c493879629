// SPDX-License-Identifier: Apache-2.0
// Deep copies: a new value of the same type, its state copied by plan; what it refers to is copied with it, each value
// once, by the handler in handlers.cpp, which finds the copy in progress here.
#include <callis/classic/exception.h>
#include <callis/marshal/values.h>
#include <callis/value/factory.h>
#include <callis/value/internal/copies.h>
#include <callis/value/internal/scope.h>
#include <callis/value/wire.h>

namespace callis::value {
namespace {

thread_local Copies* copying = nullptr;

void copy_levels(CORBA::ValueBase& from, CORBA::ValueBase& to, const ValueLink& link) {
  if (link.base) copy_levels(from, to, *link.base);
  if (link.state == 0) return;
  void *const x = from._callis_state(link), *const y = to._callis_state(link);
  if (!x || !y) classic::throw_bad_param("a value without a state");
  const marshal::Plan* const plan = plan_of(link);
  if (!plan) classic::throw_no_memory();
  marshal::destroy(*plan, y);
  if (!marshal::copy(*plan, x, y)) {
    if (copying->failure) std::rethrow_exception(copying->failure);
    classic::throw_no_memory();
  }
}

}  // namespace

Copies* copies_in_progress() noexcept { return copying; }

CORBA::ValueBase* Copies::copy(CORBA::ValueBase& value) {
  if (const auto known = made.find(&value); known != made.end()) return CORBA::callis_duplicate(known->second.in());
  if (depth >= kMaxDepth) classic::raise<CORBA::IMP_LIMIT>(0, CORBA::COMPLETED_NO, "values nested too deep to be copied");
  const ValueLink* const link = value._callis_link();
  if (!link) classic::throw_bad_param("a value of no known type");
  CORBA::ValueBase_var to(link->create ? link->create() : create_value(link->repository_id));
  if (!to.in() || to->_callis_link() != link)
    classic::raise<CORBA::MARSHAL>(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO, "no factory for a value that is to be copied");
  made[&value] = to;
  ++depth;
  copy_levels(value, *to.in(), *link);
  --depth;
  return to._retn();
}

CORBA::ValueBase* copy_value(CORBA::ValueBase& value) {
  if (copying) return copying->copy(value);
  Copies copies;
  struct Ending {
    ~Ending() { copying = nullptr; }
  } ending;
  copying = &copies;
  return copies.copy(value);
}

}  // namespace callis::value
