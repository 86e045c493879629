// SPDX-License-Identifier: Apache-2.0
#include <tao/Utils/orb_manager.h>

TAO_ORB_Manager::TAO_ORB_Manager(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa,
                                 PortableServer::POAManager_ptr poa_manager)
    : orb_(CORBA::ORB::_duplicate(orb)),
      poa_(PortableServer::POA::_duplicate(poa)),
      poa_manager_(PortableServer::POAManager::_duplicate(poa_manager)) {}

int TAO_ORB_Manager::init(int& argc, char* argv[], const char* orb_name) {
  if (CORBA::is_nil(orb_.in())) orb_ = CORBA::ORB_init(argc, argv, orb_name);
  if (CORBA::is_nil(poa_.in())) {
    const CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    poa_ = PortableServer::POA::_narrow(object.in());
  }
  if (CORBA::is_nil(poa_manager_.in())) poa_manager_ = poa_->the_POAManager();
  return 0;
}

int TAO_ORB_Manager::init_child_poa(int& argc, char* argv[], const char* poa_name, const char* orb_name) {
  init(argc, argv, orb_name);
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = poa_->create_id_assignment_policy(PortableServer::USER_ID);
  policies[1] = poa_->create_lifespan_policy(PortableServer::PERSISTENT);
  child_poa_ = poa_->create_POA(poa_name, poa_manager_.in(), policies);
  for (CORBA::ULong i = 0; i < policies.length(); ++i) policies[i]->destroy();
  return 0;
}

int TAO_ORB_Manager::fini() {
  if (!CORBA::is_nil(poa_.in())) poa_->destroy(true, true);
  poa_ = PortableServer::POA::_nil();
  child_poa_ = PortableServer::POA::_nil();
  if (!CORBA::is_nil(orb_.in())) orb_->destroy();
  orb_ = CORBA::ORB::_nil();
  return 0;
}

char* TAO_ORB_Manager::activate(PortableServer::Servant servant) {
  const PortableServer::ObjectId_var id = poa_->activate_object(servant);
  const CORBA::Object_var object = poa_->id_to_reference(id.in());
  return orb_->object_to_string(object.in());
}

void TAO_ORB_Manager::deactivate(const char* text) {
  const CORBA::Object_var object = orb_->string_to_object(text);
  const PortableServer::ObjectId_var id = poa_->reference_to_id(object.in());
  poa_->deactivate_object(id.in());
}

char* TAO_ORB_Manager::activate_under_child_poa(const char* object_name, PortableServer::Servant servant) {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(object_name);
  child_poa_->activate_object_with_id(id.in(), servant);
  const CORBA::Object_var object = child_poa_->id_to_reference(id.in());
  return orb_->object_to_string(object.in());
}

void TAO_ORB_Manager::deactivate_under_child_poa(const char* name) {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
  child_poa_->deactivate_object(id.in());
}

int TAO_ORB_Manager::activate_poa_manager() {
  poa_manager_->activate();
  return 0;
}
