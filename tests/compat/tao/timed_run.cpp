// SPDX-License-Identifier: Apache-2.0
// run(), perform_work() and work_pending() for a limited time; shutdown() without an argument. With -ORBServerThreads
// single requests are served in them alone, as TAO does.
#include "check.h"
#include "ace/Task.h"
#include "ace/High_Res_Timer.h"

class Caller : public ACE_Task_Base
{
public:
  Caller (CORBA::ORB_ptr other, const char *ior)
    : orb_ (CORBA::ORB::_duplicate (other)), ior_ (ior) {}
  virtual int svc ()
  {
    CORBA::Object_var object = this->orb_->string_to_object (this->ior_.c_str ());
    Test::Bank_var bank = Test::Bank::_narrow (object.in ());
    CORBA::String_var text = bank->greet ("task");
    this->answered_ = 1;
    bank->shutdown ();
    return 0;
  }
  ACE_Atomic_Op<TAO_SYNCH_MUTEX, long> answered_;

private:
  CORBA::ORB_var orb_;
  ACE_CString ior_;
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv, "server");
  int other_argc = 0;
  CORBA::ORB_var other = CORBA::ORB_init (other_argc, 0, "client");
  Test::Bank_var bank = make_bank (orb.in ());
  CORBA::String_var ior = orb->object_to_string (bank.in ());

  ACE_Time_Value start = ACE_OS::gettimeofday ();
  ACE_Time_Value tv (0, 50000);
  orb->run (tv);
  CHECK (tv == ACE_Time_Value::zero);
  CHECK (ACE_OS::gettimeofday () - start >= ACE_Time_Value (0, 45000));
  tv.set (0, 20000);
  CHECK (!orb->work_pending (tv));
  tv.set (0, 20000);
  orb->perform_work (&tv);
  CHECK (!orb->work_pending ());

  Caller caller (other.in (), ior.in ());
  CHECK (caller.activate () == 0);
  for (int i = 0; i < 1000 && caller.answered_.value () == 0; ++i)
    {
      ACE_Time_Value moment (0, 20000);
      if (orb->work_pending (moment))
        orb->perform_work (moment);
    }
  CHECK (caller.answered_.value () == 1);
  tv.set (20, 0);
  orb->run (&tv);  // until the client's shutdown()
  CHECK (tv > ACE_Time_Value (5));
  CHECK (caller.wait () == 0);
  other->shutdown ();
  other->destroy ();
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
