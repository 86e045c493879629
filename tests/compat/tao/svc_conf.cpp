// SPDX-License-Identifier: Apache-2.0
// A svc.conf in the folder is read without being named: run.py has written one, and compares what the ORB says.
#include "check.h"
#include "tao/Strategies/advanced_resource.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      CORBA::String_var text = bank->greet ("configured");
      CHECK (ACE_OS::strcmp (text.in (), "Hello, configured") == 0);
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("svc_conf");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
