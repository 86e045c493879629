// SPDX-License-Identifier: Apache-2.0
// A side (side.h), for callis, or for omniORB where TWO_ORBS_OMNIORB is defined. SIDE is the name of its function. It
// uses much of what both ORBs have by the same names: exceptions, anys, TypeCodes, adapters and their policies, and
// module CosNaming.
#ifdef TWO_ORBS_OMNIORB
#include <omniORB4/CORBA.h>
#include <omniORB4/Naming.hh>
#include "two_orbs.hh"
#else
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include "two_orbs.h"
#include "two_orbs_skel.h"
#ifdef TWO_ORBS_NAMING
#include <CosNaming.h>
#endif
#endif
#include <string>
#include "side.h"

namespace {

constexpr CORBA::ULong kMinor = 0x54780007;
std::string said;
std::string own_reference;
CORBA::ORB_var orb;

class HostServant final : public POA_two_orbs::Host {
  char* echo(const char* text) override { return CORBA::string_dup(text); }
  CORBA::Any* pass(const CORBA::Any& value) override { return new CORBA::Any(value); }
  void refuse(CORBA::Long number) override {
    if (number == 0) throw CORBA::BAD_PARAM(kMinor, CORBA::COMPLETED_YES);
    throw two_orbs::Refused(number, "as asked");
  }
};

struct Wrong {
  std::string what;
};
void expect(bool good, const char* what) {
  if (!good) throw Wrong{what};
}

// Runs it; what went wrong, or null.
template <class Action>
const char* run(Action&& action) {
  try {
    action();
    return nullptr;
  } catch (const Wrong& w) {
    said = w.what;
  } catch (const CORBA::SystemException& e) {
    said = std::string("system exception ") + e._name() + ", minor " + std::to_string(e.minor());
  } catch (const CORBA::Exception& e) {
    said = std::string("exception ") + e._name();
  } catch (...) {
    said = "something that is no exception of this ORB";
  }
  return said.c_str();
}

// The server is in an adapter of its own, beside the root adapter.
void begin() {
#ifdef TWO_ORBS_OMNIORB
  const char* words[] = {"side", "-ORBendPoint", "giop:tcp:127.0.0.1:"};
#else
  const char* words[] = {"side", "-ORBEndpoint", "tcp:127.0.0.1:0"};
#endif
  int argc = 3;
  orb = CORBA::ORB_init(argc, const_cast<char**>(words));
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  expect(!CORBA::is_nil(root.in()), "RootPOA is none");
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::TRANSIENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POA_var own = root->create_POA("own", manager.in(), policies);
  for (CORBA::ULong i = 0; i < policies.length(); ++i) policies[i]->destroy();
  try {
    const PortableServer::POA_var twice = root->create_POA("own", manager.in(), CORBA::PolicyList());
    expect(false, "an adapter is there twice");
  } catch (const PortableServer::POA::AdapterAlreadyExists&) {
  }
  const PortableServer::ServantBase_var servant = new HostServant;
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("host");
  own->activate_object_with_id(id.in(), servant.in());
  object = own->id_to_reference(id.in());
  manager->activate();
  const CORBA::String_var text = orb->object_to_string(object.in());
  own_reference = text.in();
}

void call_exceptions(two_orbs::Host_ptr host) {
  try {
    host->refuse(7);
    expect(false, "refuse(7) throws nothing");
  } catch (const two_orbs::Refused& e) {
    expect(e.number == 7 && std::string(e.why) == "as asked", "Refused has other members");
  }
  try {
    host->refuse(8);
    expect(false, "refuse(8) throws nothing");
  } catch (const CORBA::UserException& e) {
    const auto* refused = two_orbs::Refused::_downcast(&e);
    expect(refused && refused->number == 8, "a UserException is no Refused");
    expect(std::string(e._name()) == "Refused", "Refused has another name");
  }
  try {
    host->refuse(0);
    expect(false, "refuse(0) throws nothing");
  } catch (const CORBA::BAD_PARAM& e) {
    expect(e.minor() == kMinor && e.completed() == CORBA::COMPLETED_YES, "BAD_PARAM is another");
  }
  try {
    host->refuse(0);
    expect(false, "refuse(0) throws nothing");
  } catch (const CORBA::Exception& e) {
    expect(CORBA::SystemException::_downcast(&e) && CORBA::BAD_PARAM::_downcast(&e), "BAD_PARAM is of another type");
  }
  const CORBA::Object_var nowhere = orb->string_to_object("corbaloc::127.0.0.1:1/nobody");
  try {
    (void)nowhere->_non_existent();
    expect(false, "a call to nowhere throws nothing");
  } catch (const CORBA::SystemException&) {
  }
}

void call_with_anys(two_orbs::Host_ptr host) {
  CORBA::Any number;
  number <<= CORBA::Long(42);
  const CORBA::Any_var same_number = host->pass(number);
  CORBA::Long l = 0;
  expect((same_number.in() >>= l) && l == 42, "another long comes back in an any");
  const CORBA::TypeCode_var type = same_number->type();
  expect(type->kind() == CORBA::tk_long && type->equal(CORBA::_tc_long), "another TypeCode comes back");
  CORBA::Any text;
  text <<= "a text";
  const CORBA::Any_var same_text = host->pass(text);
  const char* t = nullptr;
  expect((same_text.in() >>= t) && std::string(t) == "a text", "another string comes back in an any");
}

// Names of module CosNaming, which both ORBs' libraries have.
void call_with_names(two_orbs::Host_ptr host) {
#if defined(TWO_ORBS_OMNIORB) || defined(TWO_ORBS_NAMING)
  CosNaming::Name name;
  name.length(2);
  name[0].id = CORBA::string_dup("a");
  name[0].kind = CORBA::string_dup("b");
  name[1].id = CORBA::string_dup("c");
  CORBA::Any any;
  any <<= name;
  const CORBA::Any_var same = host->pass(any);
  const CosNaming::Name* n = nullptr;
  expect((same.in() >>= n) && n->length() == 2 && std::string((*n)[1].id) == "c", "another name comes back");
  try {
    throw CosNaming::NamingContext::NotFound(CosNaming::NamingContext::missing_node, name);
  } catch (const CORBA::UserException& e) {
    const auto* not_found = CosNaming::NamingContext::NotFound::_downcast(&e);
    expect(not_found && not_found->rest_of_name.length() == 2, "NotFound is another");
  }
  const CosNaming::NamingContext_var none = CosNaming::NamingContext::_narrow(host);
  expect(CORBA::is_nil(none.in()), "a Host is a NamingContext");
#else
  (void)host;
#endif
}

void call(const char* ior) {
  const CORBA::Object_var object = orb->string_to_object(ior);
  const two_orbs::Host_var host = two_orbs::Host::_narrow(object.in());
  expect(!CORBA::is_nil(host.in()), "the reference is of no Host");
  const CORBA::String_var answer = host->echo("a text");
  expect(std::string(answer.in()) == "a text", "another text comes back");
  call_exceptions(host.in());
  call_with_anys(host.in());
  call_with_names(host.in());
}

void end() {
  own_reference.clear();
  orb->shutdown(true);
  orb->destroy();
  orb = CORBA::ORB::_nil();
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const Side* SIDE() {
  static constexpr Side side = {
#ifdef TWO_ORBS_OMNIORB
      "omniORB",
#else
      "callis",
#endif
      [] { return run(begin); },
      [] { return own_reference.c_str(); },
      [](const char* ior) { return run([ior] { call(ior); }); },
      [] { return run(end); },
  };
  return &side;
}
