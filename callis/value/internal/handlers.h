// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <callis/value/value_base.h>

namespace callis::value {

// Teaches the marshaling engine what values are (marshal/handlers.h). By a CALLIS_INSTALLER.
void install_handlers() noexcept;

// The value in a slot of the formal type, without a count.
CORBA::ValueBase* value_in(const void* slot, const ValueLink* formal) noexcept;
// Takes over the count of a value of the formal type, into a slot, in place of what it had.
void put_into(void* slot, const ValueLink* formal, CORBA::ValueBase* value) noexcept;

}  // namespace callis::value
