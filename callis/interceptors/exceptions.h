// SPDX-License-Identifier: Apache-2.0
// Exceptions on their way through interceptors.
#pragma once
#include <callis/classic/exception.h>
#include <callis/interceptors.h>
#include <memory>

namespace callis::interceptors {

// The exception being handled, as the peer would get it. CORBA's are copied; others become UNKNOWN or NO_MEMORY.
std::unique_ptr<CORBA::Exception> caught(CORBA::CompletionStatus completed);

// The same of an interceptor's: a system exception says what holds at its point, and there are no other exceptions
// that an interceptor may raise, ForwardRequest aside.
std::unique_ptr<CORBA::Exception> caught_of_interceptor(CORBA::CompletionStatus completed);

// The reference that a ForwardRequest names; throws INV_OBJREF for nil and local objects.
orb::Reference& forward_of(const PortableInterceptor::ForwardRequest& forward);

// A system exception as a value of its own type; any other as UNKNOWN, OMG minor 1, since the type of an exception
// does not tell what it holds (21.3.13.4). The caller owns it.
CORBA::Any* any_of(const CORBA::Exception& e);

}  // namespace callis::interceptors
