// SPDX-License-Identifier: Apache-2.0
// POACurrent, for the initial reference of that name.
#include <callis/marshal/handlers.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/initial.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/current.h>
#include <callis/poa/servant/minor_codes.h>

CALLIS_PROVIDE(current);

namespace callis::poa {
namespace {

const orb::Upcall& context() {
  const orb::Upcall* const u = orb::Upcall::innermost_entered();
  if (!u) raise<PortableServer::Current::NoContext>();
  return *u;
}
const orb::Upcall& context_with_servant() {
  const orb::Upcall& u = context();
  if (!u.servant()) raise<PortableServer::Current::NoContext>();
  return u;
}

class ThreadCurrent final : public PortableServer::Current {
 public:
  PortableServer::POA_ptr get_POA() override { return duplicate_local(context().adapter()); }
  PortableServer::ObjectId* get_object_id() override {
    const orb::Upcall& u = context();
    return new_object_id(u.adapter()->id_in(u.key()));
  }
  CORBA::Object_ptr get_reference() override {
    const orb::Upcall& u = context_with_servant();
    return reference_of(*u.adapter(), u.key(), u.servant());
  }
  PortableServer::Servant get_servant() override {
    const PortableServer::Servant servant = context_with_servant().servant();
    servant->_add_ref();
    return servant;
  }
};

CORBA::Object_ptr make_current_of(orb::Core&) { return make_current(); }

CALLIS_INSTALLER void install() { orb::register_initial_factory("POACurrent", &make_current_of); }

}  // namespace

PortableServer::Current_ptr make_current() { return new ThreadCurrent; }

}  // namespace callis::poa
