// SPDX-License-Identifier: Apache-2.0
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "promises.h"

namespace {

// An object that asks before main() begins.
struct Early {
  int argc = 3;
  char program[8] = "early", option[16] = "-ORBEndpoint", value[16] = "memory:early";
  char* argv[4] = {program, option, value, nullptr};
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "early");
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  ~Early() { orb->destroy(); }
} early;

}  // namespace

int main() {
  return promises::run([](CORBA::ORB_ptr orb) {
    promises::resolves(orb, "RootPOA");
    promises::resolves(orb, "POACurrent");
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
    CORBA::PolicyList policies;
    policies.length(2);
    CORBA::Any any;
    any <<= PortableServer::USER_ID;
    policies[0] = orb->create_policy(PortableServer::ID_ASSIGNMENT_POLICY_ID, any);
    policies[1] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    const PortableServer::POA_var child = root->create_POA("child", PortableServer::POAManager::_nil(), policies);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
    const CORBA::Object_var reference = child->create_reference_with_id(id.in(), "IDL:X:1.0");
    const CORBA::String_var text = orb->object_to_string(reference.in());
  });
}
