// SPDX-License-Identifier: Apache-2.0
// A servant whose interface inherits the Property Service's, and a client of it, as a user of the installed callis
// writes them. Prints OK.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/services/properties.h>
#include <iostream>
#include "boiler_skel.h"

namespace cos = CosPropertyService;

class BoilerServant : public callis::properties::PropertySetDefServant<POA_Plant::Boiler> {
 public:
  explicit BoilerServant(callis::properties::Iterators& iterators)
      : callis::properties::PropertySetDefServant<POA_Plant::Boiler>(iterators) {
    CORBA::Any built;
    built <<= CORBA::Long(1987);
    set()->define_own("built", built);
  }
  CORBA::Long degrees() override { return 70; }
};

static bool is_good(Plant::Boiler_ptr boiler) {
  CORBA::Any value;
  value <<= "cellar";
  boiler->define_property_with_mode("room", value, cos::fixed_normal);
  bool refused = false, kept = false;
  try {
    boiler->define_property("built", value);
  } catch (const cos::ConflictingProperty&) {
    refused = true;
  }
  try {
    boiler->delete_property("room");
  } catch (const cos::FixedProperty&) {
    kept = true;
  }
  cos::PropertyNames_var names;
  cos::PropertyNamesIterator_var rest;
  boiler->get_all_property_names(1, names.out(), rest.out());
  CORBA::String_var name;
  const bool more = rest->next_one(name.out());
  CORBA::Any_var built = boiler->get_property_value("built");
  CORBA::Long year = 0;
  return boiler->degrees() == 70 && refused && kept && more && std::string(names[0u]) == "built" &&
         std::string(name.in()) == "room" && (built.in() >>= year) && year == 1987;
}

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  bool good = false;
  {
    callis::properties::Iterators iterators(poa);
    PortableServer::ServantBase_var servant = new BoilerServant(iterators);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    object = poa->id_to_reference(id);
    CORBA::String_var text = orb->object_to_string(object);
    CORBA::ORB_var client = CORBA::ORB_init(argc, argv, "client");
    object = client->string_to_object(text);
    Plant::Boiler_var boiler = Plant::Boiler::_narrow(object);
    good = is_good(boiler);
    client->destroy();
    orb->destroy();
  }
  std::cout << (good ? "OK" : "wrong answers") << std::endl;
  return good ? 0 : 1;
} catch (const CORBA::Exception& e) {
  std::cerr << e._rep_id() << std::endl;
  return 1;
}
