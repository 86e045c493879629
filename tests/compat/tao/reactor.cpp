// SPDX-License-Identifier: Apache-2.0
// orb_core()->reactor() with Debian's ACE: a timer.
#include "check.h"
#include "tao/ORB_Core.h"
#include "ace/Event_Handler.h"
#include "ace/Reactor.h"

class Timer : public ACE_Event_Handler
{
public:
  explicit Timer (CORBA::ORB_ptr orb) : orb_ (CORBA::ORB::_duplicate (orb)), called_ (0) {}
  virtual int handle_timeout (const ACE_Time_Value &, const void *)
  {
    if (++this->called_ == 2)
      this->orb_->shutdown ();
    return 0;
  }
  int called_of () const { return this->called_; }

private:
  CORBA::ORB_var orb_;
  int called_;
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  Timer timer (orb.in ());
  CHECK (orb->orb_core ()->reactor ()->schedule_timer (&timer, 0, ACE_Time_Value (0, 10000), ACE_Time_Value (0, 10000)) != -1);
  orb->run ();
  orb->orb_core ()->reactor ()->cancel_timer (&timer);
  CHECK (timer.called_of () >= 2);
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
