// SPDX-License-Identifier: Apache-2.0
// TAO_ORB_Manager with a child adapter.
#include "check.h"
#include "tao/Utils/ORB_Manager.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      TAO_ORB_Manager manager;
      CHECK (manager.init_child_poa (argc, argv, "child_poa") != -1);
      CORBA::ORB_var orb = manager.orb ();
      CHECK (manager.activate_poa_manager () != -1);
      PortableServer::Servant_var<Bank_i> servant (new Bank_i (orb.in ()));
      CORBA::String_var ior = manager.activate_under_child_poa ("bank", servant.in ());
      CORBA::Object_var object = orb->string_to_object (ior.in ());
      Test::Bank_var bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("manager");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, manager") == 0);
      PortableServer::POA_var child = manager.child_poa ();
      CORBA::String_var name = child->the_name ();
      CHECK (ACE_OS::strcmp (name.in (), "child_poa") == 0);
      PortableServer::POAManager_var poa_manager = manager.poa_manager ();
      CHECK (poa_manager->get_state () == PortableServer::POAManager::ACTIVE);

      CORBA::String_var second = manager.activate (servant.in ());
      manager.deactivate (second.in ());
      manager.deactivate_under_child_poa ("bank");
      ACE_Time_Value tv (0, 10000);
      CHECK (manager.run (tv) == 0);
      CHECK (manager.fini () == 0);
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("orb_manager");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
