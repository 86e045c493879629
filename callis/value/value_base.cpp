// SPDX-License-Identifier: Apache-2.0
#include <callis/value/internal/handlers.h>
#include <callis/value/value_base.h>

namespace {

// No value is without this file.
const bool installed = (callis::value::install_handlers(), true);

}  // namespace

namespace CORBA {

ValueBase::~ValueBase() { (void)installed; }
const callis::value::ValueLink* ValueBase::_callis_link() const noexcept { return nullptr; }
void* ValueBase::_callis_state(const callis::value::ValueLink&) noexcept { return nullptr; }

DefaultValueRefCountBase::~DefaultValueRefCountBase() = default;

void DefaultValueRefCountBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void DefaultValueRefCountBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

ULong DefaultValueRefCountBase::_refcount_value() { return count_.load(std::memory_order_relaxed); }

}  // namespace CORBA
