// SPDX-License-Identifier: Apache-2.0
// CORBA::IDLType in a program without a compiled ir.idl, whose definition would replace this one. There is no object
// of the class, so a reference that a peer sends becomes nil.
#include <callis/orb/core/standard_names.h>

namespace CORBA::inline callis_orb {

namespace {

class Unused final : public virtual Object {
 public:
  explicit Unused(callis::orb::Reference* r) : Object(r) {}
};

void* drop(callis::orb::Reference* r) {
  release(new Unused(r));
  return nullptr;
}

Object* none(void*) { return nullptr; }

}  // namespace

[[gnu::weak]] extern const callis::orb::InterfaceLink callis_link_IDLType = {"IDL:omg.org/CORBA/IDLType:1.0", &drop,
                                                                             &none};

}  // namespace CORBA::inline callis_orb
