// SPDX-License-Identifier: Apache-2.0
// TAO_Naming_Client, and CosNaming as TAO's programs spell it.
#include "check.h"
#include "orbsvcs/CosNamingC.h"
#include "orbsvcs/Naming/Naming_Client.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());

      TAO_Naming_Client naming_client;
      CHECK (naming_client.init (orb.in ()) == 0);
      CosNaming::Name name (1);
      name.length (1);
      name[0].id = CORBA::string_dup ("Bank");
      naming_client->rebind (name, bank.in ());

      CORBA::Object_var object = naming_client->resolve (name);
      bank = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = bank->greet ("name");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, name") == 0);

      object = orb->resolve_initial_references ("NameService");
      CosNaming::NamingContextExt_var root = CosNaming::NamingContextExt::_narrow (object.in ());
      object = root->resolve_str ("Bank");
      CHECK (!CORBA::is_nil (object.in ()));
      try
        {
          name[0].id = CORBA::string_dup ("nobody");
          object = naming_client->resolve (name);
          return 1;
        }
      catch (const CosNaming::NamingContext::NotFound &ex)
        {
          CHECK (ex.why == CosNaming::NamingContext::missing_node);
        }
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("naming_client");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
