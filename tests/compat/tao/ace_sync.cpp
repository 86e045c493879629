// SPDX-License-Identifier: Apache-2.0
// Mutexes, guards, conditions, semaphores, barriers and tasks.
#include "ace/Barrier.h"
#include "ace/Condition_Thread_Mutex.h"
#include "ace/Guard_T.h"
#include "ace/Log_Msg.h"
#include "ace/Null_Mutex.h"
#include "ace/OS_main.h"
#include "ace/OS_NS_sys_time.h"
#include "ace/RW_Thread_Mutex.h"
#include "ace/Recursive_Thread_Mutex.h"
#include "ace/Semaphore.h"
#include "ace/Singleton.h"
#include "ace/Synch_Traits.h"
#include "ace/TSS_T.h"
#include "ace/Task.h"
#include "ace/Thread_Manager.h"
#include "ace/Atomic_Op.h"

#define CHECK(condition) \
  do { if (!(condition)) ACE_ERROR_RETURN ((LM_ERROR, "%N:%l: not so: %C\n", #condition), 1); } while (0)

struct Shared
{
  Shared () : condition (mutex), ready (false), barrier (3), semaphore (0) {}
  ACE_Thread_Mutex mutex;
  ACE_Condition_Thread_Mutex condition;
  bool ready;
  ACE_Recursive_Thread_Mutex recursive;
  ACE_RW_Thread_Mutex rw;
  ACE_Barrier barrier;
  ACE_Semaphore semaphore;
  ACE_Atomic_Op<ACE_Thread_Mutex, long> count;
};
typedef ACE_Singleton<Shared, ACE_Thread_Mutex> SHARED;

class Waiter : public ACE_Task_Base
{
public:
  virtual int svc ()
  {
    Shared &s = *SHARED::instance ();
    {
      ACE_GUARD_RETURN (ACE_Thread_Mutex, guard, s.mutex, -1);
      while (!s.ready)
        s.condition.wait ();
    }
    {
      ACE_Guard<ACE_Recursive_Thread_Mutex> one (s.recursive);
      ACE_Guard<ACE_Recursive_Thread_Mutex> two (s.recursive);
      ++s.count;
    }
    {
      ACE_WRITE_GUARD_RETURN (ACE_RW_Thread_Mutex, guard, s.rw, -1);
    }
    s.semaphore.release ();
    s.barrier.wait ();
    return 0;
  }
};

static ACE_THR_FUNC_RETURN
add (void *)
{
  SHARED::instance ()->count += 10;
  return 0;
}

int
ACE_TMAIN (int, ACE_TCHAR *[])
{
  Shared &s = *SHARED::instance ();
  Waiter waiter;
  CHECK (waiter.activate (THR_NEW_LWP | THR_JOINABLE, 2) == 0);
  {
    ACE_READ_GUARD_RETURN (ACE_RW_Thread_Mutex, guard, s.rw, 1);
  }
  {
    ACE_GUARD_RETURN (ACE_Thread_Mutex, guard, s.mutex, 1);
    ACE_Time_Value until = ACE_OS::gettimeofday () + ACE_Time_Value (0, 10000);
    while (s.condition.wait (&until) == 0)
      ;
    s.ready = true;
    s.condition.broadcast ();
  }
  s.semaphore.acquire ();
  s.semaphore.acquire ();
  s.barrier.wait ();
  CHECK (waiter.wait () == 0);
  CHECK (s.count.value () == 2);
  CHECK (ACE_Thread_Manager::instance ()->spawn (add) != -1);
  CHECK (ACE_Thread_Manager::instance ()->wait () == 0);
  CHECK (s.count == 12);
  ACE_TSS<Shared> specific;
  specific->ready = true;
  CHECK (specific->ready);
  ACE_Null_Mutex none;
  ACE_Guard<ACE_Null_Mutex> guard (none);
  CHECK (guard.locked ());
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
