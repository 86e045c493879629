// SPDX-License-Identifier: Apache-2.0
// The server calls the client back while the client waits for its own call.
#include "check.h"

class Callback_i : public virtual POA_Test::Callback
{
public:
  Callback_i () : sum_ (0) {}
  virtual void called (CORBA::Long n)
  {
    ACE_GUARD (TAO_SYNCH_MUTEX, guard, this->mutex_);
    this->sum_ += n;
  }
  CORBA::Long sum_;

private:
  TAO_SYNCH_MUTEX mutex_;
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
      CORBA::ORB_var client = CORBA::ORB_init (none, 0, "client");
      CORBA::Object_var object = client->resolve_initial_references ("RootPOA");
      PortableServer::POA_var poa = PortableServer::POA::_narrow (object.in ());
      PortableServer::POAManager_var manager = poa->the_POAManager ();
      manager->activate ();
      Callback_i *impl = 0;
      ACE_NEW_RETURN (impl, Callback_i, 1);
      PortableServer::ServantBase_var owner (impl);
      PortableServer::ObjectId_var id = poa->activate_object (impl);
      object = poa->id_to_reference (id.in ());
      Test::Callback_var callback = Test::Callback::_narrow (object.in ());

      object = client->string_to_object (ior.in ());
      bank = Test::Bank::_narrow (object.in ());
      bank->call_back (callback.in (), 10);
      CHECK (impl->sum_ == 45);
      client->destroy ();
      orb->destroy ();
    }
  catch (const CORBA::Exception &ex)
    {
      ex._tao_print_exception ("callbacks");
      return 1;
    }
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
