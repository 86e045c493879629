// SPDX-License-Identifier: Apache-2.0
// CORBA::InterfaceDef (CORBA 3.3 part 1, 14) as a reference that can be passed, narrowed and compared, for programs
// that have no interface repository's IDL compiled. Its operations come with a compiled ir.idl, in place of this.
#pragma once
#include <callis/orb/api/standard_names.h>

namespace CORBA {

class InterfaceDef : public virtual Object {
 public:
  using _ptr_type = InterfaceDef_ptr;
  using _var_type = InterfaceDef_var;
  using _out_type = InterfaceDef_out;
  static InterfaceDef_ptr _duplicate(InterfaceDef_ptr p) { return callis_duplicate(p); }
  static InterfaceDef_ptr _narrow(Object_ptr p);
  static InterfaceDef_ptr _unchecked_narrow(Object_ptr p);
  static InterfaceDef_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return callis_link_InterfaceDef.repository_id; }

  static void* _callis_create(callis::orb::Reference* r);
  static Object* _callis_object(void* p);

 protected:
  explicit InterfaceDef(callis::orb::Reference* r) : Object(r) {}
};

extern const TypeCode_ptr _tc_InterfaceDef;
inline void operator<<=(Any& a, InterfaceDef* p) { callis::typecode::insert(a, _tc_InterfaceDef, &p); }
inline void operator<<=(Any& a, InterfaceDef** p) { callis::typecode::adopt_slot(a, _tc_InterfaceDef, p); }
inline Boolean operator>>=(const Any& a, InterfaceDef*& p) { return callis::typecode::extract_value(a, _tc_InterfaceDef, p); }

}  // namespace CORBA
