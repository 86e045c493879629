// SPDX-License-Identifier: Apache-2.0
#include <callis/base/limits.h>
#include <callis/classic/made_exceptions.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/create.h>
#include <callis/typecode/system_exception.h>
#include <string>

namespace callis::typecode {
namespace {

CORBA::TypeCode_ptr completion_type() {
  CORBA::EnumMemberSeq names;
  names.length(3);
  names[0] = "COMPLETED_YES";
  names[1] = "COMPLETED_NO";
  names[2] = "COMPLETED_MAYBE";
  return create_enum_tc("IDL:omg.org/CORBA/completion_status:1.0", "completion_status", names);
}

CORBA::TypeCode_ptr type_of(const CORBA::SystemException& e) {
  CORBA::StructMemberSeq members;
  members.length(2);
  members[0].name = "minor";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_ulong);
  members[1].name = "completed";
  members[1].type = completion_type();
  return create_exception_tc(e._rep_id(), e._name(), members);
}

}  // namespace

void insert_system_exception(CORBA::Any& any, const CORBA::SystemException& e) {
  Buffer b;
  cdr::Encoder out(b);
  out.put_string(e._rep_id());
  out.put_ulong(e.minor());
  out.put_ulong(e.completed());
  out.finish();
  cdr::Budget budget = cdr::Budget::of({}, b.size());
  cdr::Decoder in(b.view(), kNativeOrder, budget);
  const CORBA::TypeCode_var type = type_of(e);
  CORBA::Any made;
  get_any_value(in, type.in(), made);
  if (!in.ok() || out.fault() != Fault::None) classic::throw_no_memory();
  any = std::move(made);
}

std::unique_ptr<CORBA::SystemException> system_exception_in(const CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  if (type->kind() != CORBA::tk_except) return nullptr;
  Buffer b;
  cdr::Encoder out(b);
  put_any_value(out, any);
  out.finish();
  cdr::Budget budget = cdr::Budget::of({}, b.size());
  cdr::Decoder in(b.view(), kNativeOrder, budget);
  const std::string id(in.get_string());
  const std::uint32_t minor = in.get_ulong(), completed = in.get_ulong();
  if (!in.ok() || in.remaining() != 0 || completed > CORBA::COMPLETED_MAYBE) return nullptr;
  auto e = classic::make_system_exception(id, minor, static_cast<CORBA::CompletionStatus>(completed));
  return id == e->_rep_id() ? std::move(e) : nullptr;
}

}  // namespace callis::typecode
