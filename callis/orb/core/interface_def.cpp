// SPDX-License-Identifier: Apache-2.0
// Everything that other files see is weak: if a compiled ir.idl defines the same, the linker takes its definition.
#include <callis/orb/core/interface_def.h>
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

namespace CORBA::inline callis_orb {

namespace {

// The class of an InterfaceDef in a program without compiled IDL: it has the same layout, and another name. Only
// compiled IDL has the vtable and the type information of InterfaceDef itself.
class Plain final : public virtual Object {
 public:
  explicit Plain(callis::orb::Reference* r) : Object(r) {}
};
static_assert(sizeof(Plain) == sizeof(InterfaceDef));

}  // namespace

#define CALLIS_UNLESS_COMPILED [[gnu::weak]]

CALLIS_UNLESS_COMPILED extern const callis::orb::InterfaceLink callis_link_InterfaceDef = {
    "IDL:omg.org/CORBA/InterfaceDef:1.0", &InterfaceDef::_callis_create, &InterfaceDef::_callis_object};

CALLIS_UNLESS_COMPILED extern constinit const TypeCode_ptr _tc_InterfaceDef = &callis::typecode::constants.cells[0];

CALLIS_UNLESS_COMPILED InterfaceDef* callis_duplicate(InterfaceDef* p) {
  Object::_duplicate(p);
  return p;
}
CALLIS_UNLESS_COMPILED void callis_release(InterfaceDef* p) { release(p); }

CALLIS_UNLESS_COMPILED const char* InterfaceDef::_repository_id() { return callis_link_InterfaceDef.repository_id; }
CALLIS_UNLESS_COMPILED void* InterfaceDef::_callis_create(callis::orb::Reference* r) { return new Plain(r); }
CALLIS_UNLESS_COMPILED Object* InterfaceDef::_callis_object(void* p) { return static_cast<Plain*>(p); }

CALLIS_UNLESS_COMPILED InterfaceDef_ptr InterfaceDef::_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<Plain*>(p)) return callis_duplicate(reinterpret_cast<InterfaceDef*>(known));
  return static_cast<InterfaceDef*>(callis::orb::narrow(p, callis_link_InterfaceDef));
}
CALLIS_UNLESS_COMPILED InterfaceDef_ptr InterfaceDef::_unchecked_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<Plain*>(p)) return callis_duplicate(reinterpret_cast<InterfaceDef*>(known));
  return static_cast<InterfaceDef*>(callis::orb::unchecked_narrow(p, callis_link_InterfaceDef));
}

}  // namespace CORBA::inline callis_orb
