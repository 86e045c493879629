// SPDX-License-Identifier: Apache-2.0
// The format letters of ACE_DEBUG: run.py compares the lines.
#include "ace/Log_Msg.h"
#include "ace/OS_main.h"
#include "ace/OS_NS_errno.h"

static void
called ()
{
  ACE_DEBUG ((LM_INFO, "called\n"));
}

static int
fails ()
{
  errno = ENOENT;
  ACE_ERROR_RETURN ((LM_ERROR, "%p\n", "fails"), 7);
}

int
ACE_TMAIN (int, ACE_TCHAR *[])
{
  ACE_DEBUG ((LM_DEBUG, ACE_TEXT ("s %s %C %10s|%-5s|\n"), ACE_TEXT ("text"), "narrow", ACE_TEXT ("right"), ACE_TEXT ("l")));
  ACE_DEBUG ((LM_DEBUG, "d %d %i %5d|%-5d|%05d %u %o %x %X %c%%\n", -1, 2, 3, 4, 5, 6u, 8u, 255u, 255u, 'c'));
  ACE_DEBUG ((LM_DEBUG, "f %f %.2f %8.3f %e %g\n", 1.5, 2.25, 3.125, 4.5, 0.25));
  ACE_DEBUG ((LM_DEBUG, "q %q %Q %B %b\n", ACE_INT64 (-5), ACE_UINT64 (5), size_t (6), ssize_t (-6)));
  ACE_DEBUG ((LM_WARNING, "M %M\n"));
  ACE_DEBUG ((LM_DEBUG, "N %N:%l\n"));
  ACE_DEBUG ((LM_DEBUG, "W %W\n", L"wide"));
  ACE_DEBUG ((LM_DEBUG, "r %r\n", called));
  errno = EACCES;
  ACE_ERROR ((LM_ERROR, "m %m\n"));
  int const result = fails ();
  ACE_DEBUG ((LM_DEBUG, "result %d, status %d\n", result, ACE_LOG_MSG->op_status ()));
  ACE_LOG_MSG->priority_mask (LM_ERROR, ACE_Log_Msg::PROCESS);
  ACE_LOG_MSG->priority_mask (LM_ERROR, ACE_Log_Msg::THREAD);
  ACE_DEBUG ((LM_DEBUG, "not printed\n"));
  ACE_ERROR ((LM_ERROR, "OK\n"));
  return 0;
}
