// SPDX-License-Identifier: Apache-2.0
// ACE_Get_Opt: letters, words, and the order of other words.
#include "ace/Get_Opt.h"
#include "ace/Log_Msg.h"
#include "ace/OS_main.h"
#include "ace/OS_NS_string.h"

#define CHECK(condition) \
  do { if (!(condition)) ACE_ERROR_RETURN ((LM_ERROR, "%N:%l: not so: %C\n", #condition), 1); } while (0)

int
ACE_TMAIN (int, ACE_TCHAR *[])
{
  ACE_TCHAR program[] = ACE_TEXT ("x"), a[] = ACE_TEXT ("-a"), bv[] = ACE_TEXT ("-bvalue"), other[] = ACE_TEXT ("other"),
            c[] = ACE_TEXT ("-c"), cv[] = ACE_TEXT ("cv"), word[] = ACE_TEXT ("--word=1"), flag[] = ACE_TEXT ("--flag"),
            bad[] = ACE_TEXT ("-z"), two[] = ACE_TEXT ("two"), ab[] = ACE_TEXT ("-ad");
  ACE_TCHAR *argv[] = {program, a, other, bv, c, cv, word, flag, bad, two, ab, 0};
  ACE_Get_Opt get_opt (11, argv, ACE_TEXT ("ab:c:d"));
  CHECK (get_opt.long_option (ACE_TEXT ("word"), 'w', ACE_Get_Opt::ARG_REQUIRED) == 0);
  CHECK (get_opt.long_option (ACE_TEXT ("flag")) == 0);
  CHECK (get_opt () == 'a');
  CHECK (get_opt () == 'b' && ACE_OS::strcmp (get_opt.opt_arg (), ACE_TEXT ("value")) == 0);
  CHECK (get_opt () == 'c' && ACE_OS::strcmp (get_opt.opt_arg (), ACE_TEXT ("cv")) == 0);
  CHECK (get_opt () == 'w' && ACE_OS::strcmp (get_opt.opt_arg (), ACE_TEXT ("1")) == 0);
  CHECK (get_opt () == 0 && ACE_OS::strcmp (get_opt.long_option (), ACE_TEXT ("flag")) == 0);
  CHECK (get_opt () == '?');
  CHECK (get_opt () == 'a');
  CHECK (get_opt () == 'd');
  CHECK (get_opt () == EOF);
  CHECK (get_opt.opt_ind () == 9);
  CHECK (ACE_OS::strcmp (get_opt.argv ()[9], ACE_TEXT ("other")) == 0);
  CHECK (ACE_OS::strcmp (get_opt.argv ()[10], ACE_TEXT ("two")) == 0);

  ACE_TCHAR *strict[] = {program, a, other, c, 0};
  ACE_Get_Opt in_order (4, strict, ACE_TEXT ("ac:"), 1, 0, ACE_Get_Opt::REQUIRE_ORDER);
  CHECK (in_order () == 'a' && in_order () == EOF && in_order.opt_ind () == 2);
  ACE_TCHAR *missing[] = {program, c, 0};
  ACE_Get_Opt lacks (2, missing, ACE_TEXT (":c:"));
  CHECK (lacks () == ':');
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
