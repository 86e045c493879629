// SPDX-License-Identifier: Apache-2.0
// The client that most programs of TAO look like: a reference from a file, a call, and the server's shutdown.
#include "TestC.h"
#include "ace/Get_Opt.h"

const ACE_TCHAR *ior = ACE_TEXT ("file://test.ior");

int
parse_args (int argc, ACE_TCHAR *argv[])
{
  ACE_Get_Opt get_opts (argc, argv, ACE_TEXT ("k:"));
  int c;

  while ((c = get_opts ()) != -1)
    switch (c)
      {
      case 'k':
        ior = get_opts.opt_arg ();
        break;

      case '?':
      default:
        ACE_ERROR_RETURN ((LM_ERROR, "usage:  %s -k <ior> \n", argv [0]), -1);
      }
  return 0;
}

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);

      if (parse_args (argc, argv) != 0)
        return 1;

      CORBA::Object_var tmp = orb->string_to_object (ior);
      Test::Bank_var bank = Test::Bank::_narrow (tmp.in ());
      if (CORBA::is_nil (bank.in ()))
        ACE_ERROR_RETURN ((LM_DEBUG, ACE_TEXT ("Nil Test::Bank reference <%s>\n"), ior), 1);

      CORBA::String_var the_string = bank->greet ("TAO");
      ACE_DEBUG ((LM_DEBUG, "(%P|%t) - string returned <%C>\n", the_string.in ()));

      bank->deposit ("ann", 3);
      try
        {
          bank->deposit ("ann", -5);
          ACE_ERROR_RETURN ((LM_ERROR, "no exception\n"), 1);
        }
      catch (const Test::Overdrawn &ex)
        {
          ACE_DEBUG ((LM_DEBUG, "overdrawn: %.1f, %C\n", ex.balance, ex.why.in ()));
        }

      CORBA::Long count = 1;
      Test::NameList_var owners;
      Test::Accounts_var accounts = bank->all (owners.out (), count);
      ACE_DEBUG ((LM_DEBUG, "%u account, owner %C, count %d\n",
                  accounts->length (), owners[static_cast<CORBA::ULong> (0)].in (), count));

      Test::NameList names (2);
      names.length (2);
      names[0] = CORBA::string_dup ("one");
      names[1] = "two";
      bank->remember (names);
      bank->note ("a note");

      bank->shutdown ();
      orb->destroy ();
      ACE_DEBUG ((LM_DEBUG, "client done\n"));
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("Exception caught:");
      return 1;
    }
  return 0;
}
