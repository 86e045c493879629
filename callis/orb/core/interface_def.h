// SPDX-License-Identifier: Apache-2.0
// CORBA::InterfaceDef (CORBA 3.3 part 1, 14) as a reference that can be passed, narrowed and compared, for programs
// that have no interface repository's IDL compiled. Its operations come with a compiled ir.idl.
//
// Source files of one program may use either header. The definitions of a compiled ir.idl replace the definitions
// here, in the whole program: an InterfaceDef that is narrowed by a file with this header has the operations, too. A
// file that wants both headers includes the compiled ir.idl first; this header then adds nothing.
#pragma once
#include <callis/orb/core/standard_names.h>

#ifndef CALLIS_INTERFACE_DEF
#define CALLIS_INTERFACE_DEF

namespace CORBA::inline callis_orb {

// A file with this header only knows how the class converts to Object, which the C++ ABI makes the same for the class
// of any interface. The runtime has no vtable and type information of the class, so do not call virtual members or
// dynamic_cast to it.
class InterfaceDef : public virtual Object {
 public:
  using _ptr_type = InterfaceDef_ptr;
  using _var_type = InterfaceDef_var;
  using _out_type = InterfaceDef_out;
  static InterfaceDef_ptr _duplicate(InterfaceDef_ptr p) { return callis_duplicate(p); }
  static InterfaceDef_ptr _narrow(Object_ptr p);
  static InterfaceDef_ptr _unchecked_narrow(Object_ptr p);
  static InterfaceDef_ptr _nil() { return nullptr; }
  static const char* _repository_id();

  static void* _callis_create(callis::orb::Reference* r);
  static Object* _callis_object(void* p);

  InterfaceDef() = delete;
};

extern const TypeCode_ptr _tc_InterfaceDef;
inline void operator<<=(Any& a, InterfaceDef* p) { callis::typecode::insert(a, _tc_InterfaceDef, &p); }
inline void operator<<=(Any& a, InterfaceDef** p) { callis::typecode::adopt_slot(a, _tc_InterfaceDef, p); }
inline Boolean operator>>=(const Any& a, InterfaceDef*& p) {
  return callis::typecode::extract_value(a, _tc_InterfaceDef, p);
}

}  // namespace CORBA::inline callis_orb

#endif

// CORBA::IDLType works the same way. Without a compiled ir.idl it is always nil, as type_def of members is set to.
#ifndef CALLIS_IDL_TYPE
#define CALLIS_IDL_TYPE

namespace CORBA::inline callis_orb {

class IDLType : public virtual Object {
 public:
  using _ptr_type = IDLType_ptr;
  using _var_type = IDLType_var;
  using _out_type = IDLType_out;
  static IDLType_ptr _duplicate(IDLType_ptr p) { return callis_duplicate(p); }
  static IDLType_ptr _narrow(Object_ptr p) {
    return static_cast<IDLType*>(callis::orb::narrow(p, callis_link_IDLType));
  }
  static IDLType_ptr _unchecked_narrow(Object_ptr p) {
    return static_cast<IDLType*>(callis::orb::unchecked_narrow(p, callis_link_IDLType));
  }
  static IDLType_ptr _nil() { return nullptr; }
  static const char* _repository_id() { return callis_link_IDLType.repository_id; }

  IDLType() = delete;
};

}  // namespace CORBA::inline callis_orb

#endif
