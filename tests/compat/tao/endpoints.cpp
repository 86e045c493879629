// SPDX-License-Identifier: Apache-2.0
// Several endpoints in one option, portspan with a port that is taken, hostname_in_ior, and -ORBLogFile.
#include "check.h"

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv, "one");
  CHECK (argc == 2);
  Test::Bank_var bank = make_bank (orb.in ());
  char option[] = "-ORBListenEndpoints", program[] = "two";
  char *words[] = {program, option, argv[1], 0};
  int count = 3;
  CORBA::ORB_var other = CORBA::ORB_init (count, words, "two");
  Test::Bank_var second = make_bank (other.in ());
  CORBA::String_var first_ior = orb->object_to_string (bank.in ());
  CORBA::String_var second_ior = other->object_to_string (second.in ());
  CHECK (ACE_OS::strcmp (first_ior.in (), second_ior.in ()) != 0);
  ACE_OS::printf ("%s\n%s\n", first_ior.in (), second_ior.in ());
  other->destroy ();
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
