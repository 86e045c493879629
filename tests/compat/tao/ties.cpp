// SPDX-License-Identifier: Apache-2.0
// Ties, from the header that tao_idl -GT makes; and Any, from that of -GA.
#include "TestS_T.h"
#include "TestA.h"
#include "check.h"

class Called
{
public:
  explicit Called (int &sum) : sum_ (sum) {}
  void called (CORBA::Long n) { this->sum_ += n; }

private:
  int &sum_;
};

int
ACE_TMAIN (int argc, ACE_TCHAR *argv[])
{
  CORBA::ORB_var orb = CORBA::ORB_init (argc, argv);
  Test::Bank_var bank = make_bank (orb.in ());
  int sum = 0;
  POA_Test::Callback_tie<Called> *tie = new POA_Test::Callback_tie<Called> (new Called (sum));
  PortableServer::ServantBase_var owner (tie);
  Test::Callback_var callback = tie->_this ();
  bank->call_back (callback.in (), 5);
  CHECK (sum == 10);

  CORBA::Any any;
  Test::Account account;
  account.owner = CORBA::string_dup ("ann");
  account.balance = 4.5;
  any <<= account;
  const Test::Account *out = 0;
  CHECK ((any >>= out) && out->balance == 4.5);
  any <<= bank.in ();
  CORBA::TypeCode_var type = any.type ();
  CHECK (type->kind () == CORBA::tk_objref);
  orb->destroy ();
  ACE_DEBUG ((LM_DEBUG, "OK\n"));
  return 0;
}
