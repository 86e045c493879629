// SPDX-License-Identifier: Apache-2.0
// Alone in its object file: where a compiled ir.idl defines the same, the linker takes nothing from here.
#include <callis/orb/api/interface_def.h>
#include <callis/typecode/table.h>

namespace callis::typecode {

namespace {

constexpr char kPool[] = "IDL:omg.org/CORBA/InterfaceDef:1.0\0InterfaceDef";
constexpr Word kName = 35;
static_assert(kPool[kName] == 'I' && kPool[kName - 1] == 0);
constexpr Word kWords[] = {entry(CORBA::tk_objref, 0), 0, kName};
constexpr const void* kLinks[] = {&CORBA::callis_link_InterfaceDef};

constinit Constants<1> constants = {{kWords, kPool, kLinks, nullptr, {}, 0}, {{0, 0}}};

}  // namespace

}  // namespace callis::typecode

namespace CORBA {

const callis::orb::InterfaceLink callis_link_InterfaceDef = {
    "IDL:omg.org/CORBA/InterfaceDef:1.0", &InterfaceDef::_callis_create, &InterfaceDef::_callis_object};

constinit const TypeCode_ptr _tc_InterfaceDef = &callis::typecode::constants.cells[0];

InterfaceDef* callis_duplicate(InterfaceDef* p) {
  Object::_duplicate(p);
  return p;
}
void callis_release(InterfaceDef* p) { release(p); }

void* InterfaceDef::_callis_create(callis::orb::Reference* r) { return new InterfaceDef(r); }
Object* InterfaceDef::_callis_object(void* p) { return static_cast<InterfaceDef*>(p); }

InterfaceDef_ptr InterfaceDef::_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<InterfaceDef*>(p)) return callis_duplicate(known);
  return static_cast<InterfaceDef*>(callis::orb::narrow(p, callis_link_InterfaceDef));
}
InterfaceDef_ptr InterfaceDef::_unchecked_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<InterfaceDef*>(p)) return callis_duplicate(known);
  return static_cast<InterfaceDef*>(callis::orb::unchecked_narrow(p, callis_link_InterfaceDef));
}

}  // namespace CORBA
