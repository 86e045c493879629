// SPDX-License-Identifier: Apache-2.0
// System exceptions in Anys (C++ mapping 1.3, 4.19), for who passes on exceptions of any type.
#pragma once
#include <callis/typecode/any.h>
#include <memory>

namespace callis::typecode {

// The exception as a value of its own type: minor and completed. NO_MEMORY.
void insert_system_exception(CORBA::Any& any, const CORBA::SystemException& e);
// nullptr when the Any holds none of the standard ones.
std::unique_ptr<CORBA::SystemException> system_exception_in(const CORBA::Any& any);

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

inline void operator<<=(Any& a, const SystemException& e) { callis::typecode::insert_system_exception(a, e); }

}  // namespace CORBA::inline callis_orb
