// SPDX-License-Identifier: Apache-2.0
// Deep copies: a new value of the same type, its state copied by plan; what it refers to is copied after it, each
// value once, by the handler in handlers.cpp, which finds the copy in progress here.
#include <callis/classic/exception.h>
#include <callis/marshal/values.h>
#include <callis/value/factory.h>
#include <callis/value/internal/copies.h>
#include <callis/value/internal/scope.h>
#include <utility>

namespace callis::value {
namespace {

thread_local Copies* copying = nullptr;

void copy_levels(Copies& copies, CORBA::ValueBase& from, CORBA::ValueBase& to, const ValueLink* level) {
  for (; level; level = level->base) {
    if (level->state == 0) continue;
    void *const x = from._callis_state(*level), *const y = to._callis_state(*level);
    if (!x || !y) classic::throw_bad_param("a value without a state");
    const marshal::Plan* const plan = plan_of(*level);
    if (!plan) classic::throw_no_memory();
    marshal::destroy(*plan, y);
    if (!marshal::copy(*plan, x, y)) {
      if (copies.failure) std::rethrow_exception(copies.failure);
      classic::throw_no_memory();
    }
  }
}

}  // namespace

Copies* copies_in_progress() noexcept { return copying; }
Copying::Copying(Copies& copies) noexcept : before_(std::exchange(copying, &copies)) {}
Copying::~Copying() { copying = before_; }

CORBA::ValueBase* Copies::copy(CORBA::ValueBase& value) {
  if (const auto known = made.find(&value); known != made.end()) return CORBA::callis_duplicate(known->second.in());
  const ValueLink* const link = value._callis_link();
  if (!link) classic::throw_bad_param("a value of no known type");
  CORBA::ValueBase_var to(link->create ? link->create() : create_value(link->repository_id));
  if (!to.in() || to->_callis_link() != link)
    classic::raise<CORBA::MARSHAL>(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO,
                                   "no factory for a value that is to be copied");
  made[&value] = to;  // first: who waits is counted there
  waiting.push_back({&value, to.in()});
  return to._retn();
}

// In a loop: a graph may be of any depth.
void Copies::finish() {
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const Pair p = waiting[i];
    copy_levels(*this, *p.from, *p.to, p.from->_callis_link());
  }
}

CORBA::ValueBase* copy_value(CORBA::ValueBase& value) {
  Copies copies;
  const Copying now(copies);
  try {
    CORBA::ValueBase_var root(copies.copy(value));
    copies.finish();
    return root._retn();
  } catch (...) {
    for (const Copies::Pair& p : copies.waiting) empty(*p.to);  // they may hold each other in circles
    throw;
  }
}

}  // namespace callis::value
