// SPDX-License-Identifier: Apache-2.0
// IORTable: keys bound by the program, reached by corbaloc:.
#include "check.h"
#include "tao/IORTable/IORTable.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      CORBA::String_var ior = orb->object_to_string (bank.in ());

      CORBA::Object_var table_object = orb->resolve_initial_references ("IORTable");
      IORTable::Table_var adapter = IORTable::Table::_narrow (table_object.in ());
      CHECK (!CORBA::is_nil (adapter.in ()));
      adapter->bind ("TheBank", ior.in ());
      try
        {
          adapter->bind ("TheBank", ior.in ());
          return 1;
        }
      catch (const IORTable::AlreadyBound &)
        {
        }
      adapter->rebind ("TheBank", ior.in ());
      adapter->rebind ("Another", ior.in ());

      // From another ORB, by the port that -ORBListenEndpoints has given.
      int none = 0;
      CORBA::ORB_var client = CORBA::ORB_init (none, 0, "client");
      CORBA::Object_var object = client->string_to_object (argv[1]);
      Test::Bank_var there = Test::Bank::_narrow (object.in ());
      CORBA::String_var text = there->greet ("table");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, table") == 0);

      adapter->unbind ("Another");
      try
        {
          adapter->unbind ("Another");
          return 1;
        }
      catch (const IORTable::NotFound &ex)
        {
          ACE_DEBUG ((LM_DEBUG, "%C\n", ex._info ().c_str ()));
        }
      client->destroy ();
      orb->destroy ();
      orb = CORBA::ORB::_nil ();
      try
        {
          adapter->bind ("Late", ior.in ());
          return 1;
        }
      catch (const CORBA::OBJECT_NOT_EXIST &)
        {
        }
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("ior_table");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
