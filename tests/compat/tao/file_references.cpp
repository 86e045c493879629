// SPDX-License-Identifier: Apache-2.0
// References in files: string_to_object() and -ORBInitRef.
#include "check.h"
#include "ace/OS_NS_fcntl.h"
#include "ace/OS_NS_sys_stat.h"

int
write_file (const char *name, const char *text)
{
  FILE *file = ACE_OS::fopen (name, "w");
  if (file == 0)
    ACE_ERROR_RETURN ((LM_ERROR, "%p\n", name), -1);
  ACE_OS::fprintf (file, "%s\n", text);
  return ACE_OS::fclose (file);
}

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  CORBA::String_var ior = orb->object_to_string (bank.in ());
  CHECK (write_file ("bank.ior", ior.in ()) == 0);

  CORBA::Object_var object = orb->string_to_object ("file://bank.ior");
  bank = Test::Bank::_narrow (object.in ());
  CORBA::String_var text = bank->greet ("file");
  CHECK (ACE_OS::strcmp (text.in (), "Hello, file") == 0);

  object = orb->resolve_initial_references ("Bank");  // -ORBInitRef Bank=file://bank.ior
  bank = Test::Bank::_narrow (object.in ());
  text = bank->greet ("init");
  CHECK (ACE_OS::strcmp (text.in (), "Hello, init") == 0);

  CHECK (write_file ("again.ior", "file://again.ior") == 0);
  const char *wrong[] = {"file://no-such-file", "file:///dev/zero", "file://again.ior", "file://"};
  for (int i = 0; i < 4; ++i)
    {
      try
        {
          object = orb->string_to_object (wrong[i]);
          ACE_ERROR_RETURN ((LM_ERROR, "%C is taken\n", wrong[i]), 1);
        }
      catch (const CORBA::BAD_PARAM &)
        {
        }
    }
  ACE_OS::unlink ("bank.ior");
  ACE_OS::unlink ("again.ior");
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
