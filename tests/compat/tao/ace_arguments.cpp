// SPDX-License-Identifier: Apache-2.0
// ACE_Arg_Shifter and ACE_ARGV.
#include "ace/ARGV.h"
#include "ace/Arg_Shifter.h"
#include "ace/Log_Msg.h"
#include "ace/OS_main.h"
#include "ace/OS_NS_string.h"

#define CHECK(condition) \
  do { if (!(condition)) ACE_ERROR_RETURN ((LM_ERROR, "%N:%l: not so: %C\n", #condition), 1); } while (0)

int
ACE_TMAIN (int, ACE_TCHAR *[])
{
  ACE_ARGV words (ACE_TEXT ("x -Name one keep -Flag 'two words' -Joinedvalue"));
  CHECK (words.argc () == 7);
  CHECK (ACE_OS::strcmp (words[5], ACE_TEXT ("two words")) == 0);
  int argc = words.argc ();
  ACE_TCHAR **argv = words.argv ();
  {
    ACE_Arg_Shifter shifter (argc, argv);
    int found = 0;
    while (shifter.is_anything_left ())
      {
        const ACE_TCHAR *value = 0;
        if ((value = shifter.get_the_parameter (ACE_TEXT ("-name"))) != 0)
          {
            CHECK (ACE_OS::strcmp (value, ACE_TEXT ("one")) == 0);
            shifter.consume_arg ();
            ++found;
          }
        else if (shifter.cur_arg_strncasecmp (ACE_TEXT ("-Flag")) == 0)
          {
            shifter.consume_arg ();
            ++found;
          }
        else if (shifter.cur_arg_strncasecmp (ACE_TEXT ("-Joined")) > 0)
          {
            CHECK (ACE_OS::strcmp (shifter.get_the_parameter (ACE_TEXT ("-Joined")), ACE_TEXT ("value")) == 0);
            shifter.consume_arg ();
            ++found;
          }
        else
          shifter.ignore_arg ();
      }
    CHECK (found == 3);
  }
  CHECK (argc == 3);
  CHECK (ACE_OS::strcmp (argv[1], ACE_TEXT ("keep")) == 0 && ACE_OS::strcmp (argv[2], ACE_TEXT ("two words")) == 0);
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
