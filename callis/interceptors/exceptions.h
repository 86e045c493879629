// SPDX-License-Identifier: Apache-2.0
// Exceptions on their way through interceptors.
#pragma once
#include <callis/classic/exception.h>
#include <callis/interceptors.h>
#include <memory>

namespace callis::interceptors {

// Returns the exception being handled, as the peer would get it. CORBA's exceptions are copied; others become UNKNOWN
// or NO_MEMORY.
std::unique_ptr<CORBA::Exception> caught(CORBA::CompletionStatus completed);

// Does the same for an interceptor's exception. A system exception gets the completion status of the interception
// point. An interceptor may raise no other exceptions but ForwardRequest.
std::unique_ptr<CORBA::Exception> caught_of_interceptor(CORBA::CompletionStatus completed);

// Returns the reference that a ForwardRequest names; throws INV_OBJREF for nil and local objects.
orb::Reference& forward_of(const PortableInterceptor::ForwardRequest& forward);

// Returns a system exception as a value of its own type. Other exceptions become UNKNOWN, OMG minor 1, since their
// members are not known by the type (21.3.13.4). The caller owns the result.
CORBA::Any* any_of(const CORBA::Exception& e);

}  // namespace callis::interceptors
