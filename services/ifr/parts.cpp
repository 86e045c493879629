// SPDX-License-Identifier: Apache-2.0
#include <services/ifr/parts.h>

namespace callis::ifr {

std::string constant_bytes(TypeCodes& type_codes, Number type, const CORBA::Any& value) {
  const CORBA::TypeCode_var wanted = type_codes.of(type), given = value.type();
  CORBA::TypeCode_var plain = CORBA::TypeCode::_duplicate(wanted.in());
  while (plain->kind() == CORBA::tk_alias) plain = plain->content_type();
  switch (plain->kind()) {
    case CORBA::tk_short:
    case CORBA::tk_long:
    case CORBA::tk_ushort:
    case CORBA::tk_ulong:
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong:
    case CORBA::tk_float:
    case CORBA::tk_double:
    case CORBA::tk_longdouble:
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_wchar:
    case CORBA::tk_octet:
    case CORBA::tk_string:
    case CORBA::tk_wstring:
    case CORBA::tk_enum:
    case CORBA::tk_fixed: break;
    default: refuse<CORBA::BAD_PARAM>(0, "no constant can be of that type");
  }
  if (!given->equivalent(wanted.in())) refuse<CORBA::BAD_PARAM>(0, "the value is not of the constant's type");
  if (!value.value()) refuse<CORBA::BAD_PARAM>(0, "the value cannot be read");
  return any_to_bytes(value);
}

std::vector<Member> union_parts(Service& service, const CORBA::UnionMemberSeq& members) {
  std::vector<Member> out;
  for (CORBA::ULong i = 0; i < members.length(); ++i) {
    if (!members[i].label.value()) refuse<CORBA::BAD_PARAM>(19, "a label has no value");
    out.push_back(
        {members[i].name.in(), service.type_of(members[i].type_def.in()), 0, any_to_bytes(members[i].label)});
  }
  return out;
}

std::vector<Initializer> initializer_parts(Service& service, const CORBA::InitializerSeq& all) {
  std::vector<Initializer> out;
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    out.push_back({all[i].name.in(), service.members_of(all[i].members), {}});
  return out;
}

std::vector<Initializer> initializer_parts(Service& service, const CORBA::ExtInitializerSeq& all) {
  std::vector<Initializer> out;
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    out.push_back({all[i].name.in(), service.members_of(all[i].members), service.exceptions_of(all[i].exceptions)});
  return out;
}

}  // namespace callis::ifr
