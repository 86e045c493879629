// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/made_exceptions.h>
#include <callis/interceptors/exceptions.h>
#include <callis/interceptors/minor_codes.h>
#include <callis/orb/reference/reference.h>
#include <callis/typecode/coder.h>

namespace callis::interceptors {
namespace {

CORBA::TypeCode_ptr completion_type() {
  CORBA::EnumMemberSeq names;
  names.length(3);
  names[0] = "COMPLETED_YES";
  names[1] = "COMPLETED_NO";
  names[2] = "COMPLETED_MAYBE";
  return typecode::create_enum_tc("IDL:omg.org/CORBA/completion_status:1.0", "completion_status", names);
}

CORBA::TypeCode_ptr type_of(const CORBA::SystemException& e) {
  CORBA::StructMemberSeq members;
  members.length(2);
  members[0].name = "minor";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_ulong);
  members[1].name = "completed";
  members[1].type = completion_type();
  return typecode::create_exception_tc(e._rep_id(), e._name(), members);
}

}  // namespace

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
  Buffer b;
  cdr::Encoder out(b);
  out.put_string(system->_rep_id());
  out.put_ulong(system->minor());
  out.put_ulong(system->completed());
  out.finish();
  cdr::Budget budget = cdr::Budget::of({}, b.size());
  cdr::Decoder in(b.view(), kNativeOrder, budget);
  auto any = std::make_unique<CORBA::Any>();
  const CORBA::TypeCode_var type = type_of(*system);
  typecode::get_any_value(in, type.in(), *any);
  if (!in.ok() || out.fault() != Fault::None) throw std::bad_alloc();
  return any.release();
}

std::unique_ptr<CORBA::SystemException> system_exception_in(const CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  if (type->kind() != CORBA::tk_except) return nullptr;
  Buffer b;
  cdr::Encoder out(b);
  typecode::put_any_value(out, any);
  out.finish();
  cdr::Budget budget = cdr::Budget::of({}, b.size());
  cdr::Decoder in(b.view(), kNativeOrder, budget);
  const std::string id(in.get_string());
  const std::uint32_t minor = in.get_ulong(), completed = in.get_ulong();
  if (!in.ok() || in.remaining() != 0 || completed > CORBA::COMPLETED_MAYBE) return nullptr;
  auto e = classic::make_system_exception(id, minor, static_cast<CORBA::CompletionStatus>(completed));
  return id == e->_rep_id() ? std::move(e) : nullptr;
}

}  // namespace callis::interceptors
