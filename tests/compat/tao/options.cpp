// SPDX-License-Identifier: Apache-2.0
// TAO's options are taken out of the command line, those of the program stay in their order.
#include "check.h"
#include "ace/Get_Opt.h"
#include "tao/debug.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  CHECK (argc == 5);
  CHECK (argv[5] == 0);
  ACE_Get_Opt get_opts (argc, argv, ACE_TEXT ("a:bx"));
  CHECK (get_opts () == 'a');
  CHECK (ACE_OS::strcmp (get_opts.opt_arg (), "one") == 0);
  CHECK (get_opts () == 'b');
  CHECK (get_opts () == EOF);
  CHECK (ACE_OS::strcmp (argv[get_opts.opt_ind ()], "rest") == 0);
  CHECK (TAO_debug_level == 1);
  if (TAO_debug_level > 0)
    ACE_DEBUG ((LM_DEBUG, "debug level %d\n", TAO_debug_level));
  Test::Bank_var bank = make_bank (orb.in ());
  CORBA::String_var ior = orb->object_to_string (bank.in ());
  CORBA::Object_var object = orb->string_to_object (ior.in ());
  CHECK (object->_is_a ("IDL:Test/Bank:1.0"));
  orb->destroy ();
  int more = 3;
  char program[] = "x", option[] = "-ORBNonsense", value[] = "1";
  char *words[] = {program, option, value, 0};
  try
    {
      orb = CORBA::ORB_init (more, words, "another");
      ACE_ERROR_RETURN ((LM_ERROR, "-ORBNonsense is taken\n"), 1);
    }
  catch (const CORBA::BAD_PARAM &)
    {
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
