// SPDX-License-Identifier: Apache-2.0
// ACE_OS, ACE_Time_Value, strings and timers.
#include "ace/ACE.h"
#include "ace/Auto_Ptr.h"
#include "ace/High_Res_Timer.h"
#include "ace/Log_Msg.h"
#include "ace/OS_main.h"
#include "ace/OS_NS_ctype.h"
#include "ace/OS_NS_errno.h"
#include "ace/OS_NS_fcntl.h"
#include "ace/OS_NS_stdio.h"
#include "ace/OS_NS_stdlib.h"
#include "ace/OS_NS_string.h"
#include "ace/OS_NS_strings.h"
#include "ace/OS_NS_sys_stat.h"
#include "ace/OS_NS_sys_time.h"
#include "ace/OS_NS_time.h"
#include "ace/OS_NS_unistd.h"
#include "ace/Profile_Timer.h"
#include "ace/SString.h"
#include "ace/Time_Value.h"

#define CHECK(condition) \
  do { if (!(condition)) ACE_ERROR_RETURN ((LM_ERROR, "%N:%l: not so: %C\n", #condition), 1); } while (0)

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  ACE_UNUSED_ARG (argc);
  ACE_UNUSED_ARG (argv);
  FILE *file = ACE_OS::fopen ("ace_os.txt", "w");
  CHECK (file != 0);
  ACE_OS::fprintf (file, "%d %s\n", 7, "seven");
  ACE_OS::fclose (file);
  file = ACE_OS::fopen ("ace_os.txt", "r");
  char line[64];
  CHECK (ACE_OS::fgets (line, sizeof line, file) == line);
  ACE_OS::fclose (file);
  CHECK (ACE_OS::strcmp (line, "7 seven\n") == 0);
  ACE_stat about;
  CHECK (ACE_OS::stat ("ace_os.txt", &about) == 0 && about.st_size == 8);
  CHECK (ACE_OS::unlink ("ace_os.txt") == 0);
  CHECK (ACE_OS::fopen ("ace_os.txt", "r") == 0 && ACE_OS::last_error () == ENOENT);
  CHECK (ACE_OS::atoi ("42") == 42 && ACE_OS::strtol ("0x10", 0, 16) == 16);
  CHECK (ACE_OS::strcasecmp ("ABC", "abc") == 0 && ACE_OS::strncmp ("abc", "abd", 2) == 0);
  CHECK (ACE_OS::strstr ("haystack", "st") != 0 && ACE_OS::strrchr ("a/b/c", '/') != 0);
  CHECK (ACE_OS::ace_isdigit ('4') && ACE_OS::ace_toupper ('a') == 'A');
  CHECK (ACE_OS::getpid () > 0 && ACE_OS::getenv ("PATH") != 0);
  CHECK (ACE_OS::time (0) > 1000000);
  char *copy = ACE_OS::strdup ("copy");
  CHECK (ACE_OS::strlen (copy) == 4);
  ACE_OS::free (copy);

  ACE_Time_Value a (1, 500000), b (0, 700000);
  ACE_Time_Value sum = a + b, difference = b - a;
  CHECK (sum.sec () == 2 && sum.usec () == 200000 && sum.msec () == 2200);
  CHECK (difference < ACE_Time_Value::zero && difference.sec () == 0 && difference.usec () == -800000);
  CHECK (a > b && a != b && a >= ACE_Time_Value (1, 500000));
  a += b;
  CHECK (a == sum);
  a.set (3, 0);
  a.msec (250L);
  CHECK (a.sec () == 0 && a.usec () == 250000);
  ACE_Time_Value const begin = ACE_OS::gettimeofday ();
  ACE_High_Res_Timer timer;
  ACE_Profile_Timer profile;
  profile.start ();
  timer.start ();
  ACE_OS::sleep (ACE_Time_Value (0, 20000));
  timer.stop ();
  profile.stop ();
  ACE_Time_Value elapsed;
  timer.elapsed_time (elapsed);
  CHECK (elapsed >= ACE_Time_Value (0, 19000) && elapsed < ACE_Time_Value (10));
  ACE_hrtime_t microseconds;
  timer.elapsed_microseconds (microseconds);
  CHECK (microseconds >= 19000);
  ACE_Profile_Timer::ACE_Elapsed_Time times;
  profile.elapsed_time (times);
  CHECK (times.real_time >= 0.019);
  CHECK (ACE_OS::gettimeofday () - begin >= ACE_Time_Value (0, 19000));

  ACE_CString text ("one");
  text += ACE_CString (" two");
  CHECK (text == "one two" && text.length () == 7 && text.find ("two") == 4);
  CHECK (text.substr (4) == ACE_CString ("two") && text[0] == 'o');
  ACE_TString other (ACE_TEXT ("x"));
  CHECK (ACE_OS::strcmp (other.c_str (), ACE_TEXT ("x")) == 0);
  ACE_Auto_Ptr<ACE_CString> pointer (new ACE_CString (text));
  CHECK (pointer->length () == 7);
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
