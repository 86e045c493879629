// SPDX-License-Identifier: Apache-2.0
// Bidirectional GIOP by policy, as TAO's programs ask for it.
#include "check.h"
#include "tao/BiDir_GIOP/BiDirGIOP.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      CORBA::Object_var object = orb->resolve_initial_references ("RootPOA");
      PortableServer::POA_var root_poa = PortableServer::POA::_narrow (object.in ());
      PortableServer::POAManager_var poa_manager = root_poa->the_POAManager ();

      CORBA::PolicyList policies (2);
      policies.length (2);
      policies[1] = root_poa->create_id_assignment_policy (PortableServer::USER_ID);
      CORBA::Any pol;
      pol <<= BiDirPolicy::BOTH;
      policies[0] = orb->create_policy (BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, pol);
      PortableServer::POA_var child_poa = root_poa->create_POA ("childPOA", poa_manager.in (), policies);
      for (CORBA::ULong i = 0; i < policies.length (); ++i)
        policies[i]->destroy ();
      poa_manager->activate ();

      PortableServer::ServantBase_var servant (new Bank_i (orb.in ()));
      PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId ("bank");
      child_poa->activate_object_with_id (id.in (), servant.in ());
      object = child_poa->id_to_reference (id.in ());
      Test::Bank_var bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("both ways");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, both ways") == 0);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("bidirectional");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
