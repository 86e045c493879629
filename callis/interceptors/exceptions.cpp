// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/made_exceptions.h>
#include <callis/interceptors/exceptions.h>
#include <callis/interceptors/minor_codes.h>
#include <callis/orb/client/reference.h>
#include <callis/typecode/system_exception.h>

namespace callis::interceptors {
std::unique_ptr<CORBA::Exception> caught(CORBA::CompletionStatus completed) {
  try {
    throw;
  } catch (const CORBA::Exception& e) {
    return std::unique_ptr<CORBA::Exception>(e._duplicate());
  } catch (const std::bad_alloc&) {
    return classic::make_standard(classic::Standard::NO_MEMORY, orb::own(Fault::OutOfMemory), completed);
  } catch (...) {
    return classic::make_standard(classic::Standard::UNKNOWN, kInterceptorThrew, completed);
  }
}

std::unique_ptr<CORBA::Exception> caught_of_interceptor(CORBA::CompletionStatus completed) {
  auto e = caught(completed);
  if (auto* const system = CORBA::SystemException::_downcast(e.get())) {
    system->completed(completed);
    return e;
  }
  return classic::make_standard(classic::Standard::UNKNOWN, kInterceptorThrew, completed);
}

orb::Reference& forward_of(const PortableInterceptor::ForwardRequest& forward) {
  const CORBA::Object_ptr to = forward.forward.in();
  orb::Reference* const reference = to ? to->_callis_reference() : nullptr;
  if (!reference)
    orb::raise<CORBA::INV_OBJREF>(kBadInterceptorForward, CORBA::COMPLETED_NO,
                                  "forwarded to nil or to a local object");
  return *reference;
}

CORBA::Any* any_of(const CORBA::Exception& e) {
  const auto* const system = CORBA::SystemException::_downcast(&e);
  if (!system) return any_of(CORBA::UNKNOWN(orb::omg(1), CORBA::COMPLETED_MAYBE));
  auto any = std::make_unique<CORBA::Any>();
  typecode::insert_system_exception(*any, *system);
  return any.release();
}

std::unique_ptr<CORBA::SystemException> system_exception_in(const CORBA::Any& any) {
  return typecode::system_exception_in(any);
}

}  // namespace callis::interceptors
