// SPDX-License-Identifier: Apache-2.0
// Several threads in run(), and clients in others: ACE_Task_Base.
#include "check.h"
#include "ace/Task.h"

class Worker : public ACE_Task_Base
{
public:
  explicit Worker (CORBA::ORB_ptr orb) : orb_ (CORBA::ORB::_duplicate (orb)) {}
  virtual int svc ()
  {
    try
      {
        this->orb_->run ();
      }
    catch (const CORBA::Exception &)
      {
        return -1;
      }
    return 0;
  }

private:
  CORBA::ORB_var orb_;
};

class Client : public ACE_Task_Base
{
public:
  explicit Client (Test::Bank_ptr bank) : bank_ (Test::Bank::_duplicate (bank)) {}
  virtual int svc ()
  {
    for (int i = 0; i < 20; ++i)
      {
        this->bank_->deposit ("ann", 1);
        this->bank_->slow (1);
      }
    return 0;
  }

private:
  Test::Bank_var bank_;
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  try
    {
      CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
      Test::Bank_var bank = make_bank (orb.in ());
      CORBA::String_var ior = orb->object_to_string (bank.in ());
      int none = 0;
      CORBA::ORB_var other = CORBA::ORB_init (none, 0, "client");
      CORBA::Object_var object = other->string_to_object (ior.in ());
      bank = Test::Bank::_narrow (object.in ());

      Worker worker (orb.in ());
      CHECK (worker.activate (THR_NEW_LWP | THR_JOINABLE, 3) == 0);
      Client client (bank.in ());
      CHECK (client.activate (THR_NEW_LWP | THR_JOINABLE, 4) == 0);
      CHECK (client.wait () == 0);
      CHECK (bank->deposit ("ann", 0) == 80);
      bank->shutdown ();
      CHECK (worker.thr_mgr ()->wait () == 0);
      CHECK (worker.thr_count () == 0);
      other->destroy ();
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("threads");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
