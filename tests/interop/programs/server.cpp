// SPDX-License-Identifier: Apache-2.0
// The server of the interoperation tests: server [-ORB options]
//
// Prints a line `NAME IOR:...` for each object, then `ready`. Ends when its standard input does: exit
// status 0 after an orderly shutdown. What the clients sent wrong is asked for through Control.
#include "any_servant.h"
#include "context_servant.h"
#include "run_until_input_ends.h"
#include "servants.h"
#include <cstdio>

namespace {

using namespace interop;

void publish(CORBA::ORB_ptr orb, const char* name, CORBA::Object_ptr object) {
  const CORBA::Object_var owner(object);
  const CORBA::String_var ior = orb->object_to_string(object);
  std::printf("%s %s\n", name, ior.in());
}

// An object that was, and is no more.
CORBA::Object_ptr dead(PortableServer::POA_ptr poa, Journal& journal) {
  CallsServant* servant = new CallsServant(journal);
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_ptr reference = poa->id_to_reference(id.in());
  poa->deactivate_object(id.in());
  return reference;
}

int serve(int argc, char** argv) {
  Journal journal;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();

  publish(orb.in(), "param", activate(poa.in(), new ParamServant(journal)));
  publish(orb.in(), "bulk", activate(poa.in(), new BulkServant(journal)));
  publish(orb.in(), "types", activate(poa.in(), new TypesServant(journal)));
  publish(orb.in(), "variants", activate(poa.in(), new VariantsServant(journal)));
  publish(orb.in(), "wide", activate(poa.in(), new WideServant(journal)));
  publish(orb.in(), "calls", activate(poa.in(), new CallsServant(journal)));
  publish(orb.in(), "objects", activate(poa.in(), new ObjectsServant(journal, poa.in())));
  publish(orb.in(), "text", activate(poa.in(), new TextServant(journal)));
  publish(orb.in(), "any", activate(poa.in(), new PeerServant(journal)));
  publish(orb.in(), "contexts", activate(poa.in(), new ContextServant(journal)));
  publish(orb.in(), "control", activate(poa.in(), new ControlServant(journal)));
  publish(orb.in(), "dead", dead(poa.in(), journal));
  std::puts("ready");
  std::fflush(stdout);

  interop::run_until_input_ends(orb.in());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "server: CORBA::%s minor 0x%lx\n", e._name(), static_cast<unsigned long>(e.minor()));
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e._name());
  }
  return 1;
}
